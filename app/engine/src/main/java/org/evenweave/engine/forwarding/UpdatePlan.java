package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * The changes that lead from the tables installed to the tables desired, in rounds. All switches
 * carry out a round side by side; the next begins when every switch has confirmed.
 *
 * <p><b>Order.</b> Towards each destination, a switch changes only after all switches nearer to it
 * on the <em>new</em> routes have changed: round r holds what is r hops away. New groups come
 * before, in round 0, where nothing uses them yet; what nothing uses any more is deleted last.
 * Rules to a prefix that has left the fabric go in round 0, since their packets have nowhere to go.
 *
 * <p><b>Why no packet loops or is lost on the way.</b> Look at one destination between any two
 * changes. The switches that have changed are closed under new next hops: whatever such a switch
 * forwards stays on the new routes, which lead strictly nearer, and arrives. A switch that has not
 * changed uses its old rule. The old rules among themselves do not loop, so a packet either arrives
 * over old rules or meets a changed switch, and arrives from there. Hence if the old state lost no
 * packet, no intermediate state does; if a failure made it lose some, each change only mends.
 *
 * <p>Destinations that share a group change together where {@link GroupChange} shows that they may;
 * otherwise they share nothing that changes, and need no order among each other.
 *
 * <p>Nothing here asks where the old rules come from, only that they do not loop, which every step
 * preserves. So a plan may also begin where another ended early, or where a switch refused some of
 * a round's operations and carried out the others: towards every destination it then has its old
 * next hops, its new ones, or some of either ({@link GroupChange}).
 *
 * <p>The number of rounds is at most the diameter of the fabric plus three.
 */
final class UpdatePlan {
  private final List<Map<String, List<SwitchOperation>>> rounds = new ArrayList<>();
  private final Map<String, List<SwitchOperation>> unusedFlows = new TreeMap<>();
  private final Map<String, List<SwitchOperation>> unusedGroups = new TreeMap<>();
  private int groupChanges;
  private int flowChanges;

