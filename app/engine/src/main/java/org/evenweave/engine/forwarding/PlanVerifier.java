package org.evenweave.engine.forwarding;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Checks a plan before it is carried out: its actual rules, independently of the proof in {@link
 * UpdatePlan}.
 *
 * <p>During a round, each of its switches may already have its new rules or still its old ones, in
 * any combination. A switch may also refuse some of its operations and carry out the others; then
 * an old rule meets a new group, or a new rule an old group. One state covers all of these, since a
 * round has at most one operation on each rule and each group: let every such switch use the next
 * hops of all four at once, and lose packets if any has none. If no packet can loop or get lost
 * there, none can in any combination. A loop or loss that a failure caused before the plan began is
 * no fault of the plan, which may repair it.
 *
 * <p>Rules for single sources count for packets of all: what does not loop or lose packets with all
 * rules to a destination together does not with those that one packet meets.
 *
 * <p><b>Only what changes is looked at.</b> If the state before a round is safe towards a prefix,
 * then after it only a packet that takes a next hop which is new in that round can fare worse, or
 * one that meets a rule that goes away. So a search from the switches that get new next hops, along
 * old and new ones, suffices: if it meets neither a loop nor a switch without a rule, the round is
 * safe; it visits only what lies between these switches and the destination. A switch that only
 * removes next hops, as most do after a failure, is not even searched from. What such a search
 * meets where packets were lost already before the plan, as at a port whose link has failed, is no
 * fault of it. Only if there is anything else are all packets to the prefix followed, from all
 * switches with hosts, and what is found is compared with what was there before the plan.
 */
final class PlanVerifier {
  private final DesiredState desired;
  private final Fabric fabric;
  private final RoutedPrefixes prefixes;

  /** Nothing, of the fabric's own prefixes, so that the rules which come need no other place. */
  private final SwitchTables empty;

  private final SwitchTables[] first;
  private final SwitchTables[] now;
  private final SwitchTables[] next;
  private final PacketWalk walk;

  private PlanVerifier(Map<String, SwitchTables> installed, DesiredState desired) {
    this.desired = desired;
    fabric = desired.routing().snapshot().physical();
    prefixes = desired.prefixes();
    empty = new SwitchTables.Editor(prefixes.index()).done();
    first = InstalledTables.inOrder(installed, fabric);
    now = first.clone();
    next = first.clone();
    walk = new PacketWalk(desired.routing(), prefixes, first, now, next);
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
    AffectedSubnets touched = new AffectedSubnets(fabric.subnetCount());
    int[] switches = new int[operations.size()];
    int count = 0;
    for (Map.Entry<String, List<SwitchOperation>> entry : operations.entrySet()) {
      int s = fabric.indexOf(entry.getKey());
      switches[count++] = s;
      now[s] = now[s].flowCount() == 0 && now[s].groupCount() == 0 ? empty : now[s];
      next[s] = now[s].after(entry.getValue());
      touch(s, entry.getValue(), touched);
    }
    touched.forEach((subnet, changed) -> check(round, subnet, changed));
    for (int s : switches) {
      now[s] = next[s];
    }
  }

  private void check(int round, int subnet, int[] changed) {
    if (walk.isNoWorseAfter(subnet, changed)) {
      return;
    }
    Set<String> before = new PacketProblems(desired.routing(), subnet, first, first).find();
    for (String problem : new PacketProblems(desired.routing(), subnet, now, next).find()) {
      if (!before.contains(problem)) {
        throw new UnsafePlanException(round, problem);
      }
    }
  }

  /**
   * Adds the subnets whose rules, or whose groups, are changed at a switch. A rule that will use a
   * group and does not yet is changed itself.
   */
  private void touch(int s, List<SwitchOperation> operations, AffectedSubnets touched) {
    for (SwitchOperation operation : operations) {
      FlowRule rule = operation.flow();
      if (rule == null) {
        now[s].forEachUser(
            operation.group().id(),
            prefixes.index(),
            number -> touched.add(prefixes.subnetOfNumber(number), s));
      } else {
        int subnet = rule.prefix() == null ? -1 : prefixes.subnetOf(rule.prefix());
        if (subnet >= 0) {
          touched.add(subnet, s);
        }
      }
    }
  }
}
