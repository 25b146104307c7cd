package org.evenweave.standalone.openflow;

import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.packets.ExpiredPacket;
import org.evenweave.engine.packets.PortLimiter;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.openflow.OperationMessages;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** A switch that can be programmed. Thread-safe; nothing here blocks. */
final class SwitchConnection {
  /** What one PACKET_OUT holds beside its header, of 32 bytes in 1.5, and 16 bytes of action. */
  private static final int MAX_FRAME_BYTES = 0xffff - 48;

  private final long datapathId;
  private final String switchId;
  private final Channel channel;
  private final RequestPipeline pipeline;
  private final Executor callbacks;
  private final Dialect dialect;
  private final ForeignCounts foreign;
  private final EchoGuard echoes;
  private final X509Certificate certificate;
  private volatile boolean master;
  private volatile Runnable otherMasterGone = () -> {};
  private volatile SwitchTarget target = SwitchTarget.OVS_UNIT_BUCKETS;
  private volatile Limits limits = Limits.NONE;
  private final PortLimiter packets = PortLimiter.forHosts(System.nanoTime());
  private final PortLimiter expired = PortLimiter.forExpired(System.nanoTime());
  private final PortLimiter probes = PortLimiter.forProbes(System.nanoTime());

  /**
   * @param pipeline only used on the channel's event loop
   * @param callbacks runs what hangs on the futures
   * @param dialect the channel's
   * @param foreign the channel's
   * @param echoes only used on the channel's event loop
   */
  SwitchConnection(
      long datapathId,
      String switchId,
      Channel channel,
      RequestPipeline pipeline,
      Executor callbacks,
      Dialect dialect,
      ForeignCounts foreign,
      EchoGuard echoes) {
    this.datapathId = datapathId;
    this.foreign = foreign;
    this.echoes = echoes;
    this.switchId = switchId;
    this.channel = channel;
    this.pipeline = pipeline;
    this.callbacks = callbacks;
    this.dialect = dialect;
    certificate = SwitchTls.certificate(channel.pipeline());
  }

  long datapathId() {
    return datapathId;
  }

  /** Where the switch connects from. */
  SocketAddress address() {
    return channel.remoteAddress();
  }

  /** What the switch has shown; null without TLS. */
  X509Certificate certificate() {
    return certificate;
  }

  /** As in {@code 1.3}. */
  String version() {
    return dialect.isOpenFlow15() ? "1.5" : "1.3";
  }

  /**
   * @param gone runs on the channel's event loop when it is found that no other master lives
   */
  void onOtherMasterGone(Runnable gone) {
    otherMasterGone = gone;
  }

  /** It was found that the switch has no other master that lives. */
  void otherMasterIsGone() {
    try {
      channel.eventLoop().execute(otherMasterGone);
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
    }
  }

  /** Whether this controller is, or is not, the switch's master from now on. */
  void setMaster(boolean isMaster) {
    master = isMaster;
  }

  /** Whether this controller is the switch's master. */
  boolean isMaster() {
    return master;
  }

  /** How many messages of each kind came that are not handled. */
  Map<String, Long> foreignMessages() {
    return foreign.all();
  }

  /**
   * Asks the switch for an echo.
   *
   * @param answer told whether one came in time; on any thread
   */
  void askForEcho(long withinNanos, Consumer<Boolean> answer) {
    try {
      channel.eventLoop().execute(() -> echoes.ask(withinNanos, answer));
    } catch (RejectedExecutionException e) {
      answer.accept(false);
    }
  }

  String switchId() {
    return switchId;
  }