  /** Plans the change from {@code installed} to {@code desired}. */
  static UpdatePlan between(Map<String, SwitchTables> installed, DesiredState desired) {
    UpdatePlan plan = new UpdatePlan();
    Fabric fabric = desired.routing().snapshot().fabric();
    Map<Ipv4Prefix, DestinationRoutes> routesOfPrefix = new HashMap<>();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      if (desired.routing().snapshot().forwards(fabric.subnetSwitch(i))) {
        routesOfPrefix.put(fabric.subnetPrefix(i), desired.routing().to(fabric.subnetSwitch(i)));
      }
    }
    desired
        .tables()
        .forEach(
            (switchId, after) -> {
              SwitchTables before = installed.getOrDefault(switchId, SwitchTables.EMPTY);
              if (before != after) {
                plan.addSwitch(fabric.indexOf(switchId), switchId, before, after, routesOfPrefix);
              }
            });
    plan.rounds.add(plan.unusedFlows);
    plan.rounds.add(plan.unusedGroups);
    plan.rounds.removeIf(Map::isEmpty);
    return plan;
  }

  /** Plans changes that need no order between switches. */
  static UpdatePlan inOneRound(
      Map<String, SwitchTables> installed, Map<String, SwitchTables> desired) {
    UpdatePlan plan = new UpdatePlan();
    desired.forEach(
        (switchId, after) -> {
          SwitchTables before = installed.getOrDefault(switchId, SwitchTables.EMPTY);
          if (before != after) {
            plan.addSwitch(-1, switchId, before, after, Map.of());
          }
        });
    plan.rounds.add(plan.unusedFlows);
    plan.rounds.add(plan.unusedGroups);
    plan.rounds.removeIf(Map::isEmpty);
    return plan;
  }

  private void addSwitch(
      int s,
      String switchId,
      SwitchTables before,
      SwitchTables after,
      Map<Ipv4Prefix, DestinationRoutes> routesOfPrefix) {
    Map<Integer, IntSummaryStatistics> distancesOf = new HashMap<>();
    after
        .flows()
        .forEach(
            (key, rule) -> {
              int round = roundOf(rule, s, routesOfPrefix);
              if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
                distancesOf
                    .computeIfAbsent(rule.groupId(), id -> new IntSummaryStatistics())
                    .accept(round);
              }
              if (!rule.equals(before.flows().get(key))) {
                add(round, switchId, SwitchOperation.putFlow(rule));
                flowChanges++;
              }
            });
    after
        .groups()
        .forEach(
            (id, group) -> {
              SelectGroup old = before.groups().get(id);
              if (old == null) {
                addFirst(0, switchId, SwitchOperation.addGroup(group));
                groupChanges++;
              } else if (!old.equals(group)) {
                IntSummaryStatistics distances = distancesOf.get(id);
                int round =
                    GroupChange.round(
                        old, group.memberPorts(), distances.getMin(), distances.getMax());
                addFirst(round, switchId, SwitchOperation.modifyGroup(group));
                groupChanges++;
              }
            });
    before
        .flows()
        .forEach(
            (key, rule) -> {
              if (!after.flows().containsKey(key)) {
                SwitchOperation delete = SwitchOperation.deleteFlow(rule);
                if (leadsNowhere(rule, routesOfPrefix)) {
                  add(0, switchId, delete);
                } else {
                  addTo(unusedFlows, switchId, delete);
                }
                flowChanges++;
              }
            });
    before
        .groups()
        .forEach(
            (id, group) -> {
              if (!after.groups().containsKey(id)) {
                addTo(unusedGroups, switchId, SwitchOperation.deleteGroup(group));
                groupChanges++;
              }
            });
  }

  /** Whether the rule routes to a prefix that is not in the fabric any more. */
  private static boolean leadsNowhere(
      FlowRule rule, Map<Ipv4Prefix, DestinationRoutes> routesOfPrefix) {
    return (rule.action() == FlowRule.Action.ROUTE_TO_GROUP
            || rule.action() == FlowRule.Action.ROUTE_TO_PORT)
        && !routesOfPrefix.containsKey(rule.prefix());
  }

  /** A rule that routes belongs to the round of its distance; every other rule to the first. */
  private static int roundOf(
      FlowRule rule, int s, Map<Ipv4Prefix, DestinationRoutes> routesOfPrefix) {
    DestinationRoutes routes = rule.prefix() == null ? null : routesOfPrefix.get(rule.prefix());
    return routes == null ? 0 : routes.hops(s);
  }

  private List<SwitchOperation> operations(int round, String switchId) {
    while (rounds.size() <= round) {
      rounds.add(new TreeMap<>());
    }
    return rounds.get(round).computeIfAbsent(switchId, id -> new ArrayList<>());
  }

  private void add(int round, String switchId, SwitchOperation operation) {
    operations(round, switchId).add(operation);
  }

  private static void addTo(
      Map<String, List<SwitchOperation>> round, String switchId, SwitchOperation operation) {
    round.computeIfAbsent(switchId, id -> new ArrayList<>()).add(operation);
  }

  /** A group goes before the rules that use it. */
  private void addFirst(int round, String switchId, SwitchOperation operation) {
    operations(round, switchId).add(0, operation);
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** For each round, the operations by switch id. */
  List<Map<String, List<SwitchOperation>>> rounds() {
    return Collections.unmodifiableList(rounds);
  }

  int roundCount() {
    return rounds.size();
  }

  /** The operations of a round, by switch id. */
  Map<String, List<SwitchOperation>> round(int r) {
    return rounds.get(r);
  }

  /** Groups added, changed or deleted. */
  int groupChanges() {
    return groupChanges;
  }

  /** Rules put or deleted. */
  int flowChanges() {
    return flowChanges;
  }
}
