package org.evenweave.engine.shares;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The shares of the traffic to a prefix that switches send to their next hops, by the addresses
 * with which these answer traceroute. So a host that has traced a path knows its weight.
 */
public final class HopShares {
  private static final int MILLION = 1_000_000;

  private HopShares() {}

  /**
   * By prefix, as in 10.0.0.0/24, and IPv4 address, in millionths from 1: of the groups wanted, as
   * switches realise them. A next hop without rivals is left out. Nothing where traceroute is
   * switched off, and nothing of groups for packets from one source alone (strategy {@code pair}).
   */
  public static SortedMap<String, Map<Integer, Integer>> of(EngineView view) {
    SortedMap<String, Map<Integer, Integer>> shares = new TreeMap<>();
    if (!view.configuration().traceroute().enabled()) {
      return shares;
    }
    Fabric fabric = view.snapshot().physical();
    Map<SwitchPort, Integer> nextHops = nextHops(view.configuration(), fabric);
    Map<String, Map<Integer, Integer>> byDestination = new HashMap<>();
    for (GroupState group : view.groups()) {
      for (String destination : group.destinations()) {
        add(group, nextHops, byDestination.computeIfAbsent(destination, to -> new TreeMap<>()));
      }
    }
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Map<Integer, Integer> found = byDestination.get(fabric.switchId(fabric.subnetSwitch(subnet)));
      if (found != null) {
        shares.put(fabric.subnetPrefix(subnet).toString(), found);
      }
    }
    return shares;
  }

  private static void add(
      GroupState group, Map<SwitchPort, Integer> nextHops, Map<Integer, Integer> shares) {
    for (int i = 0; i < group.memberCount(); i++) {
      Integer address = nextHops.get(new SwitchPort(group.switchId(), group.port(i)));
      if (address != null) {
        shares.put(address, Math.max(1, (int) Math.round(group.realisedShare(i) * MILLION)));
      }
    }
  }

  /** By port, the address of the port at the other end of its link. */
  private static Map<SwitchPort, Integer> nextHops(EngineConfig config, Fabric fabric) {
    Map<SwitchPort, Integer> nextHops = new HashMap<>();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      SwitchPort there = fabric.end(arc ^ 1);
      OptionalInt address =
          config.traceroute().address(config.intended().indexOf(there.switchId()), there.number());
      if (address.isPresent()) {
        nextHops.put(fabric.end(arc), address.getAsInt());
      }
    }
    return nextHops;
  }
}