  /**
   * As {@link org.evenweave.engine.port.SouthboundPort#apply}; what depends on the future runs on
   * the channel's event loop, and must not block.
   */
  CompletableFuture<Void> apply(List<SwitchOperation> operations) {
    for (SwitchOperation operation : operations) {
      String problem = OperationCodec.problem(operation);
      if (problem != null) {
        return CompletableFuture.failedFuture(
            new SouthboundException(
                switchId, OperationMessages.name(operation) + " not sent: " + problem));
      }
    }
    return submit(ApplyRequest.of(switchId, operations));
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#readAll}. */
  CompletableFuture<SwitchReading> readAll() {
    return submit(new ReadRequest(switchId, callbacks));
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#removeForeign}. */
  CompletableFuture<Void> removeForeign(List<ForeignRule> rules) {
    return submit(ApplyRequest.deleting(switchId, callbacks, rules));
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#countRoutes}. */
  CompletableFuture<Collection<RuleCount>> countRoutes() {
    return submit(new CountRequest(switchId, callbacks));
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#countPorts}. */
  CompletableFuture<Map<Integer, PortCounters>> countPorts() {
    return submit(new PortCountRequest(switchId, callbacks));
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#seedsHash}. */
  boolean seedsHash() {
    return dialect.seedsHash();
  }

  /** What the switch says its hardware is; before the connection is up. */
  void describe(String hardware) {
    target = SwitchTarget.ofHardware(hardware);
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#target}. */
  SwitchTarget target() {
    return target;
  }

  /** What the switch says that its tables hold; after {@link #describe}. */
  void report(ReportedLimits reported) {
    limits = reported.in(limits, target != SwitchTarget.REPLICATED_ENTRIES);
  }

  /** As {@link org.evenweave.engine.port.SouthboundPort#limits}. */
  Limits limits() {
    return limits;
  }

  /**
   * Sends a frame; while the channel is congested it is dropped.
   *
   * @throws IllegalArgumentException if the frame is longer than a message
   */
  void sendPacket(int port, byte[] frame) {
    sendPackets(Map.of(port, frame), () -> {});
  }

  /**
   * Sends a frame out of each port; while the channel is congested some are dropped.
   *
   * @param sent called on the channel's event loop when the switch has confirmed by a barrier that
   *     it has sent all of them, and what arrived before that has been reported; never if one was
   *     dropped
   */
  void sendProbes(Map<Integer, byte[]> frameByPort, Runnable sent) {
    sendPackets(frameByPort, () -> pipeline.sendNow(new Barrier(sent)));
  }

  /** Runs {@code allWritten} on the channel's event loop if no frame was dropped. */
  private void sendPackets(Map<Integer, byte[]> frameByPort, Runnable allWritten) {
    for (byte[] frame : frameByPort.values()) {
      if (frame.length > MAX_FRAME_BYTES) {
        throw new IllegalArgumentException(
            "a frame of " + frame.length + " bytes; at most " + MAX_FRAME_BYTES + " can be sent");
      }
    }
    try {
      channel.eventLoop().execute(() -> writePackets(frameByPort, allWritten));
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it: the frames are lost, as on any link.
    }
  }

  /** Whether a packet that came from a port is within the limits. */
  boolean admits(boolean isProbe, int inPort, byte[] frame, long atNanos) {
    PortLimiter ofHosts = ExpiredPacket.isOne(frame) ? expired : packets;
    return (isProbe ? probes : ofHosts).admits(inPort, atNanos);
  }

  void close() {
    channel.close();
  }

  @Override
  public String toString() {
    return switchId + " at " + channel.remoteAddress();
  }

  private <T> CompletableFuture<T> submit(Request<T> request) {
    try {
      channel.eventLoop().execute(() -> pipeline.submit(request));
      return request.future();
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new SouthboundException(switchId, "closing down"));
    }
  }

  private void writePackets(Map<Integer, byte[]> frameByPort, Runnable allWritten) {
    int dropped = 0;
    for (Map.Entry<Integer, byte[]> entry : frameByPort.entrySet()) {
      if (channel.isWritable()) {
        channel.write(packetOut(entry.getKey(), entry.getValue()), channel.voidPromise());
      } else {
        dropped++;
      }
    }
    if (dropped == 0) {
      allWritten.run();
    }
    channel.flush();
  }

  private OFMessage packetOut(int port, byte[] frame) {
    return OpenFlow13.FACTORY
        .buildPacketOut()
        .setXid(pipeline.freeXid())
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.CONTROLLER)
        .setActions(List.of(OpenFlow13.FACTORY.actions().output(OFPort.of(port), 0)))
        .setData(frame)
        .build();
  }
}
