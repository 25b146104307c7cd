package org.evenweave.engine.interference;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.nib.UnexpectedLink;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/** The peer of each switch port: another switch's port, hosts, or none. Immutable. */
public final class FabricPorts {
  private final Map<SwitchPort, SwitchPort> peers = new HashMap<>();
  private final Set<SwitchPort> dead = new HashSet<>();
  private final Map<String, Set<Integer>> portsOf = new HashMap<>();
  private final Set<String> withHosts = new HashSet<>();

  private FabricPorts() {}

  /**
   * The ports of a network.
   *
   * @param edgePorts the ports of a switch that are up and in no link
   */
  public static FabricPorts of(Snapshot now, Function<String, Collection<Integer>> edgePorts) {
    FabricPorts ports = new FabricPorts();
    Fabric fabric = now.physical();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      SwitchPort end = fabric.end(arc);
      ports.add(end);
      if (fabric.isUp(arc >> 1)) {
        ports.peers.put(end, fabric.end(arc ^ 1));
      } else {
        ports.dead.add(end);
      }
    }
    for (UnexpectedLink link : now.unexpectedLinks()) {
      ports.connect(link.a(), link.b());
      ports.connect(link.b(), link.a());
    }
    for (int s = 0; s < fabric.switchCount(); s++) {
      String id = fabric.switchId(s);
      edgePorts.apply(id).forEach(port -> ports.add(new SwitchPort(id, port)));
    }
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      ports.withHosts.add(fabric.switchId(fabric.subnetSwitch(subnet)));
    }
    return ports;
  }

  private void connect(SwitchPort from, SwitchPort to) {
    add(from);
    dead.remove(from);
    peers.put(from, to);
  }

  private void add(SwitchPort port) {
    portsOf.computeIfAbsent(port.switchId(), id -> new TreeSet<>()).add(port.number());
  }

  /** The port at the other end of a link that is up; null if there is none. */
  SwitchPort peer(SwitchPort port) {
    return peers.get(port);
  }

  /** Whether the port is the end of a link that is down. */
  boolean isDead(SwitchPort port) {
    return dead.contains(port);
  }

  /** All ports of a switch that are known. */
  Set<Integer> ports(String switchId) {
    return portsOf.getOrDefault(switchId, Set.of());
  }

  /** Whether hosts are expected at the edge ports of a switch. */
  boolean hasHosts(String switchId) {
    return withHosts.contains(switchId);
  }
}
