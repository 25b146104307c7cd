package org.evenweave.engine.aggregation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** What tables do with each address of a small universe, by trying all rules; and random tables. */
final class AddressModel {
  private static final int BASE = Ipv4Prefix.parseAddress("10.0.0.0");

  /** The addresses are {@code BASE} with any of so many last bits. */
  final int bits;

  AddressModel(int bits) {
    this.bits = bits;
  }

  /** The whole universe. */
  Ipv4Prefix all() {
    return Ipv4Prefix.of(BASE, 32 - bits);
  }

  static Ipv4Prefix low(Ipv4Prefix prefix) {
    return Ipv4Prefix.of(prefix.address(), prefix.length() + 1);
  }

  static Ipv4Prefix high(Ipv4Prefix prefix) {
    return Ipv4Prefix.of(prefix.address() | (1 << (31 - prefix.length())), prefix.length() + 1);
  }

  /** The index of an address in {@link #actions}. */
  int number(Ipv4Prefix address) {
    return address.address() - BASE;
  }

  static String action(FlowRule rule) {
    return rule.action() + " " + rule.target();
  }

  static boolean isRoute(String action) {
    return action.startsWith("ROUTE");
  }

  /** What happens to each address: the action and target of the longest match; "" if none. */
  List<String> actions(SwitchTables tables) {
    List<String> actions = new ArrayList<>();
    for (int i = 0; i < 1 << bits; i++) {
      FlowRule best = null;
      for (FlowRule rule : tables.flows().values()) {
        if (rule.prefix().contains(BASE + i)
            && (best == null || rule.priority() > best.priority())) {
          best = rule;
        }
      }
      actions.add(best == null ? "" : action(best));
    }
    return actions;
  }

  /** Any prefix of the universe. */
  Ipv4Prefix anyPrefix(SplittableRandom random) {
    int below = random.nextInt(bits + 1);
    int offset = random.nextInt(1 << (bits - below)) << below;
    return Ipv4Prefix.of(BASE + offset, 32 - below);
  }

  /** All prefixes of the universe, the shortest first. */
  List<Ipv4Prefix> prefixes() {
    List<Ipv4Prefix> all = new ArrayList<>();
    for (int below = bits; below >= 0; below--) {
      for (int i = 0; i < 1 << (bits - below); i++) {
        all.add(Ipv4Prefix.of(BASE + (i << below), 32 - below));
      }
    }
    return all;
  }

  /** Prefixes that do not overlap, as those of a fabric. */
  Set<Ipv4Prefix> disjointPrefixes(SplittableRandom random) {
    Set<Ipv4Prefix> prefixes = new TreeSet<>();
    for (int i = random.nextInt(4 << bits); i > 0; i--) {
      Ipv4Prefix next = anyPrefix(random);
      if (next.length() > 32 - bits && prefixes.stream().noneMatch(next::overlaps)) {
        prefixes.add(next);
      }
    }
    return prefixes;
  }

  /** Tables with rules for some of these prefixes. */
  static SwitchTables anyTables(Iterable<Ipv4Prefix> prefixes, SplittableRandom random) {
    int targets = 1 + random.nextInt(4);
    int others = random.nextInt(3);
    Map<String, FlowRule> rules = new LinkedHashMap<>();
    for (Ipv4Prefix prefix : prefixes) {
      int kind = random.nextInt(10);
      FlowRule rule = anyRoute(prefix, targets, random);
      if (kind == 0 && others > 0) {
        rule = FlowRule.prefixToController(prefix);
      } else if (kind == 1 && others > 0 && prefix.length() == 32) {
        rule = FlowRule.deliver(prefix.address(), 9, 1, 2);
      }
      if (kind != 2) {
        rules.put(rule.key(), rule);
      }
    }
    return new SwitchTables(Map.of(), rules);
  }

  static FlowRule anyRoute(Ipv4Prefix prefix, int targets, SplittableRandom random) {
    int target = 1 + random.nextInt(targets);
    return random.nextBoolean()
        ? FlowRule.routeToGroup(prefix, target)
        : FlowRule.routeToPort(prefix, target);
  }

  /** Tables with rules for any prefixes, one inside another too. */
  SwitchTables anyTables(SplittableRandom random) {
    List<Ipv4Prefix> prefixes = new ArrayList<>();
    for (int i = random.nextInt(2 << bits); i > 0; i--) {
      prefixes.add(anyPrefix(random));
    }
    return anyTables(prefixes, random);
  }

  static int routeCount(SwitchTables tables) {
    int[] count = {0};
    tables.forEachRoute(rule -> count[0]++);
    return count[0];
  }
}
