package org.evenweave.standalone.openflow;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.evenweave.engine.packets.KeyedLimit;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.ExpiredPacketReports;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFGroupDelete;
import org.projectfloodlight.openflow.protocol.OFGroupType;
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
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One switch's connection, from HELLO to its end.
 *
 * <pre>
 *   HELLO -&gt; FEATURES -&gt; PORTS -&gt; ROLE (query, then become master) -&gt; PROBES (standing rules) -&gt; UP
 * </pre>
 *
 * Each state waits for one message; others that may arrive early are ignored. The role is queried
 * first because a request to be master must carry a generation id no older than the last one the
 * switch has seen (OpenFlow 1.3.5, section 6.3.6), and only the switch knows that.
 */
final class SwitchHandler extends ChannelInboundHandlerAdapter {
  private enum State {
    HELLO,
    FEATURES,
    PORTS,
    ROLE_REQUESTED,
    ROLE_CLAIMED,
    PROBES,
    UP,
    CLOSED
  }

  /** Checks for echoes in each time-out. */
  private static final int ECHOES_PER_TIMEOUT = 2;

  private static final Logger LOG = LoggerFactory.getLogger(SwitchHandler.class);
  private static final OFFactory OF = OpenFlow13.FACTORY;

  private final MessageDecoder decoder;
  private final Dialect dialect;
  private final LongFunction<String> switchIdOf;
  private final Duration timeout;
  private final Executor callbacks;
  private final SwitchEvents events;
  private final PortTable ports = new PortTable();
  private final KeyedLimit<String> strayErrors = new KeyedLimit<>(1_000_000_000L, 1);

  private State state = State.HELLO;
  private ChannelHandlerContext context;
  private RequestPipeline pipeline;
  private SwitchConnection connection;
  private String name;
  private Future<?> timer;
  private int unansweredChecks;

  /** The latest echo request that came while the write buffer was full; others need no answer. */
  private OFEchoRequest owedEcho;

  /** The request for what the switch is; one that does not say is taken for Open vSwitch. */
  private long descriptionXid = -1;

  private long hashTrialXid;
  private long expiredPacketsXid = -1;

  /**
   * @param decoder the same channel's, for arrival times
   * @param dialect the same channel's; set to the negotiated version
   * @param switchIdOf the id of a switch by its datapath id
   * @param timeout how long the switch may take for the handshake, for an echo, for any request
   * @param callbacks runs what hangs on futures
   */
  SwitchHandler(
      MessageDecoder decoder,
      Dialect dialect,
      LongFunction<String> switchIdOf,
      Duration timeout,
      Executor callbacks,
      SwitchEvents events) {
    this.decoder = decoder;
    this.dialect = dialect;
    this.switchIdOf = switchIdOf;
    this.timeout = timeout;
    this.callbacks = callbacks;
    this.events = events;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    context = active;
    name = String.valueOf(active.channel().remoteAddress());
    pipeline = new RequestPipeline(active.channel(), timeout);
    U32 bitmap = U32.of(1L << OpenFlow13.WIRE_VERSION | 1L << OpenFlow15.WIRE_VERSION);
    send(
        OF.buildHello()
            .setXid(pipeline.freeXid())
            .setElements(
                List.of(OF.buildHelloElemVersionbitmap().setBitmaps(List.of(bitmap)).build()))
            .build());
    timer =
        active
            .executor()
            .schedule(
                () -> close("no handshake within " + timeout.toMillis() + " ms, at " + state),
                timeout.toNanos(),
                TimeUnit.NANOSECONDS);
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
      close("first message is " + ((OFMessage) message).getType() + ", not HELLO");
    } else if (message instanceof OFEchoRequest) {
      owedEcho = (OFEchoRequest) message;
      answerEcho();
    } else if (message instanceof OFPortStatus) {
      onPortStatus((OFPortStatus) message);
    } else if (state == State.UP) {
      onMessage((OFMessage) message);
    } else {
      onHandshake((OFMessage) message);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext active) {
    answerEcho();
    pipeline.pump();
  }

