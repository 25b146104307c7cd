package org.evenweave.engine.port;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The rules of one switch for pairs of prefixes ({@link FlowRule.Match#IPV4_PAIR}), by destination.
 * Immutable; an {@link Editor} copies what it changes.
 */
final class PairRules {
  static final PairRules EMPTY = new PairRules(Collections.emptySortedMap());

  /** By destination and then source. */
  private final SortedMap<Ipv4Prefix, SortedMap<Ipv4Prefix, FlowRule>> rules;

  private final int size;

  /** By group, how many rules use it. */
  private final Map<Integer, Integer> users = new HashMap<>();

  private PairRules(SortedMap<Ipv4Prefix, SortedMap<Ipv4Prefix, FlowRule>> rules) {
    this.rules = rules;
    int[] count = {0};
    forEach(
        rule -> {
          count[0]++;
          if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
            users.merge(rule.groupId(), 1, Integer::sum);
          }
        });
    size = count[0];
  }

  int size() {
    return size;
  }

  /** Every rule, by rising destination and source. */
  void forEach(Consumer<FlowRule> visitor) {
    rules.values().forEach(ofDestination -> ofDestination.values().forEach(visitor));
  }

  /** The rules to a destination. */
  Collection<FlowRule> to(Ipv4Prefix destination) {
    return size == 0 ? List.of() : ofDestination(destination);
  }

  private Collection<FlowRule> ofDestination(Ipv4Prefix destination) {
    return rules.getOrDefault(destination, Collections.emptySortedMap()).values();
  }

  /** The rule with the match of this one, or null. */
  FlowRule matching(FlowRule rule) {
    SortedMap<Ipv4Prefix, FlowRule> ofDestination = rules.get(rule.prefix());
    return ofDestination == null ? null : ofDestination.get(rule.sourcePrefix());
  }

  /** How many rules use a group. */
  int usersOf(int groupId) {
    return users.getOrDefault(groupId, 0);
  }

  /**
   * Visits the destinations of the rules that use a group, by their numbers in an index, one for
   * each rule; those that it does not have are left out.
   */
  void forEachUser(int groupId, PrefixIndex index, IntConsumer visitor) {
    if (usersOf(groupId) > 0) {
      forEach(
          rule -> {
            int number = index.indexOf(rule.prefix());
            if (number >= 0
                && rule.action() == FlowRule.Action.ROUTE_TO_GROUP
                && rule.groupId() == groupId) {
              visitor.accept(number);
            }
          });
    }
  }

  /** Visits every rule that differs: before and after, null where there is none. */
  static void difference(
      PairRules before, PairRules after, BiConsumer<FlowRule, FlowRule> visitor) {
    if (before == after) {
      return;
    }
    after.forEach(
        rule -> {
          FlowRule old = before.matching(rule);
          if (!rule.equals(old)) {
            visitor.accept(old, rule);
          }
        });
    before.forEach(
        rule -> {
          if (after.matching(rule) == null) {
            visitor.accept(rule, null);
          }
        });
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof PairRules
            && ((PairRules) other).size == size
            && ((PairRules) other).rules.equals(rules));
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  /** Makes the next version; used once, by one thread. */
  static final class Editor {
    private final PairRules from;
    private SortedMap<Ipv4Prefix, SortedMap<Ipv4Prefix, FlowRule>> rules;

    Editor(PairRules from) {
      this.from = from;
      rules = from.rules;
    }

    /** Replaces the rule with the same match. */
    void put(FlowRule rule) {
      SortedMap<Ipv4Prefix, FlowRule> now = rules.get(rule.prefix());
      if (now == null || !rule.equals(now.get(rule.sourcePrefix()))) {
        changeable(rule.prefix()).put(rule.sourcePrefix(), rule);
      }
    }

    /** Takes out the rule with the same match, if there is one. */
    void remove(FlowRule rule) {
      SortedMap<Ipv4Prefix, FlowRule> now = rules.get(rule.prefix());
      if (now != null && now.containsKey(rule.sourcePrefix())) {
        SortedMap<Ipv4Prefix, FlowRule> left = changeable(rule.prefix());
        left.remove(rule.sourcePrefix());
        if (left.isEmpty()) {
          rules.remove(rule.prefix());
        }
      }
    }

    /** The rules to a destination, not shared with {@link #from}. */
    private SortedMap<Ipv4Prefix, FlowRule> changeable(Ipv4Prefix destination) {
      if (rules == from.rules) {
        rules = new TreeMap<>(from.rules);
      }
      SortedMap<Ipv4Prefix, FlowRule> now = rules.get(destination);
      if (now == null || now == from.rules.get(destination)) {
        now = now == null ? new TreeMap<>() : new TreeMap<>(now);
        rules.put(destination, now);
      }
      return now;
    }

    /** The rules; {@code from} itself if nothing differs. */
    PairRules done() {
      return rules == from.rules ? from : new PairRules(rules);
    }
  }
}
