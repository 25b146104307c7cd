package org.evenweave.standalone.openflow;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;

/** Echoes in both directions, by which both ends know that the other lives. On the event loop. */
final class EchoGuard {
  /** Checks for echoes in each time-out. */
  private static final int ECHOES_PER_TIMEOUT = 2;

  private static final OFFactory OF = OpenFlow13.FACTORY;

  private final ChannelHandlerContext context;
  private final RequestPipeline pipeline;
  private final Duration timeout;
  private final Runnable checked;
  private final Consumer<String> silent;
  private final List<Consumer<Boolean>> asked = new ArrayList<>();
  private Future<?> timer;
  private int unansweredChecks;
  private boolean closed;

  /** The latest echo request that came while the write buffer was full; others need no answer. */
  private OFEchoRequest owed;

  /**
   * @param timeout how long the switch may leave an echo unanswered
   * @param checked called at each check that the switch has passed
   * @param silent called with the reason when it has left one unanswered
   */
  EchoGuard(
      ChannelHandlerContext context,
      RequestPipeline pipeline,
      Duration timeout,
      Runnable checked,
      Consumer<String> silent) {
    this.context = context;
    this.pipeline = pipeline;
    this.timeout = timeout;
    this.checked = checked;
    this.silent = silent;
  }

  /** Begins to check regularly whether the switch answers; does nothing if it has begun. */
  void start() {
    if (timer == null) {
      long periodNanos = timeout.toNanos() / ECHOES_PER_TIMEOUT;
      timer =
          context
              .executor()
              .scheduleWithFixedDelay(this::check, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Counts checks, not time, so that a pause of this whole process is not taken for the switch's
   * silence. A silent switch is noticed within one and a half time-outs.
   */
  private void check() {
    if (unansweredChecks == ECHOES_PER_TIMEOUT) {
      silent.accept("no echo within " + timeout.toMillis() + " ms");
      return;
    }
    if (unansweredChecks == 0) {
      sendRequest();
    }
    unansweredChecks++;
    checked.run();
  }

  private void sendRequest() {
    context.writeAndFlush(
        OF.buildEchoRequest().setXid(pipeline.freeXid()).build(), context.voidPromise());
  }

  /** Asks for one echo, and tells whether one came in time. */
  void ask(long withinNanos, Consumer<Boolean> answer) {
    if (closed) {
      answer.accept(false);
      return;
    }
    asked.add(answer);
    sendRequest();
    context
        .executor()
        .schedule(
            () -> {
              if (asked.remove(answer)) {
                answer.accept(false);
              }
            },
            withinNanos,
            TimeUnit.NANOSECONDS);
  }

  /** The switch has answered an echo. */
  void answered() {
    unansweredChecks = 0;
    answerAll(true);
  }

  private void answerAll(boolean lives) {
    List<Consumer<Boolean>> all = new ArrayList<>(asked);
    asked.clear();
    all.forEach(answer -> answer.accept(lives));
  }

  /** The switch asks for an echo. */
  void requested(OFEchoRequest request) {
    owed = request;
    answerOwed();
  }

  /** Not while the write buffer is full, for a switch can send requests faster than it reads. */
  void answerOwed() {
    if (owed != null && context.channel().isWritable()) {
      OFEchoRequest request = owed;
      owed = null;
      context.writeAndFlush(
          OF.buildEchoReply().setXid(request.getXid()).setData(request.getData()).build(),
          context.voidPromise());
    }
  }

  /** The connection has ended. */
  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel(false);
    }
    answerAll(false);
  }
}
