package org.evenweave.standalone.openflow;

import java.util.Map;
import org.evenweave.engine.discovery.LinkDiscovery;
import org.evenweave.engine.packets.PacketQueue;
import org.evenweave.engine.port.TopologyListener;

/**
 * Link discovery with the switches that are connected: sends its probes, and asks for its counters.
 * All answers wait behind the probes that came before them.
 */
final class ProbeOutlet implements LinkDiscovery.Outlet {
  private final Map<String, SwitchConnection> connections;
  private final PacketQueue probes;
  private final LinkDiscovery discovery;

  /**
   * @param connections by switch; read only
   * @param probes what the topology thread does between other events
   * @param listener gets links only
   */
  ProbeOutlet(
      Map<String, SwitchConnection> connections, PacketQueue probes, TopologyListener listener) {
    this.connections = connections;
    this.probes = probes;
    discovery = new LinkDiscovery(this, listener);
  }

  LinkDiscovery discovery() {
    return discovery;
  }

  @Override
  public void send(String switchId, Map<Integer, byte[]> frameByPort) {
    SwitchConnection connection = connections.get(switchId);
    if (connection != null) {
      connection.sendProbes(
          frameByPort,
          () -> inOrder(connection, () -> discovery.probesSent(connection.switchId())));
    }
  }

  @Override
  public void count(String switchId) {
    SwitchConnection connection = connections.get(switchId);
    if (connection != null) {
      connection
          .countPorts()
          .thenAccept(counters -> inOrder(connection, () -> discovery.counted(switchId, counters)));
    }
  }

  private void inOrder(SwitchConnection connection, Runnable answer) {
    probes.add(
        0,
        () -> {
          if (connections.get(connection.switchId()) == connection) {
            answer.run();
          }
        });
  }
}
