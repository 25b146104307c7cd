package org.evenweave.standalone.openflow;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.evenweave.engine.packets.KeyedLimit;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFHelloFailedCode;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFRoleReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One switch's connection, from HELLO to its end.
 *
 * <pre>
 *   HELLO -&gt; FEATURES -&gt; ADMISSION (one connection for each datapath id) -&gt; PORTS
 *     -&gt; ROLE (become master) -&gt; PROBES (standing rules) -&gt; UP
 * </pre>
 *
 * Each state waits for one message; others that may arrive early are ignored. When another
 * controller becomes master, the connection goes back to ROLE; the switch counts as down until this
 * controller is master again ({@link Mastership}).
 */
final class SwitchHandler extends ChannelInboundHandlerAdapter implements Mastership.Listener {
  private enum State {
    HELLO,
    FEATURES,
    ADMISSION,
    PORTS,
    ROLE,
    PROBES,
    UP,
    CLOSED
  }

  private static final long SECOND_NANOS = 1_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(SwitchHandler.class);
  private static final OFFactory OF = OpenFlow13.FACTORY;

  private final MessageDecoder decoder;
  private final Dialect dialect;
  private final ChannelSettings settings;
  private final SwitchEvents events;
  private final PortTable ports = new PortTable();
  private final KeyedLimit<String> strayErrors = new KeyedLimit<>(SECOND_NANOS, 1);

  private State state = State.HELLO;
  private ChannelHandlerContext context;
  private RequestPipeline pipeline;
  private EchoGuard echoes;
  private Mastership mastership;
  private Preparation preparation;
  private SwitchConnection connection;
  private String name;
  private HandshakeTimer handshake;

  /** The request for what the switch is; one that does not say is taken for Open vSwitch. */
  private long descriptionXid = -1;

  private final LimitRequests limitRequests = new LimitRequests();

  /**
   * @param decoder the same channel's, for arrival times
   * @param dialect the same channel's; set to the negotiated version
   */
  SwitchHandler(MessageDecoder decoder, Dialect dialect, ChannelSettings settings) {
    this.decoder = decoder;
    this.dialect = dialect;
    this.settings = settings;
    this.events = settings.events;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    context = active;
    name = String.valueOf(active.channel().remoteAddress());
    pipeline = new RequestPipeline(active.channel(), settings.timeout);
    echoes = new EchoGuard(active, pipeline, settings.timeout, this::check, this::close);
    mastership = new Mastership(active.executor(), pipeline::freeXid, settings.masterRule, this);
    preparation = new Preparation(dialect, pipeline, this::send);
    U32 bitmap = U32.of(1L << OpenFlow13.WIRE_VERSION | 1L << OpenFlow15.WIRE_VERSION);
    send(
        OF.buildHello()
            .setXid(pipeline.freeXid())
            .setElements(
                List.of(OF.buildHelloElemVersionbitmap().setBitmaps(List.of(bitmap)).build()))
            .build());
    handshake =
        new HandshakeTimer(
            active.executor(), settings.timeout, late -> close(late + ", at " + state));
    handshake.start();
  }

  @Override
  public void channelRead(ChannelHandlerContext active, Object message) {
    if (state == State.CLOSED) {
      return;
    }
    if (message instanceof Hello) {
      onHello((Hello) message);
    } else if (message instanceof SwitchError) {
      onError((SwitchError) message);
    } else if (message instanceof ForeignPart) {
      pipeline.onForeign((ForeignPart) message);
    } else if (state == State.HELLO) {
      close("the first message is " + text(message) + ", not HELLO");
    } else if (message instanceof ForeignMessage) {
      onForeign((ForeignMessage) message);
    } else if (message instanceof RoleStatus) {
      mastership.onStatus((RoleStatus) message);
    } else if (message instanceof ReportedLimits) {
      onLimits((ReportedLimits) message);
    } else if (message instanceof FlowMonitor) {
      onRules((FlowMonitor) message);
    } else if (message instanceof OFEchoRequest) {
      echoes.requested((OFEchoRequest) message);
    } else if (message instanceof OFEchoReply) {
      echoes.answered();
    } else if (message instanceof OFPortStatus) {
      onPortStatus((OFPortStatus) message);
    } else if (message instanceof OFRoleReply && state.compareTo(State.ROLE) >= 0) {
      mastership.onReply((OFRoleReply) message);
    } else if (state == State.UP) {
      onMessage((OFMessage) message);
    } else {
      onHandshake((OFMessage) message);
    }
  }

  private static String text(Object message) {
    return message instanceof OFMessage
        ? String.valueOf(((OFMessage) message).getType())
        : String.valueOf(message);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext active) {
    echoes.answerOwed();
    pipeline.pump();
  }

