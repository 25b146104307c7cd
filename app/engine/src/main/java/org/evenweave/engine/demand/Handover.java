package org.evenweave.engine.demand;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * A part of what a switch forwards to a prefix that passes through a neighbour with other hosts:
 * the neighbour's rule counts it too, and it is not the demand of the hosts there.
 */
final class Handover {
  final Ipv4Prefix prefix;

  /** Passes it on. */
  final String neighbour;

  /** Of the switch's traffic to the prefix, from 0 to 1. */
  final double share;

  private Handover(Ipv4Prefix prefix, String neighbour, double share) {
    this.prefix = prefix;
    this.neighbour = neighbour;
    this.share = share;
  }

  /**
   * All of one switch, by the weights of its groups; none where its neighbours with hosts pass
   * nothing on for it.
   *
   * @param owners the switch of each prefix
   * @param sources the same switches
   */
  static List<Handover> of(
      Fabric fabric,
      int s,
      SwitchTables tables,
      Map<Ipv4Prefix, String> owners,
      Set<String> sources) {
    Map<Integer, String> neighbourAt = new HashMap<>();
    for (int i = 0; i < fabric.outDegree(s); i++) {
      int arc = fabric.outArc(s, i);
      String neighbour = fabric.switchId(fabric.to(arc));
      if (sources.contains(neighbour)) {
        neighbourAt.put(fabric.port(arc), neighbour);
      }
    }
    List<Handover> handovers = new ArrayList<>();
    if (!neighbourAt.isEmpty()) {
      tables.forEachRoute(
          rule ->
              shares(tables, rule, neighbourAt)
                  .forEach(
                      (neighbour, share) -> {
                        if (!neighbour.equals(owners.get(rule.prefix()))) {
                          handovers.add(new Handover(rule.prefix(), neighbour, share));
                        }
                      }));
    }
    return handovers;
  }

  private static Map<String, Double> shares(
      SwitchTables tables, FlowRule rule, Map<Integer, String> neighbourAt) {
    Map<String, Double> shares = new HashMap<>();
    SelectGroup group =
        rule.action() == FlowRule.Action.ROUTE_TO_GROUP ? tables.group(rule.groupId()) : null;
    for (int port : tables.outPorts(rule)) {
      String neighbour = neighbourAt.get(port);
      if (neighbour != null) {
        double share = group == null ? 1 : (double) group.weightOf(port) / group.totalWeight();
        shares.merge(neighbour, share, Double::sum);
      }
    }
    return shares;
  }
}
