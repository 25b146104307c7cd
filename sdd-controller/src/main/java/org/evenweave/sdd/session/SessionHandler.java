package org.evenweave.sdd.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.evenweave.sdd.protocol.ClientMessageReader;
import org.evenweave.sdd.protocol.ClientMessages;
import org.evenweave.sdd.protocol.ControllerMessages;
import org.evenweave.sdd.protocol.ProtocolException;
import org.evenweave.sdd.protocol.wire.BooleanType;
import org.evenweave.sdd.protocol.wire.CircuitStatsDecoder;
import org.evenweave.sdd.protocol.wire.ClockStatusDecoder;
import org.evenweave.sdd.protocol.wire.DemandReportDecoder;
import org.evenweave.sdd.protocol.wire.EdgeReportDecoder;
import org.evenweave.sdd.protocol.wire.FollowingDecoder;
import org.evenweave.sdd.protocol.wire.HelloDecoder;
import org.evenweave.sdd.protocol.wire.MissedDecoder;
import org.evenweave.sdd.protocol.wire.PolicyChangedDecoder;
import org.evenweave.sdd.protocol.wire.QueueStatsDecoder;
import org.evenweave.sdd.protocol.wire.Reason;
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: the hello, then the client's messages. A message that the protocol does not allow
 * closes the connection, with the reason in the log; all others go on.
 */
