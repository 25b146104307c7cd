package org.evenweave.engine.port;

import java.util.function.BiConsumer;

/** The differences between two versions of a switch's tables; shared parts are skipped. */
public final class TablesDifference {
  private TablesDifference() {}

  /** Visits every rule that differs: before and after, null where there is none. */
  public static void ofFlows(
      SwitchTables before, SwitchTables after, BiConsumer<FlowRule, FlowRule> visitor) {
    RouteRules.difference(before.routes, after.routes, visitor);
    PairRules.difference(before.pairs, after.pairs, visitor);
    if (before.others == after.others) {
      return;
    }
    for (FlowRule rule : after.others.values()) {
      FlowRule old = before.others.get(rule.key());
      if (!rule.equals(old)) {
        visitor.accept(old, rule);
      }
    }
    for (FlowRule rule : before.others.values()) {
      if (!after.others.containsKey(rule.key())) {
        visitor.accept(rule, null);
      }
    }
  }

  /** Visits every group that differs: before and after, null where there is none. */
  public static void ofGroups(
      SwitchTables before, SwitchTables after, BiConsumer<SelectGroup, SelectGroup> visitor) {
    GroupTable.difference(before.groups, after.groups, visitor);
  }
}
