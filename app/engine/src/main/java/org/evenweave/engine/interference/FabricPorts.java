package org.evenweave.engine.interference;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.nib.UnexpectedLink;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The peer of each switch port: another switch's port, hosts, or none. The ports of a switch are
 * looked up on request, because only a few switches of a large fabric are requested.
 */
public final class FabricPorts {
  private final Fabric fabric;
  private final Function<String, Collection<Integer>> edgePorts;
  private final BitSet withHosts = new BitSet();

  /** By switch id, the ports of links that nobody has configured, and their peers. */
  private final Map<String, Map<Integer, SwitchPort>> unexpected = new HashMap<>();

  private final Map<String, Ports> known = new HashMap<>();

  private FabricPorts(Fabric fabric, Function<String, Collection<Integer>> edgePorts) {
    this.fabric = fabric;
    this.edgePorts = edgePorts;
  }

  /** The ports of one switch. */
  private static final class Ports {
    final Set<Integer> all = new TreeSet<>();
    final Map<Integer, SwitchPort> peers = new HashMap<>();
    final Set<Integer> dead = new HashSet<>();
  }

  /**
   * The ports of a network.
   *
   * @param edgePorts the ports of a switch that are up and in no link; asked as long as these are
   */
  public static FabricPorts of(Snapshot now, Function<String, Collection<Integer>> edgePorts) {
    FabricPorts ports = new FabricPorts(now.physical(), edgePorts);
    for (UnexpectedLink link : now.unexpectedLinks()) {
      ports.connect(link.a(), link.b());
      ports.connect(link.b(), link.a());
    }
    for (int subnet = 0; subnet < ports.fabric.subnetCount(); subnet++) {
      ports.withHosts.set(ports.fabric.subnetSwitch(subnet));
    }
    return ports;
  }

  private void connect(SwitchPort from, SwitchPort to) {
    unexpected.computeIfAbsent(from.switchId(), id -> new TreeMap<>()).put(from.number(), to);
  }

  private Ports of(String switchId) {
    return known.computeIfAbsent(switchId, this::lookUp);
  }

  private Ports lookUp(String switchId) {
    Ports ports = new Ports();
    int s = fabric.indexOf(switchId);
    if (s >= 0) {
      for (int link : fabric.linksAt(s)) {
        for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
          if (fabric.from(arc) == s) {
            add(arc, ports);
          }
        }
      }
      ports.all.addAll(edgePorts.apply(switchId));
    }
    unexpected
        .getOrDefault(switchId, Map.of())
        .forEach(
            (port, peer) -> {
              ports.all.add(port);
              ports.dead.remove(port);
              ports.peers.put(port, peer);
            });
    return ports;
  }

  private void add(int arc, Ports ports) {
    int port = fabric.port(arc);
    ports.all.add(port);
    if (fabric.isUp(arc >> 1)) {
      ports.peers.put(port, fabric.end(arc ^ 1));
    } else {
      ports.dead.add(port);
    }
  }

  /** The port at the other end of a link that is up; null if there is none. */
  SwitchPort peer(SwitchPort port) {
    return of(port.switchId()).peers.get(port.number());
  }

  /** Whether the port is the end of a link that is down. */
  boolean isDead(SwitchPort port) {
    return of(port.switchId()).dead.contains(port.number());
  }

  /** All ports of a switch that are known. */
  Set<Integer> ports(String switchId) {
    return Collections.unmodifiableSet(of(switchId).all);
  }

  /** Whether hosts are expected at the edge ports of a switch. */
  boolean hasHosts(String switchId) {
    int s = fabric.indexOf(switchId);
    return s >= 0 && withHosts.get(s);
  }
}
