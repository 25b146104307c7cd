package org.evenweave.engine.forwarding;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.PairGroup;

/**
 * The rules of one switch for pairs of prefixes: a rule for each prefix of the source and each of
 * the destination.
 */
final class SwitchPairs {
  /** The most rules for pairs in one switch; with more, it gets none. */
  static final int MOST_RULES = 16_384;

  private final Routing routing;
  private final Fabric fabric;
  private final RoutedPrefixes prefixes;
  private final int s;
  private final List<PairGroup> pairs;

  /** Receives the prefixes of a rule. */
  @FunctionalInterface
  private interface Visitor {
    void visit(int sourceSubnet, int destinationSubnet);
  }

  /**
   * @param pairs those for which the switch has groups
   */
  SwitchPairs(Routing routing, RoutedPrefixes prefixes, int s, List<PairGroup> pairs) {
    this.routing = routing;
    this.prefixes = prefixes;
    this.s = s;
    this.pairs = pairs;
    fabric = routing.snapshot().fabric();
  }

  private int ruleCount(PairGroup pair) {
    return prefixes.subnetsOf(pair.source()).length * prefixes.subnetsOf(pair.destination()).length;
  }

  private void forEachRule(PairGroup pair, Visitor visitor) {
    for (int source : prefixes.subnetsOf(pair.source())) {
      for (int destination : prefixes.subnetsOf(pair.destination())) {
        visitor.visit(source, destination);
      }
    }
  }

  /**
   * Adds the pairs to the groups of the switch, and puts the rules that need none.
   *
   * @param before what the switch holds
   * @throws CannotFitException if there are too many rules
   */
  void share(Map<IdealGroup, SharedGroup> shared, SwitchTables before, SwitchTables.Editor editor) {
    long rules = pairs.stream().mapToLong(this::ruleCount).sum();
    if (rules > MOST_RULES) {
      throw CannotFitException.tooManyPairRules(fabric.switchId(s), rules, MOST_RULES);
    }
    for (PairGroup pair : pairs) {
      IdealGroup ideal = pair.group();
      if (ideal.memberCount() == 1) {
        int port = fabric.port(ideal.arc(0));
        forEachRule(
            pair,
            (from, to) ->
                editor.put(FlowRule.pairToPort(prefixes.prefix(from), prefixes.prefix(to), port)));
      } else {
        SharedGroup group = shared.computeIfAbsent(ideal, SharedGroup::new);
        group.add(ruleCount(pair), routing.to(pair.destination()).hops(s));
        forEachRule(pair, (from, to) -> join(group, toGroup(from, to, 0), before));
      }
    }
  }

  private FlowRule toGroup(int sourceSubnet, int destinationSubnet, int id) {
    return FlowRule.pairToGroup(
        prefixes.prefix(sourceSubnet), prefixes.prefix(destinationSubnet), id);
  }

  private static void join(SharedGroup group, FlowRule match, SwitchTables before) {
    FlowRule rule = before.pairMatching(match);
    if (rule != null
        && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
        && before.group(rule.groupId()) != null) {
      group.use(rule.groupId(), 1);
    }
  }

  /** Puts the rules that lead to groups. */
  void putRules(
      Map<IdealGroup, SharedGroup> shared,
      Map<SharedGroup, Integer> idOfGroup,
      SwitchTables.Editor editor) {
    for (PairGroup pair : pairs) {
      if (pair.group().memberCount() > 1) {
        int id = idOfGroup.get(shared.get(pair.group()));
        forEachRule(pair, (from, to) -> editor.put(toGroup(from, to, id)));
      }
    }
  }
}