final class SessionHandler extends SimpleChannelInboundHandler<ByteBuf>
    implements ClientMessages, Leadership.Waiting {
  private static final Logger LOG = LoggerFactory.getLogger(SessionHandler.class);
  private static final long HELLO_SECONDS = 5;

  /** How often a client that waits is told so; it gives up after some more. */
  private static final long LEADERSHIP_SECONDS = 1;

  /** From this version of the schema on clients know that controllers may stand by. */
  private static final int LEADERSHIP_VERSION = 4;

  private final Reception reception;
  private final Leadership leadership;
  private final Controllers controllers;
  private final Supplier<ReadTimeoutHandler> silence;
  private final SharedClock clock;
  private final SessionListener listener;
  private final ClientMessageReader reader = new ClientMessageReader();
  private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);

  private ChannelHandlerContext context;
  private ScheduledFuture<?> helloTimeout;

  /** At most one of these three, after the hello. */
  private HostSession host;

  private CircuitSession circuitSwitch;

  private EdgeSession edge;

  /** The hello of a client that waits for its welcome, and what tells it so; null for others. */
  private byte[] waitingHello;

  private ScheduledFuture<?> reminder;

  /**
   * @param silence makes what ends a session in which nothing is heard
   */
  SessionHandler(
      Reception reception,
      Leadership leadership,
      Controllers controllers,
      Supplier<ReadTimeoutHandler> silence,
      SharedClock clock,
      SessionListener listener) {
    this.reception = reception;
    this.leadership = leadership;
    this.controllers = controllers;
    this.silence = silence;
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    helloTimeout =
        ctx.executor()
            .schedule(
                () -> cutOff("no hello within " + HELLO_SECONDS + " s"),
                HELLO_SECONDS,
                TimeUnit.SECONDS);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent) {
      SslHandshakeCompletionEvent handshake = (SslHandshakeCompletionEvent) event;
      if (!handshake.isSuccess()) {
        cutOff("TLS: " + handshake.cause().getMessage());
      } else if (CertifiedName.isController(ctx.pipeline())) {
        helloTimeout.cancel(false);
        controllers.takeOver(ctx.pipeline(), this);
        ctx.fireUserEventTriggered(event);
      }
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
    if (!ctx.channel().isActive()) {
      return;
    }
    int length = message.readableBytes();
    frame.wrap(message.nioBuffer());
    try {
      reader.read(frame, 0, length, this);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
  }

  private Client session() {
    if (host != null) {
      return host;
    }
    return edge != null ? edge : circuitSwitch;
  }

  private void cutOff(String why) {
    if (context.channel().isActive()) {
      LOG.warn("{}: connection closed: {}", who(), why);
      context.close();
    }
  }

  private String who() {
    Client session = session();
    SocketAddress address = context.channel().remoteAddress();
    return session != null ? session.name() : String.valueOf(address);
  }

  @Override
  public void hello(HelloDecoder message) {
    if (session() != null || waitingHello != null) {
      cutOff("hello: sent twice");
      return;
    }
    helloTimeout.cancel(false);
    try {
      // Who would be refused need not wait.
      Reception.Admission admission =
          reception.admit(message, CertifiedName.of(context.pipeline()), context.channel());
      boolean isEdge = admission.edge() != null;
      if (!isEdge && leadership.await(this)) {
        await();
        return;
      }
      long generation = leadership.generation();
      if (!isEdge && reader.version() >= LEADERSHIP_VERSION) {
        context.write(Client.framed(context.channel(), ControllerMessages.leadership(generation)));
      }
      context.writeAndFlush(Client.framed(context.channel(), admission.welcome()));
      host = admission.host();
      circuitSwitch = admission.circuitSwitch();
      edge = admission.edge();
      LOG.info("{} is connected", who());
      reception.add(admission);
      if (!isEdge && leadership.generation() != generation) {
        cutOff("this controller does not lead any more");
        return;
      }
      if (host != null) {
        listener.hostUp(host);
      }
    } catch (RefusedException e) {
      LOG.warn("{} was refused: {}", who(), e.getMessage());
      context
          .writeAndFlush(
              Client.framed(context.channel(), ControllerMessages.refused(e.getMessage())))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Keeps the hello for when this controller leads. */
  private void await() {
    waitingHello = new byte[frame.capacity()];
    frame.getBytes(0, waitingHello);
    if (reader.version() < LEADERSHIP_VERSION) {
      // It has nothing to say, so silence means nothing. Others answer each reminder.
      context.pipeline().remove(ReadTimeoutHandler.class);
    }
    reminder =
        context
            .executor()
            .scheduleAtFixedRate(this::remind, 0, LEADERSHIP_SECONDS, TimeUnit.SECONDS);
  }

  private void remind() {
    if (reader.version() >= LEADERSHIP_VERSION) {
      context.writeAndFlush(Client.framed(context.channel(), ControllerMessages.leadership(0)));
    }
  }

  @Override
  public void leads() {
    context.executor().execute(this::welcome);
  }

  private void welcome() {
    if (!context.channel().isActive()) {
      return;
    }
    reminder.cancel(false);
    if (context.pipeline().get(ReadTimeoutHandler.class) == null) {
      context.pipeline().addBefore(context.name(), null, silence.get());
    }
    frame.wrap(waitingHello);
    waitingHello = null;
    try {
      reader.read(frame, 0, frame.capacity(), this);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
  }

  @Override
  public void following(FollowingDecoder message) {
    leadership.said(this, message.generation(), message.hears() == BooleanType.YES);
  }

  private boolean isHost(String message) {
    if (host == null) {
      cutOff(message + ": only a host may send it, after its hello");
    }
    return host != null;
  }

  @Override
  public void demandReport(DemandReportDecoder message) {
    if (isHost("demandReport")) {
      host.wroteAt(message.timeNs(), clock.nowNs());
      host.update(new QueueDemand(message));
      listener.demandReported(host);
    }
  }

  @Override
  public void clockStatus(ClockStatusDecoder message) {
    if (isHost("clockStatus")) {
      host.wroteAt(message.timeNs(), clock.nowNs());
      host.update(new HostClock(message));
    }
  }

  @Override
  public void missed(MissedDecoder message) {
    if (isHost("missed")) {
      host.update(host.misses().with(message));
    }
  }

  @Override
  public void policyChanged(PolicyChangedDecoder message) {
    if (isHost("policyChanged")) {
      host.saidFallback(message.safe() == BooleanType.YES ? message.reason() : Reason.NONE);
      LOG.warn(
          "{} {}",
          who(),
          message.safe() == BooleanType.YES
              ? "fell back to its safe policy: " + message.reason()
              : "follows the controller again");
    }
  }

  @Override
  public void triggerFired(TriggerFiredDecoder message) {
    if (isHost("triggerFired")) {
      listener.triggerFired(host, new TriggerEvent(message));
    }
  }

  @Override
  public void queueStats(QueueStatsDecoder message) {
    if (isHost("queueStats")) {
      host.answered(message);
    }
  }

  @Override
  public void reply(ReplyDecoder message) {
    if (session() == null) {
      cutOff("reply: comes before hello");
    } else {
      session().answered(message);
    }
  }

  @Override
  public void circuitStats(CircuitStatsDecoder message) {
    if (circuitSwitch == null) {
      cutOff("circuitStats: only a circuit switch may send it, after its hello");
    } else {
      circuitSwitch.update(CircuitTotals.of(message));
    }
  }

  @Override
  public void edgeReport(EdgeReportDecoder message) {
    if (edge == null) {
      cutOff("edgeReport: only an edge may send it, after its hello");
      return;
    }
    try {
      edge.update(message);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    helloTimeout.cancel(false);
    if (reminder != null) {
      reminder.cancel(false);
    }
    leadership.left(this);
    Client session = session();
    if (session != null) {
      LOG.info("{} is disconnected", session.name());
      reception.remove(host, circuitSwitch, edge);
      session.ended();
      if (host != null) {
        listener.hostDown(host);
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof ReadTimeoutException) {
      cutOff("timed out: nothing received");
    } else {
      cutOff(String.valueOf(cause.getMessage()));
    }
    ctx.close();
  }
}