  /** Not while the write buffer is full, for a switch can send requests faster than it reads. */
  private void answerEcho() {
    if (owedEcho != null && context.channel().isWritable()) {
      OFEchoRequest request = owedEcho;
      owedEcho = null;
      send(OF.buildEchoReply().setXid(request.getXid()).setData(request.getData()).build());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext active) {
    close("it ended");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext active, Throwable cause) {
    if (cause instanceof MalformedMessageException) {
      close("not OpenFlow: " + cause.getMessage());
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
    } else if (state == State.ROLE_REQUESTED && message instanceof OFRoleReply) {
      U64 lastSeen = ((OFRoleReply) message).getGenerationId();
      state = State.ROLE_CLAIMED;
      requestRole(OFControllerRole.ROLE_MASTER, lastSeen.add(U64.of(1)));
    } else if (state == State.ROLE_CLAIMED && message instanceof OFRoleReply) {
      state = State.PROBES;
      if (dialect.isOpenFlow15()) {
        tryHashBasis();
      }
      expiredPacketsXid = pipeline.freeXid();
      send(ExpiredPacketReports.request(OF, expiredPacketsXid));
      for (FlowRule rule : OpenFlowNetwork.STANDING_RULES) {
        send(FlowMessages.add(rule, pipeline.freeXid()));
      }
      send(OF.buildBarrierRequest().setXid(pipeline.freeXid()).build());
    } else if (state == State.PROBES && message instanceof OFBarrierReply) {
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
            switchIdOf.apply(datapathId), context.channel(), pipeline, callbacks, dialect);
    name = connection.toString();
    if (dialect.isOpenFlow15()) {
      dialect.seedHash(datapathId);
    }
    state = State.PORTS;
    descriptionXid = pipeline.freeXid();
    send(OF.buildDescStatsRequest().setXid(descriptionXid).build());
    send(OF.buildPortDescStatsRequest().setXid(pipeline.freeXid()).build());
  }

  private void onPorts(OFPortDescStatsReply reply) {
    reply.getEntries().forEach(port -> ports.update(name, port));
    if (!reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
      state = State.ROLE_REQUESTED;
      requestRole(OFControllerRole.ROLE_NOCHANGE, U64.ZERO);
    }
  }

  private void requestRole(OFControllerRole role, U64 generation) {
    send(
        OF.buildRoleRequest()
            .setXid(pipeline.freeXid())
            .setRole(role)
            .setGenerationId(generation)
            .build());
  }

  private void onUp() {
    timer.cancel(false);
    state = State.UP;
    long periodNanos = timeout.toNanos() / ECHOES_PER_TIMEOUT;
    timer =
        context
            .executor()
            .scheduleWithFixedDelay(
                this::checkEcho, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    List<PortDescription> known = ports.all();
    LOG.info("{}: connected, {} ports", name, known.size());
    if (!dialect.seedsHash()) {
      LOG.warn(
          "{}: its groups hash as it likes; Open vSwitch then sends all UDP flows between two hosts"
              + " one way, as no UDP ports are hashed: allow OpenFlow 1.5, as in"
              + " protocols=OpenFlow13,OpenFlow15",
          name);
    }
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
    } else if (message instanceof OFEchoReply) {
      unansweredChecks = 0;
    } else {
      pipeline.onReply(message, decoder.messageBytes());
    }
  }

  /**
   * Requests a hash basis in a group that no rule uses, and deletes the group. A switch that does
   * not know the property refuses the group, and gets none with it; see {@link #onError}.
   */
  private void tryHashBasis() {
    OFGroup trial = OFGroup.of(OpenFlow13.LAST_GROUP + 1);
    hashTrialXid = pipeline.freeXid();
    OFGroupDelete.Builder delete =
        OF.buildGroupDelete().setGroupType(OFGroupType.SELECT).setGroup(trial);
    send(delete.setXid(pipeline.freeXid()).build());
    send(
        OF.buildGroupAdd()
            .setXid(hashTrialXid)
            .setGroupType(OFGroupType.SELECT)
            .setGroup(trial)
            .build());
    send(delete.setXid(pipeline.freeXid()).build());
  }

  private void onError(SwitchError error) {
    if (state == State.PROBES && error.xid() == hashTrialXid) {
      LOG.info("{}: takes no hash basis: {}", name, error);
      dialect.leaveHash();
    } else if (error.xid() == expiredPacketsXid) {
      LOG.info("{}: reports no packets whose TTL is used up: {}", name, error);
    } else if (error.xid() == descriptionXid) {
      LOG.info("{}: does not say what it is: {}", name, error);
    } else if (state != State.UP) {
      close("handshake refused at " + state + ": " + error);
    } else if (!pipeline.onError(error) && strayErrors.pass(name, System.nanoTime()) >= 0) {
      LOG.warn("{}: {} for an unknown request {}", name, error, error.xid());
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

  /**
   * Counts checks, not time, so that a pause of this whole process is not taken for the switch's
   * silence. A silent switch is noticed within one and a half time-outs.
   */
  private void checkEcho() {
    if (unansweredChecks == ECHOES_PER_TIMEOUT) {
      close("no echo within " + timeout.toMillis() + " ms");
      return;
    }
    if (unansweredChecks == 0) {
      send(OF.buildEchoRequest().setXid(pipeline.freeXid()).build());
    }
    unansweredChecks++;
  }

  private void send(OFMessage message) {
    context.writeAndFlush(message, context.voidPromise());
  }

  private void close(String why) {
    if (state == State.CLOSED) {
      return;
    }
    boolean wasUp = state == State.UP;
    state = State.CLOSED;
    timer.cancel(false);
    LOG.warn("{}: connection closed: {}", name, why);
    pipeline.close("connection lost (" + why + ")");
    if (wasUp) {
      events.down(connection, System.nanoTime());
    }
    context.close();
  }
}
