package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.verification.ForwardingState;
import org.evenweave.wcmp.verification.MultipathRule;
import org.evenweave.wcmp.verification.Verifier;
import org.evenweave.wcmp.verification.Violation;

/**
 * Checks a plan before it is carried out: not the proof in {@link UpdatePlan}, but the very rules.
 *
 * <p>While a round is under way, each of its switches may already have its new rules or still its
 * old ones, in any combination. One state covers all of these: let every such switch use its old
 * and its new next hops both. If no packet can loop there, none can in any combination; and a black
 * hole that is not there is in no combination either. So one check per round is enough. What a
 * failure did before the plan began is no fault of the plan, which may be what mends it.
 *
 * <p>Only prefixes that the plan touches are looked at: O(rounds * prefixes * (switches +
 * members)).
 */
final class PlanVerifier {
  private final Fabric fabric;
  private final int[] subnets;
  private final Map<String, SwitchTables> now;

  private PlanVerifier(Fabric fabric, int[] subnets, Map<String, SwitchTables> installed) {
    this.fabric = fabric;
    this.subnets = subnets;
    this.now = new HashMap<>(installed);
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
    Fabric fabric = desired.routing().snapshot().fabric();
    int[] touched = touchedSubnets(rounds, fabric, installed, desired);
    PlanVerifier verifier = new PlanVerifier(fabric, touched, installed);
    Set<String> before = verifier.violations(Map.of());
    for (int round = 0; round < rounds.size(); round++) {
      Map<String, SwitchTables> next = new HashMap<>();
      rounds
          .get(round)
          .forEach((switchId, list) -> next.put(switchId, verifier.tables(switchId).after(list)));
      for (String violation : verifier.violations(next)) {
        if (!before.contains(violation)) {
          throw new UnsafePlanException(round, violation);
        }
      }
      verifier.now.putAll(next);
    }
  }

  private SwitchTables tables(String switchId) {
    return now.getOrDefault(switchId, SwitchTables.EMPTY);
  }

  /** Loops and black holes while the switches of {@code next} change. */
  private Set<String> violations(Map<String, SwitchTables> next) {
    ForwardingState.Builder state = new ForwardingState.Builder(fabric);
    for (int s = 0; s < fabric.switchCount(); s++) {
      SwitchTables before = tables(fabric.switchId(s));
      SwitchTables after = next.getOrDefault(fabric.switchId(s), before);
      for (int subnet : subnets) {
        Ipv4Prefix prefix = fabric.subnetPrefix(subnet);
        int[] ports = union(ports(before, prefix), ports(after, prefix));
        if (fabric.subnetSwitch(subnet) != s && ports.length > 0) {
          int[] ones = new int[ports.length];
          Arrays.fill(ones, 1);
          state.add(s, new MultipathRule(prefix, 0, ports, ones));
        }
      }
    }
    Set<String> found = new TreeSet<>();
    for (Violation violation : Verifier.verifyReachability(state.build(), subnets)) {
      if (violation.kind() != Violation.Kind.UNREACHABLE) {
        found.add(violation.toString());
      }
    }
    return found;
  }

  private static int[] union(int[] before, int[] after) {
    return Arrays.equals(before, after)
        ? before
        : Arrays.stream(new int[][] {before, after})
            .flatMapToInt(Arrays::stream)
            .distinct()
            .toArray();
  }

  /** The distinct ports by which packets to a prefix may leave; none without a rule. */
  private static int[] ports(SwitchTables tables, Ipv4Prefix prefix) {
    FlowRule rule = tables.flows().get(prefix.toString());
    if (rule == null || rule.action() == FlowRule.Action.TO_CONTROLLER) {
      return new int[0];
    }
    if (rule.action() != FlowRule.Action.ROUTE_TO_GROUP) {
      return new int[] {rule.outPort()};
    }
    SelectGroup group = tables.groups().get(rule.groupId());
    return group == null ? new int[0] : Arrays.stream(group.ports()).distinct().toArray();
  }

  /** Subnets whose rules, or whose groups, the plan changes anywhere. */
  private static int[] touchedSubnets(
      List<Map<String, List<SwitchOperation>>> rounds,
      Fabric fabric,
      Map<String, SwitchTables> installed,
      DesiredState desired) {
    Set<Ipv4Prefix> prefixes = new HashSet<>();
    for (Map<String, List<SwitchOperation>> round : rounds) {
      round.forEach(
          (switchId, list) -> {
            Set<Integer> groups = new HashSet<>();
            for (SwitchOperation operation : list) {
              if (operation.group() != null) {
                groups.add(operation.group().id());
              } else if (operation.flow().prefix() != null) {
                prefixes.add(operation.flow().prefix());
              }
            }
            addUsers(installed.get(switchId), groups, prefixes);
            addUsers(desired.tables().get(switchId), groups, prefixes);
          });
    }
    int[] all = new int[fabric.subnetCount()];
    Arrays.setAll(all, subnet -> subnet);
    return Arrays.stream(all)
        .filter(subnet -> prefixes.contains(fabric.subnetPrefix(subnet)))
        .toArray();
  }

  private static void addUsers(SwitchTables tables, Set<Integer> groups, Set<Ipv4Prefix> prefixes) {
    if (tables != null && !groups.isEmpty()) {
      for (FlowRule rule : tables.flows().values()) {
        if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP && groups.contains(rule.groupId())) {
          prefixes.add(rule.prefix());
        }
      }
    }
  }
}