  @Override
  public void channelInactive(ChannelHandlerContext active) {
    close("it ended");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
    if (cause instanceof MalformedMessageException) {
      close("not OpenFlow: " + cause.getMessage());
    } else if (cause instanceof DecoderException && cause.getCause() instanceof SSLException) {
      close(SwitchTls.failure((SSLException) cause.getCause()));
    } else if (cause instanceof IOException || cause instanceof BadSwitchException) {
      close(cause.getMessage());
    } else {
      close("internal error");
      // To the pipeline's end, which logs it with its stack trace.
      active.fireExceptionCaught(cause);
    }
  }

  private void onHello(Hello hello) {
    if (state != State.HELLO) {
      return;
    }
    int version = hello.agreedVersion();
    if (version == 0) {
      send(
          OF.errorMsgs()
              .buildHelloFailedErrorMsg()
              .setXid(pipeline.freeXid())
              .setCode(OFHelloFailedCode.INCOMPATIBLE)
              .build());
      close(
          hello
              + ": supports neither OpenFlow 1.3 nor 1.5; allow them, as in"
              + " protocols=OpenFlow13,OpenFlow15");
      return;
    }
    dialect.agreeOn(version);
    state = State.FEATURES;
    send(OF.buildFeaturesRequest().setXid(pipeline.freeXid()).build());
  }

  private void onHandshake(OFMessage message) {
    if (state == State.FEATURES && message instanceof OFFeaturesReply) {
      onFeatures((OFFeaturesReply) message);
    } else if (message instanceof OFDescStatsReply && message.getXid() == descriptionXid) {
      connection.describe(((OFDescStatsReply) message).getHwDesc());
    } else if (state == State.PORTS && message instanceof OFPortDescStatsReply) {
      onPorts((OFPortDescStatsReply) message);
    } else if (state == State.PROBES && preparation.isCompletedBy(message)) {
      onUp();
    }
  }

  private void onFeatures(OFFeaturesReply features) {
    if (!features.getAuxiliaryId().equals(OFAuxId.MAIN)) {
      close("auxiliary connection, which is not used");
      return;
    }
    long datapathId = features.getDatapathId().getLong();
    connection =
        new SwitchConnection(
            datapathId,
            settings.switchIdOf.apply(datapathId),
            context.channel(),
            pipeline,
            settings.callbacks,
            dialect,
            decoder.foreign(),
            echoes);
    connection.onOtherMasterGone(mastership::onOtherGone);
    String stranger = strangerProblem();
    if (!stranger.isEmpty()) {
      close("it says that its datapath id is " + features.getDatapathId() + ": " + stranger);
      return;
    }
    name = connection.toString();
    if (dialect.isOpenFlow15()) {
      dialect.seedHash(datapathId);
    }
    state = State.ADMISSION;
    settings.datapaths.claim(
        connection,
        () -> inLoop(this::onAdmitted),
        holder -> inLoop(() -> close("its datapath id is that of " + holder + ", which answers")));
  }

  /** Why its certificate is not that of this switch; empty if it is, or there is no TLS. */
  private String strangerProblem() {
    return settings.tls == null
        ? ""
        : settings.tls.problem(connection.datapathId(), connection.certificate());
  }

  private void inLoop(Runnable task) {
    if (context.executor().inEventLoop()) {
      task.run();
    } else {
      context.executor().execute(task);
    }
  }

  private void onAdmitted() {
    if (state != State.ADMISSION) {
      settings.datapaths.release(connection);
      return;
    }
    settings.strangers.proved(context.channel());
    state = State.PORTS;
    descriptionXid = pipeline.freeXid();
    send(OF.buildDescStatsRequest().setXid(descriptionXid).build());
    limitRequests.send(pipeline::freeXid, this::send);
    send(OF.buildPortDescStatsRequest().setXid(pipeline.freeXid()).build());
  }

  private void onPorts(OFPortDescStatsReply reply) {
    reply.getEntries().forEach(port -> ports.update(name, port));
    if (!reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
      state = State.ROLE;
      mastership.start();
    }
  }

  @Override
  public void request(OFControllerRole role, U64 generation, long xid) {
    send(OF.buildRoleRequest().setXid(xid).setRole(role).setGenerationId(generation).build());
  }

  /** Whoever was master meanwhile may have changed what a connection has and what is installed. */
  @Override
  public void gained() {
    state = State.PROBES;
    connection.setMaster(true);
    if (!handshake.isRunning()) {
      LOG.info("{}: this controller is its master again", name);
      handshake.start();
    }
    preparation.start();
  }

  @Override
  public void lost(String how) {
    boolean wasUp = state == State.UP;
    state = State.ROLE;
    connection.setMaster(false);
    handshake.end();
    echoes.start();
    LOG.warn("{}: another controller is its master: {}", name, how);
    if (wasUp) {
      events.down(connection, System.nanoTime());
    }
    events.barred(connection, true, System.nanoTime());
  }

