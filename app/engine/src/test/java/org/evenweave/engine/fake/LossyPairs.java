package org.evenweave.engine.fake;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Fabric;

/** Follows packets through a fake network along every next hop that their hash may choose. */
final class LossyPairs {
  private final Fabric fabric;
  private final Map<String, FakeSwitch> switches;
  private final Set<Integer> cutLinks;
  private final Set<Integer> silentLinks;

  /** Where the packets that are followed come from. */
  private int source;

  LossyPairs(
      Fabric fabric,
      Map<String, FakeSwitch> switches,
      Set<Integer> cutLinks,
      Set<Integer> silentLinks) {
    this.fabric = fabric;
    this.switches = switches;
    this.cutLinks = cutLinks;
    this.silentLinks = silentLinks;
  }

  /** As {@code source>prefix}. */
  Set<String> find() {
    Set<String> found = new TreeSet<>();
    boolean bySource = switches.values().stream().anyMatch(FakeSwitch::hasPairs);
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Boolean[] loses = new Boolean[fabric.switchCount()];
      for (int i = 0; i < fabric.subnetCount(); i++) {
        if (bySource) {
          Arrays.fill(loses, null);
        }
        source = anyHost(i);
        int s = fabric.subnetSwitch(i);
        if (loses(s, subnet, loses, new HashSet<>())) {
          found.add(fabric.switchId(s) + ">" + fabric.subnetPrefix(subnet));
        }
      }
    }
    return found;
  }

  private boolean loses(int s, int subnet, Boolean[] known, Set<Integer> onPath) {
    if (s == fabric.subnetSwitch(subnet)) {
      return switches.get(fabric.switchId(s)).lookup(source, anyHost(subnet)) == null;
    }
    if (!onPath.add(s)) {
      throw new AssertionError(
          "loop towards " + fabric.subnetPrefix(subnet) + " at " + fabric.switchId(s));
    }
    if (known[s] == null) {
      known[s] = anyPathLoses(s, subnet, known, onPath);
    }
    onPath.remove(s);
    return known[s];
  }

  private boolean anyPathLoses(int s, int subnet, Boolean[] known, Set<Integer> onPath) {
    FakeSwitch here = switches.get(fabric.switchId(s));
    FlowRule rule = here.lookup(source, anyHost(subnet));
    if (rule == null || rule.action() == FlowRule.Action.TO_CONTROLLER) {
      return true;
    }
    boolean anyLive = false;
    boolean anyDead = false;
    boolean loses = false;
    for (int port : here.outPorts(rule)) {
      int arc = arcAt(s, port);
      if (arc < 0 || cutLinks.contains(arc >> 1)) {
        anyDead = true;
      } else if (silentLinks.contains(arc >> 1)) {
        anyLive = true;
        loses = true;
      } else {
        anyLive = true;
        loses |= loses(fabric.to(arc), subnet, known, onPath);
      }
    }
    boolean skipsDead = rule.action() == FlowRule.Action.ROUTE_TO_GROUP && anyLive;
    return loses || (anyDead && !skipsDead);
  }

  private int anyHost(int subnet) {
    return fabric.subnetPrefix(subnet).address() + 2;
  }

  private int arcAt(int s, int port) {
    for (int i = 0; i < fabric.outDegree(s); i++) {
      if (fabric.port(fabric.outArc(s, i)) == port) {
        return fabric.outArc(s, i);
      }
    }
    return -1;
  }
}
