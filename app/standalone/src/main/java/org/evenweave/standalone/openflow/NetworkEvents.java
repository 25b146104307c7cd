package org.evenweave.standalone.openflow;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.engine.discovery.LinkDiscovery;
import org.evenweave.engine.links.LinkProbeFrame;
import org.evenweave.engine.packets.PacketQueue;
import org.evenweave.engine.packets.PortLog;
import org.evenweave.engine.port.FlowRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the reports of all switches' channels on one thread: topology events first, then packets
 * and removals, which wait in separate bounded queues and are dropped when these are full.
 */
final class NetworkEvents implements SwitchEvents {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkEvents.class);

  private final Consumer<Runnable> inOrder;
  private final Map<String, SwitchConnection> connections;
  private final KnownTopology known;
  private final LinkDiscovery discovery;
  private final MasterLookup masters;
  private final PacketQueue probes;
  private final PacketQueue packets;
  private final PacketQueue reports;
  private final PortLog log = new PortLog(LOG, System::nanoTime);

  /**
   * @param inOrder runs a task on the thread that owns the topology
   * @param connections by switch; changed here only
   * @param probes runs what came with probes of links on that thread, after other events
   * @param queues makes queues like that
   */
  NetworkEvents(
      Consumer<Runnable> inOrder,
      Map<String, SwitchConnection> connections,
      KnownTopology known,
      LinkDiscovery discovery,
      MasterLookup masters,
      PacketQueue probes,
      Supplier<PacketQueue> queues) {
    this.inOrder = inOrder;
    this.connections = connections;
    this.known = known;
    this.discovery = discovery;
    this.masters = masters;
    this.probes = probes;
    this.packets = queues.get();
    this.reports = queues.get();
  }

  private boolean isCurrent(SwitchConnection connection) {
    return connections.get(connection.switchId()) == connection;
  }

  @Override
  public void up(SwitchConnection connection, List<PortDescription> ports, long atNanos) {
    inOrder.accept(
        () -> {
          String id = connection.switchId();
          SwitchConnection older = connections.put(id, connection);
          if (older != null) {
            LOG.warn("{} replaces {}, the same datapath", connection, older);
            older.close();
            discovery.switchDown(id);
            known.switchDown(id, atNanos);
          }
          known.switchUp(id, atNanos);
          ports.forEach(port -> portChanged(id, port, atNanos));
          known.portsComplete(id, atNanos);
        });
  }

  @Override
  public void port(SwitchConnection connection, PortDescription port, long atNanos) {
    inOrder.accept(
        () -> {
          if (isCurrent(connection)) {
            portChanged(connection.switchId(), port, atNanos);
          }
        });
  }

  @Override
  public void packetIn(SwitchConnection connection, int inPort, byte[] frame, long atNanos) {
    boolean isProbe = LinkProbeFrame.isLldp(frame);
    boolean added =
        connection.admits(isProbe, inPort, frame, atNanos)
            && (isProbe
                ? probes.add(frame.length, () -> probe(connection, inPort, frame, atNanos))
                : packets.add(frame.length, () -> packet(connection, inPort, frame, atNanos)));
    if (!added) {
      String id = connection.switchId();
      log.warn(id, inPort, "a packet to the controller is dropped: too many");
      known.packetsDropped(id, inPort, 1);
    }
  }

  private void probe(SwitchConnection connection, int inPort, byte[] frame, long atNanos) {
    String id = connection.switchId();
    if (isCurrent(connection) && !discovery.received(id, inPort, frame, atNanos)) {
      known.packetIn(id, inPort, frame, atNanos);
    }
  }

  private void packet(SwitchConnection connection, int inPort, byte[] frame, long atNanos) {
    if (isCurrent(connection)) {
      known.packetIn(connection.switchId(), inPort, frame, atNanos);
    }
  }

  @Override
  public void ruleRemoved(SwitchConnection connection, FlowRule rule, long atNanos) {
    // When too many wait, the audit that the first of them starts finds the others.
    reports.add(
        0,
        () -> {
          if (isCurrent(connection)) {
            known.ruleRemoved(connection.switchId(), rule, atNanos);
          }
        });
  }

  @Override
  public void rulesChanged(SwitchConnection connection, long atNanos) {
    // When too many wait, the reading that the first of them starts comes after all of them.
    reports.add(
        0,
        () -> {
          if (isCurrent(connection)) {
            known.rulesChanged(connection.switchId(), atNanos);
          }
        });
  }

  @Override
  public void barred(SwitchConnection connection, boolean barred, long atNanos) {
    inOrder.accept(
        () -> {
          known.switchBarred(connection.switchId(), barred, atNanos);
          if (barred) {
            masters.start(connection);
          }
        });
  }

  @Override
  public void duplicate(SwitchConnection used, SwitchConnection refused, long atNanos) {
    inOrder.accept(
        () ->
            known.duplicateSwitch(
                used.switchId(),
                String.valueOf(used.address()),
                String.valueOf(refused.address()),
                atNanos));
  }

  @Override
  public void down(SwitchConnection connection, long atNanos) {
    inOrder.accept(
        () -> {
          String id = connection.switchId();
          if (connections.remove(id, connection)) {
            discovery.switchDown(id);
            known.switchDown(id, atNanos);
          }
        });
  }

  private void portChanged(String id, PortDescription port, long atNanos) {
    if (!port.up) {
      discovery.portDown(id, port.port);
    }
    known.portSettings(id, port.port, port.settings, port.withheld, atNanos);
    known.portChanged(id, port.port, port.up, port.speedBps, atNanos);
    if (port.up) {
      discovery.portUp(id, port.port);
    }
  }
}