  /** The configuration may ask for another certificate meanwhile. */
  private void check() {
    String stranger = strangerProblem();
    if (!stranger.isEmpty()) {
      close(stranger);
    } else if (state.compareTo(State.ROLE) >= 0) {
      mastership.check();
    }
  }

  private void onUp() {
    handshake.end();
    state = State.UP;
    echoes.start();
    List<PortDescription> known = ports.all();
    LOG.info("{}: connected, {} ports", name, known.size());
    if (!dialect.seedsHash()) {
      LOG.warn(
          "{}: its groups hash as it likes; Open vSwitch then sends all UDP flows between two hosts"
              + " one way, as no UDP ports are hashed: allow OpenFlow 1.5, as in"
              + " protocols=OpenFlow13,OpenFlow15",
          name);
    }
    events.barred(connection, false, decoder.arrivedAtNanos());
    events.up(connection, known, decoder.arrivedAtNanos());
  }

  private void onMessage(OFMessage message) {
    if (message instanceof OFPacketIn) {
      OFPacketIn packet = (OFPacketIn) message;
      if (packet.getMatch().isExact(MatchField.IN_PORT)) {
        int inPort = packet.getMatch().get(MatchField.IN_PORT).getPortNumber();
        events.packetIn(connection, inPort, packet.getData(), decoder.arrivedAtNanos());
      }
    } else if (message instanceof OFFlowRemoved) {
      FlowMessages.read((OFFlowRemoved) message)
          .ifPresent(rule -> events.ruleRemoved(connection, rule, decoder.arrivedAtNanos()));
    } else if (!pipeline.onReply(message, decoder.messageBytes())) {
      decoder.foreign().add("unasked " + message.getType());
    }
  }

  /** What is not known ends no connection, but a handshake or a request that it answers. */
  private void onForeign(ForeignMessage message) {
    OFMessage answer = decoder.foreign().take(name, message, System.nanoTime());
    if (message.isReply() && state != State.UP) {
      close("the answer to the handshake cannot be read: " + message);
    } else if (message.isReply()) {
      pipeline.onError(SwitchError.unreadable(message));
    } else if (answer != null && context.channel().isWritable()) {
      send(answer);
    }
  }

  private void onError(SwitchError error) {
    if (error.isSlave()) {
      pipeline.onError(error);
      mastership.onSlaveError();
    } else if (preparation.toleratesError(name, error) || mastership.onError(error)) {
      return;
    } else if (error.xid() == descriptionXid) {
      LOG.info("{}: refuses the request for its description: {}", name, error);
    } else if (limitRequests.tolerateError(name, error)) {
      return;
    } else if (state != State.UP) {
      close("handshake refused at " + state + ": " + error);
    } else if (!pipeline.onError(error) && strayErrors.pass(name, System.nanoTime()) >= 0) {
      LOG.warn("{}: {} for an unknown request {}", name, error, error.xid());
    }
  }

  /** Before the tables are read for the first time, since requests are answered in order. */
  private void onLimits(ReportedLimits limits) {
    if (limitRequests.areAnsweredBy(limits)) {
      connection.report(limits);
    } else if (state == State.UP) {
      onForeign(limits.unasked());
    }
  }

  private void onRules(FlowMonitor change) {
    if (state == State.UP && change.isByOthers()) {
      events.rulesChanged(connection, decoder.arrivedAtNanos());
    }
  }

  private void onPortStatus(OFPortStatus status) {
    PortDescription change =
        status.getReason() == OFPortReason.DELETE
            ? ports.remove(status.getDesc())
            : ports.update(name, status.getDesc());
    if (change == null || state != State.UP) {
      return;
    }
    ports.requireFewChanges(change.port, decoder.arrivedAtNanos());
    events.port(connection, change, decoder.arrivedAtNanos());
  }

  private void send(Object message) {
    context.writeAndFlush(message, context.voidPromise());
  }

  private void close(String why) {
    if (state == State.CLOSED) {
      return;
    }
    State before = state;
    state = State.CLOSED;
    handshake.end();
    echoes.close();
    mastership.close();
    if (before.compareTo(State.PORTS) >= 0) {
      settings.closings.ofSwitch(name, why);
      settings.datapaths.release(connection);
    } else {
      settings.closings.ofOther(name, context.channel().remoteAddress(), why);
    }
    pipeline.close("connection lost (" + why + ")");
    if (before == State.UP) {
      events.down(connection, System.nanoTime());
    } else if (before.compareTo(State.ROLE) >= 0) {
      events.barred(connection, false, System.nanoTime());
    }
    context.close();
  }
}
