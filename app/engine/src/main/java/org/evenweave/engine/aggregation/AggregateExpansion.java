package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Expands merged rules to one rule for each prefix of the fabric: the inverse of {@link
 * MergedRules}. The result routes every address as the tables do, even if they were changed by
 * somebody else: a rule for addresses outside all prefixes stays unchanged.
 */
public final class AggregateExpansion {
  private final SwitchTables tables;

  /** What routes or covers addresses otherwise. */
  private final Map<Ipv4Prefix, FlowRule> rules = new HashMap<>();

  private AggregateExpansion(SwitchTables tables) {
    this.tables = tables;
    tables.forEachFlow(
        rule -> {
          if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
            rules.put(rule.prefix(), rule);
          }
        });
  }

  /**
   * @param prefixes the fabric's
   * @return the same tables if all their rules that route are for such prefixes
   */
  public static SwitchTables of(SwitchTables tables, Set<Ipv4Prefix> prefixes) {
    List<FlowRule> others = new ArrayList<>();
    tables.forEachRoute(
        rule -> {
          if (!prefixes.contains(rule.prefix())) {
            others.add(rule);
          }
        });
    return others.isEmpty() ? tables : new AggregateExpansion(tables).expand(prefixes, others);
  }

  private SwitchTables expand(Set<Ipv4Prefix> prefixes, List<FlowRule> others) {
    SwitchTables.Editor editor = new SwitchTables.Editor(tables);
    TreeMap<Ipv4Prefix, Ipv4Prefix> accounted = disjoint(prefixes);
    for (FlowRule rule : others) {
      if (isAccountedFor(rule.prefix(), accounted)) {
        editor.removeRoute(rule.prefix());
      }
    }
    for (Ipv4Prefix prefix : prefixes) {
      FlowRule rule = longest(prefix);
      if (rule != null && rule.isRoute() && !rule.prefix().equals(prefix)) {
        editor.put(
            rule.action() == FlowRule.Action.ROUTE_TO_GROUP
                ? FlowRule.routeToGroup(prefix, rule.groupId())
                : FlowRule.routeToPort(prefix, rule.outPort()));
      }
    }
    return editor.done();
  }

  /** The rule that decides on packets to a prefix, unless longer ones do; null if none does. */
  private FlowRule longest(Ipv4Prefix prefix) {
    for (int length = prefix.length(); length >= 0; length--) {
      FlowRule rule = rules.get(shortened(prefix, length));
      if (rule != null) {
        return rule;
      }
    }
    return null;
  }

  private static Ipv4Prefix shortened(Ipv4Prefix prefix, int length) {
    int mask = length == 0 ? 0 : -1 << (32 - length);
    return Ipv4Prefix.of(prefix.address() & mask, length);
  }

  /** The prefixes, and those that rules of other kinds cover, without any inside another. */
  private TreeMap<Ipv4Prefix, Ipv4Prefix> disjoint(Set<Ipv4Prefix> prefixes) {
    TreeMap<Ipv4Prefix, Ipv4Prefix> sorted = new TreeMap<>();
    prefixes.forEach(prefix -> sorted.put(prefix, prefix));
    rules.forEach(
        (prefix, rule) -> {
          if (!rule.isRoute()) {
            sorted.put(prefix, prefix);
          }
        });
    Ipv4Prefix[] last = {null};
    sorted
        .keySet()
        .removeIf(
            prefix -> {
              boolean isInside = last[0] != null && last[0].overlaps(prefix);
              last[0] = isInside ? last[0] : prefix;
              return isInside;
            });
    return sorted;
  }

  /** Whether every address of a prefix is in one of these that lies in it. */
  private static boolean isAccountedFor(
      Ipv4Prefix prefix, TreeMap<Ipv4Prefix, Ipv4Prefix> disjoint) {
    long addresses = 1L << (32 - prefix.length());
    for (Ipv4Prefix part : disjoint.tailMap(prefix, true).keySet()) {
      if (part.length() <= prefix.length() || !prefix.contains(part.address())) {
        break;
      }
      addresses -= 1L << (32 - part.length());
    }
    return addresses == 0;
  }
}
