package org.evenweave.app.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ONOSLLDP;
import org.onlab.util.KryoNamespace;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports which of ONOS's probes of links arrive to the instance where the engine runs: ONOS's link
 * service says which links there are, but not when a probe passed one last. Every instance has one,
 * for the switches that it is master of.
 *
 * <p>A port costs a message a second at most, whatever arrives there. Who sent a probe is not
 * checked: ONOS does that, and a report says nothing of a link that ONOS does not have.
 */
public final class ProbeRelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeRelay.class);
  private static final Serializer SERIALIZER =
      Serializer.using(
          KryoNamespace.newBuilder().register(ArrayList.class).build("evenweave-link-probe"));

  /** ONOS probes a port every 3 s, by two frames. */
  static final long PAUSE_NANOS = 1_000_000_000L;

  private final PacketService packets;
  private final LeaderReports<List<String>> reports;
  private final LongSupplier clockNanos;

  /** By port where probes arrive, when the last one was reported. */
  private final Map<ConnectPoint, Long> reportedNanos = new ConcurrentHashMap<>();

  private final PacketProcessor processor = this::process;

  /**
   * @param leader the instance where the engine runs; null if there is none
   * @param toEngine takes on that instance the port that a probe left by, and the one it came to
   * @param executor to call it on
   * @param clockNanos the clock of {@link System#nanoTime}
   */
  public ProbeRelay(
      PacketService packets,
      ClusterCommunicationService cluster,
      Supplier<NodeId> leader,
      BiConsumer<ConnectPoint, ConnectPoint> toEngine,
      Executor executor,
      LongSupplier clockNanos) {
    this.packets = packets;
    this.clockNanos = clockNanos;
    reports =
        new LeaderReports<>(
            "evenweave-link-probe",
            SERIALIZER,
            cluster,
            leader,
            ends ->
                toEngine.accept(
                    ConnectPoint.deviceConnectPoint(ends.get(0)),
                    ConnectPoint.deviceConnectPoint(ends.get(1))),
            executor);
    packets.addProcessor(processor, PacketProcessor.director(0));
  }

  @Override
  public void close() {
    packets.removeProcessor(processor);
    reports.close();
  }

  private void process(PacketContext context) {
    InboundPacket packet = context.inPacket();
    Ethernet parsed = packet.parsed();
    if (parsed == null || !reports.areWanted()) {
      return;
    }
    short type = parsed.getEtherType();
    if (type == Ethernet.TYPE_LLDP || type == Ethernet.TYPE_BSN) {
      sender(parsed).ifPresent(from -> report(from, packet.receivedFrom()));
    }
  }

  /** The port that a frame left by; empty if it is no probe of ONOS's. */
  private static Optional<ConnectPoint> sender(Ethernet frame) {
    try {
      return Optional.ofNullable(ONOSLLDP.parseONOSLLDP(frame))
          .map(
              probe ->
                  new ConnectPoint(
                      DeviceId.deviceId(probe.getDeviceString()),
                      PortNumber.portNumber(probe.getPort())));
    } catch (RuntimeException e) {
      // ONOS's parser takes for granted that all parts are there.
      LOG.debug("not a probe of ONOS's: {}", e.toString());
      return Optional.empty();
    }
  }

  private void report(ConnectPoint from, ConnectPoint at) {
    long nowNanos = clockNanos.getAsLong();
    Long before = reportedNanos.get(at);
    if (before != null && nowNanos - before < PAUSE_NANOS) {
      return;
    }
    reportedNanos.put(at, nowNanos);
    List<String> ends = new ArrayList<>();
    ends.add(name(from));
    ends.add(name(at));
    reports.send(ends);
  }

  private static String name(ConnectPoint point) {
    return point.deviceId() + "/" + point.port();
  }
}
