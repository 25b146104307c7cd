package org.evenweave.app.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.evenweave.engine.links.LinkProbeFrame;
import org.evenweave.engine.packets.ExpiredPacket;
import org.evenweave.engine.packets.PortLimiter;
import org.evenweave.engine.packets.PortLog;
import org.onlab.packet.Ethernet;
import org.onlab.util.KryoNamespace;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards packet-ins to the instance where the engine runs: a switch sends them to its master,
 * which may be another. Every instance has one. It rate-limits each port and switch before it sends
 * a message to the cluster, and tells the engine how many packets it dropped by that.
 *
 * <p>Requests LLDP from the switches, as ONOS's own link discovery does: both are one rule, which
 * stays while either is active. The engine's links depend on it.
 */
public final class PacketRelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PacketRelay.class);
  private static final TrafficSelector LLDP =
      DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_LLDP).build();
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder()
              .register(ArrayList.class, HashMap.class, byte[].class)
              .build("evenweave-packet-in"));

  private final PacketService packets;
  private final ApplicationId application;
  private final LeaderReports<List<Object>> reports;
  private final LeaderReports<Map<String, Long>> droppedReports;
  private final LongSupplier clockNanos;
  private final PortLog log;
  private final Map<DeviceId, PortLimiter> limiters = new ConcurrentHashMap<>();

  /** For packets whose TTL is used up, which leave the hosts' other packets their share. */
  private final Map<DeviceId, PortLimiter> expiredLimiters = new ConcurrentHashMap<>();

  private final Map<DeviceId, PortLimiter> probeLimiters = new ConcurrentHashMap<>();

  /** Packets by ingress port that were dropped, and not reported to the engine yet. */
  private final Map<String, Long> dropped = new ConcurrentHashMap<>();

  private final PacketProcessor processor = this::process;

  /**
   * @param application requests packets
   * @param leader the instance where the engine runs; null if there is none
   * @param toEngine takes packets on that instance: the ingress port, and the frame
   * @param droppedToEngine takes on that instance how many packets of an ingress port were dropped
   * @param executor to call both on
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  public PacketRelay(
      PacketService packets,
      ApplicationId application,
      ClusterCommunicationService cluster,
      Supplier<NodeId> leader,
      BiConsumer<ConnectPoint, byte[]> toEngine,
      BiConsumer<ConnectPoint, Long> droppedToEngine,
      Executor executor,
      LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
    this.log = new PortLog(LOG, clockNanos);
    this.packets = packets;
    this.application = application;
    reports =
        new LeaderReports<>(
            "evenweave-packet-in",
            SERIALIZER,
            cluster,
            leader,
            message ->
                toEngine.accept(
                    ConnectPoint.deviceConnectPoint((String) message.get(0)),
                    (byte[]) message.get(1)),
            executor);
    droppedReports =
        new LeaderReports<>(
            "evenweave-packets-dropped",
            SERIALIZER,
            cluster,
            leader,
            counts ->
                counts.forEach(
                    (from, count) ->
                        droppedToEngine.accept(ConnectPoint.deviceConnectPoint(from), count)),
            executor);
    packets.addProcessor(processor, PacketProcessor.director(0));
    packets.requestPackets(LLDP, PacketPriority.CONTROL, application);
  }

  @Override
  public void close() {
    packets.cancelPackets(LLDP, PacketPriority.CONTROL, application);
    packets.removeProcessor(processor);
    reports.close();
    droppedReports.close();
  }

  private void process(PacketContext context) {
    InboundPacket packet = context.inPacket();
    byte[] frame = new byte[packet.unparsed().remaining()];
    packet.unparsed().duplicate().get(frame);
    ConnectPoint from = packet.receivedFrom();
    if (!reports.areWanted() || !admits(from, packet.parsed(), frame)) {
      return;
    }
    List<Object> message = new ArrayList<>();
    message.add(name(from));
    message.add(frame);
    reports.send(message);
  }

  /**
   * @param parsed null if ONOS could not
   */
  private static boolean isOfHost(Ethernet parsed) {
    short type = parsed == null ? 0 : parsed.getEtherType();
    return type == Ethernet.TYPE_ARP || type == Ethernet.TYPE_RARP || type == Ethernet.TYPE_IPV4;
  }

  /** Tells the engine what was dropped here since the last time. To be called regularly. */
  public void reportDropped() {
    Map<String, Long> counts = new HashMap<>();
    if (droppedReports.areWanted()) {
      dropped.keySet().forEach(from -> counts.put(from, dropped.remove(from)));
    }
    if (!counts.isEmpty()) {
      droppedReports
          .send(counts)
          .exceptionally(
              error -> {
                counts.forEach((from, count) -> dropped.merge(from, count, Long::sum));
                return null;
              });
    }
  }

  private static String name(ConnectPoint point) {
    return point.deviceId() + "/" + point.port();
  }

  /** Whether a packet is one for the engine, and within the limits of its kind. */
  private boolean admits(ConnectPoint from, Ethernet parsed, byte[] frame) {
    long nowNanos = clockNanos.getAsLong();
    PortLimiter limiter;
    if (LinkProbeFrame.mayBeOne(frame)) {
      limiter =
          probeLimiters.computeIfAbsent(from.deviceId(), any -> PortLimiter.forProbes(nowNanos));
    } else if (ExpiredPacket.isOne(frame)) {
      limiter =
          expiredLimiters.computeIfAbsent(from.deviceId(), any -> PortLimiter.forExpired(nowNanos));
    } else if (isOfHost(parsed)) {
      limiter = limiters.computeIfAbsent(from.deviceId(), any -> PortLimiter.forHosts(nowNanos));
    } else {
      return false;
    }
    int port = (int) from.port().toLong();
    boolean admitted = limiter.admits(port, nowNanos);
    if (!admitted) {
      dropped.merge(name(from), 1L, Long::sum);
      log.warn(from.deviceId().toString(), port, "a packet to the controller is dropped: too many");
    }
    return admitted;
  }
}
