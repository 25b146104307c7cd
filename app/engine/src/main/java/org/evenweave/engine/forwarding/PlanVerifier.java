package org.evenweave.engine.forwarding;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Checks a plan before it is carried out: not the proof in {@link UpdatePlan}, but the very rules.
 *
 * <p>While a round is under way, each of its switches may already have its new rules or still its
 * old ones, in any combination. A switch may also refuse some of its operations and carry out the
 * others; then an old rule meets a new group, or a new rule an old group. One state covers all of
 * these, since a round has at most one operation on each rule and each group: let every such switch
 * use the next hops of all four at once, and lose packets if any has none. If no packet can loop or
 * get lost there, none can in any combination. What a failure did before the plan began is no fault
 * of the plan, which may be what mends it.
 *
 * <p><b>Only what changes is looked at.</b> If the state before a round is safe towards a prefix,
 * then after it only a packet that takes a next hop which is new in that round can fare worse, or
 * one that meets a rule that goes away. So a search from the switches that get new next hops, along
 * old and new ones, suffices: if it meets neither a loop nor a switch without a rule, the round is
 * safe; it visits only what lies between these switches and the destination. A switch that merely
 * gives up next hops, as most do after a failure, is not even searched from. Only if such a search
 * meets something are all packets to the prefix followed, from all switches with hosts, and what is
 * found is compared with what was there before the plan.
 */
final class PlanVerifier {
  private final Map<String, SwitchTables> installed;
  private final DesiredState desired;
  private final Fabric fabric;
  private final Map<Ipv4Prefix, Integer> subnetOfPrefix = new HashMap<>();
  private final SwitchTables[] now;
  private final SwitchTables[] next;

  private PlanVerifier(Map<String, SwitchTables> installed, DesiredState desired) {
    this.installed = installed;
    this.desired = desired;
    fabric = desired.routing().snapshot().physical();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      subnetOfPrefix.put(fabric.subnetPrefix(i), i);
    }
    now = tablesInstalled();
    next = now.clone();
  }

  private SwitchTables[] tablesInstalled() {
    SwitchTables[] tables = new SwitchTables[fabric.switchCount()];
    for (int s = 0; s < tables.length; s++) {
      tables[s] = installed.getOrDefault(fabric.switchId(s), SwitchTables.EMPTY);
    }
    return tables;
  }

  /**
   * Returns if the plan is safe at every step.
   *
   * @param rounds for each round, the operations by switch id
   * @throws UnsafePlanException naming the first round that is not, and what could happen there
   */
  static void requireSafe(
      List<Map<String, List<SwitchOperation>>> rounds,
      Map<String, SwitchTables> installed,
      DesiredState desired) {
    PlanVerifier verifier = new PlanVerifier(installed, desired);
    for (int round = 0; round < rounds.size(); round++) {
      verifier.check(round, rounds.get(round));
    }
  }

  private void check(int round, Map<String, List<SwitchOperation>> operations) {
    Map<Integer, Set<Integer>> switchesOfSubnet = new TreeMap<>();
    operations.forEach(
        (switchId, list) -> {
          int s = fabric.indexOf(switchId);
          next[s] = now[s].after(list);
          for (int subnet : touchedBy(list, now[s], next[s])) {
            switchesOfSubnet.computeIfAbsent(subnet, key -> new TreeSet<>()).add(s);
          }
        });
    switchesOfSubnet.forEach((subnet, switches) -> check(round, subnet, switches));
    operations.keySet().forEach(id -> now[fabric.indexOf(id)] = next[fabric.indexOf(id)]);
  }

  private void check(int round, int subnet, Collection<Integer> changed) {
    PacketWalk walk = new PacketWalk(desired.routing(), subnet, now, next);
    if (walk.isNoWorseAfter(changed)) {
      return;
    }
    SwitchTables[] atFirst = tablesInstalled();
    Set<String> before = new PacketWalk(desired.routing(), subnet, atFirst, atFirst).problems();
    for (String problem : walk.problems()) {
      if (!before.contains(problem)) {
        throw new UnsafePlanException(round, problem);
      }
    }
  }

  /** Subnets whose rules, or whose groups, are changed. */
  private Set<Integer> touchedBy(
      List<SwitchOperation> operations, SwitchTables before, SwitchTables after) {
    Set<Integer> groups = new HashSet<>();
    Set<Integer> subnets = new HashSet<>();
    for (SwitchOperation operation : operations) {
      if (operation.group() != null) {
        groups.add(operation.group().id());
      } else {
        addSubnet(operation.flow(), subnets);
      }
    }
    if (!groups.isEmpty()) {
      for (SwitchTables tables : List.of(before, after)) {
        for (FlowRule rule : tables.flows().values()) {
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && groups.contains(rule.groupId())) {
            addSubnet(rule, subnets);
          }
        }
      }
    }
    return subnets;
  }

  private void addSubnet(FlowRule rule, Set<Integer> subnets) {
    Integer subnet = rule.prefix() == null ? null : subnetOfPrefix.get(rule.prefix());
    if (subnet != null) {
      subnets.add(subnet);
    }
  }
}
