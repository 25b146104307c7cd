package org.evenweave.sdd.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.ReadTimeoutException;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.ScheduledFuture;
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
import org.evenweave.sdd.protocol.wire.ReplyDecoder;
import org.evenweave.sdd.protocol.wire.TriggerFiredDecoder;

/**
 * One connection: the hello, then the client's messages. A message that the protocol does not allow
 * closes the connection, with the reason in the log; all others go on.
 */
final class SessionHandler extends SimpleChannelInboundHandler<ByteBuf>
    implements ClientMessages, Leadership.Member {
  private static final long HELLO_SECONDS = 5;

  /** How often a client that waits is told so; it gives up after some more. */
  private static final long LEADERSHIP_SECONDS = 1;

  /** From this version of the schema on clients know that controllers may stand by. */
  private static final int LEADERSHIP_VERSION = 4;

  private final Identity identity;
  private final SessionFactory sessionFactory;
  private final Leadership leadership;
  private final Controllers controllers;
  private final Supplier<ReadTimeoutHandler> silence;
  private final SharedClock clock;
  private final SessionListener listener;
  private final MessageBudget budget;
  private final ClientMessageReader reader = new ClientMessageReader();
  private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);

  private ChannelHandlerContext context;
  private ScheduledFuture<?> helloTimeout;

  /** Null before its welcome, and while it waits. */
  private ClientSession session;

  /** The hello of a host or circuit switch: it may have to wait for its welcome. */
  private byte[] hello;

  private boolean isCircuitSwitch;

  /** What tells a client that waits the leader; null for others. */
  private ScheduledFuture<?> reminder;

  /** The generation that it was welcomed with. */
  private long offered;

  /** Whether it was welcomed, and may still say that it follows another controller. */
  private boolean mayDecline;

  /** Whether the message that is read answers a request. */
  private boolean isAnswer;

  private String name; // in the certificate, once there is a hello

  /**
   * @param silence makes what ends a session in which nothing is heard
   */
  SessionHandler(
      Identity identity,
      SessionFactory sessionFactory,
      Leadership leadership,
      Controllers controllers,
      Supplier<ReadTimeoutHandler> silence,
      SharedClock clock,
      SessionListener listener) {
    this.identity = identity;
    this.sessionFactory = sessionFactory;
    this.leadership = leadership;
    this.controllers = controllers;
    this.silence = silence;
    this.clock = clock;
    this.listener = listener;
    this.budget = new MessageBudget(sessionFactory.periodNs(), System.nanoTime());
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
    isAnswer = false;
    try {
      reader.read(frame, 0, length, this);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
    if (!isAnswer) {
      rest(ctx, budget.take(length, System.nanoTime()));
    }
  }

  /** Reads nothing from one that has sent more than its share. */
  private void rest(ChannelHandlerContext ctx, long ns) {
    if (ns == 0 || !ctx.channel().config().isAutoRead()) {
      return;
    }
    log().warn("{} sends more than the limit and is slowed down", who());
    ctx.channel().config().setAutoRead(false);
    ctx.executor()
        .schedule(() -> ctx.channel().config().setAutoRead(true), ns, TimeUnit.NANOSECONDS);
  }

  private void cutOff(String why) {
    if (context.channel().isActive()) {
      log().warn("{}: connection closed: {}", who(), why);
      context.close();
    }
  }

  private String who() {
    return name != null ? name : String.valueOf(context.channel().remoteAddress());
  }

  private ClientLog log() {
    return sessionFactory.logs().of(name == null ? "" : name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isCircuitSwitch() {
    return isCircuitSwitch;
  }

  @Override
  public void hello(HelloDecoder message) {
    if (session != null || reminder != null) {
      cutOff("hello: sent twice");
      return;
    }
    helloTimeout.cancel(false);
    try {
      String certified = identity.of(context.pipeline());
      // Who would be refused need not wait, and has no say.
      SessionFactory.Admission admission =
          sessionFactory.admit(message, certified, context.channel());
      name = certified;
      if (admission.edge() != null) {
        welcome(admission);
        return;
      }
      if (hello == null) {
        hello = new byte[frame.capacity()];
        frame.getBytes(0, hello);
        isCircuitSwitch = admission.circuitSwitch() != null;
        if (!leadership.enter(this)) {
          await();
          return;
        }
      }
      long generation = leadership.generation();
      offered = generation;
      if (reader.version() >= LEADERSHIP_VERSION) {
        context.write(Client.framed(context.channel(), ControllerMessages.leadership(generation)));
      }
      mayDecline = reader.version() >= LEADERSHIP_VERSION;
      welcome(admission);
      if (leadership.generation() != generation) {
        cutOff("this controller no longer leads");
      } else {
        session.isUp();
      }
    } catch (RefusedException e) {
      log().warn("{} was refused: {}", who(), e.getMessage());
      context
          .writeAndFlush(
              Client.framed(context.channel(), ControllerMessages.refused(e.getMessage())))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void welcome(SessionFactory.Admission admission) {
    context.writeAndFlush(Client.framed(context.channel(), admission.welcome()));
    session = new ClientSession(admission, sessionFactory, clock, listener);
    log().info("{} is connected", who());
    sessionFactory.add(admission);
  }

  /** Waits until this controller leads, or leads as a later generation. */
  private void await() {
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
      context.writeAndFlush(
          Client.framed(context.channel(), ControllerMessages.leadership(leadership.generation())));
    }
  }

  @Override
  public void leads() {
    context.executor().execute(this::welcomeAfterAll);
  }

  @Override
  public void replaced() {
    context.executor().execute(() -> cutOff("it has reconnected"));
  }

  private void welcomeAfterAll() {
    if (!context.channel().isActive() || reminder == null) {
      return;
    }
    reminder.cancel(false);
    reminder = null;
    if (context.pipeline().get(ReadTimeoutHandler.class) == null) {
      context.pipeline().addBefore(context.name(), null, silence.get());
    }
    frame.wrap(hello);
    try {
      reader.read(frame, 0, frame.capacity(), this);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
  }

  @Override
  public void following(FollowingDecoder message) {
    if (reminder == null && !mayDecline) {
      cutOff("following: is not allowed here");
      return;
    }
    long answered = reminder == null ? offered : 0;
    if (Leadership.declines(answered, message.generation())) {
      // Before it counts: a controller that stands by for it cuts off those with a session.
      decline();
    }
    leadership.reported(this, answered, message.generation(), message.hears() == BooleanType.YES);
  }

  /** It follows another controller, and waits here as if this one stood by. */
  private void decline() {
    mayDecline = false;
    end();
    await();
  }

  /** Ends the session, if there is one. */
  private void end() {
    ClientSession ended = session;
    session = null;
    if (ended != null) {
      ended.end();
    }
  }

  /** A message that only a session may have. */
  private interface Message {
    void to(ClientSession session) throws ProtocolException;
  }

  private void inSession(String name, Message message) {
    mayDecline = false;
    try {
      if (session == null) {
        throw new ProtocolException(name, "is only for a session");
      }
      message.to(session);
    } catch (ProtocolException e) {
      cutOff(e.getMessage());
    }
  }

  @Override
  public void demandReport(DemandReportDecoder message) {
    inSession("demandReport", to -> to.demandReport(message));
  }

  @Override
  public void clockStatus(ClockStatusDecoder message) {
    inSession("clockStatus", to -> to.clockStatus(message));
  }

  @Override
  public void missed(MissedDecoder message) {
    inSession("missed", to -> to.missed(message));
  }

  @Override
  public void policyChanged(PolicyChangedDecoder message) {
    inSession("policyChanged", to -> to.policyChanged(message));
  }

  @Override
  public void triggerFired(TriggerFiredDecoder message) {
    inSession("triggerFired", to -> to.triggerFired(message));
  }

  @Override
  public void queueStats(QueueStatsDecoder message) {
    inSession("queueStats", to -> isAnswer = to.queueStats(message));
  }

  @Override
  public void reply(ReplyDecoder message) {
    inSession("reply", to -> isAnswer = to.reply(message));
  }

  @Override
  public void circuitStats(CircuitStatsDecoder message) {
    inSession("circuitStats", to -> to.circuitStats(message));
  }

  @Override
  public void edgeReport(EdgeReportDecoder message) {
    inSession("edgeReport", to -> to.edgeReport(message));
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    helloTimeout.cancel(false);
    if (reminder != null) {
      reminder.cancel(false);
    }
    if (session != null) {
      log().info("{} is disconnected", who());
    }
    end();
    if (hello != null) {
      leadership.left(this);
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
