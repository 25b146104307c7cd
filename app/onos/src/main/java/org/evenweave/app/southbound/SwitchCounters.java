package org.evenweave.app.southbound;

import java.util.Map;
import org.evenweave.engine.port.FlowRule;

/** Evenweave's groups and rules in a switch, each with the packets that it has matched so far. */
public final class SwitchCounters {
  private final Map<Integer, Long> groups;
  private final Map<FlowRule, Long> rules;

  /**
   * @param groups packets by group id
   * @param rules packets by rule
   */
  SwitchCounters(Map<Integer, Long> groups, Map<FlowRule, Long> rules) {
    this.groups = Map.copyOf(groups);
    this.rules = Map.copyOf(rules);
  }

  /** Packets by group id, since the group was added. */
  public Map<Integer, Long> groups() {
    return groups;
  }

  /** Packets by rule, since the rule was added or last changed. */
  public Map<FlowRule, Long> rules() {
    return rules;
  }

  /** The priority of a rule in the switch. */
  public static int priority(FlowRule rule) {
    return OwnEntries.priority(rule);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SwitchCounters
        && ((SwitchCounters) other).groups.equals(groups)
        && ((SwitchCounters) other).rules.equals(rules);
  }

  @Override
  public int hashCode() {
    return 31 * groups.hashCode() + rules.hashCode();
  }
}
