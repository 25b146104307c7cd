package org.evenweave.engine.forwarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PrefixIndex;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The prefixes of a fabric, by number, and one object for each distinct rule that routes a prefix,
 * since switches share most rules. Valid for all fabrics of one numbering. Not thread-safe.
 */
final class RoutedPrefixes {
  private static final int[] NONE = {};

  private final Fabric fabric;
  private final PrefixIndex index;
  private final int[] numberOfSubnet;
  private final int[] subnetOfNumber;
  private final int[][] subnetsOf;

  /** By subnet, a hash table with open addressing, at most half full. */
  private final FlowRule[][] rules;

  private final int[] ruleCounts;

  private RoutedPrefixes(Fabric fabric) {
    this.fabric = fabric;
    int count = fabric.subnetCount();
    List<Ipv4Prefix> prefixes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      prefixes.add(fabric.subnetPrefix(i));
    }
    index = PrefixIndex.of(prefixes);
    numberOfSubnet = new int[count];
    subnetOfNumber = new int[index.size()];
    int[] subnetCounts = new int[fabric.switchCount()];
    for (int i = 0; i < count; i++) {
      numberOfSubnet[i] = index.indexOf(prefixes.get(i));
      subnetOfNumber[numberOfSubnet[i]] = i;
      subnetCounts[fabric.subnetSwitch(i)]++;
    }
    subnetsOf = new int[fabric.switchCount()][];
    Arrays.setAll(subnetsOf, s -> subnetCounts[s] == 0 ? NONE : new int[subnetCounts[s]]);
    for (int i = count - 1; i >= 0; i--) {
      subnetsOf[fabric.subnetSwitch(i)][--subnetCounts[fabric.subnetSwitch(i)]] = i;
    }
    rules = new FlowRule[count][8];
    ruleCounts = new int[count];
  }

  /**
   * @param earlier any, or null; returned if it is good for this fabric too
   */
  static RoutedPrefixes of(Fabric fabric, RoutedPrefixes earlier) {
    return earlier != null && fabric.hasNumberingOf(earlier.fabric)
        ? earlier
        : new RoutedPrefixes(fabric);
  }

  PrefixIndex index() {
    return index;
  }

  /** The subnets of a switch, rising. */
  int[] subnetsOf(int s) {
    return subnetsOf[s];
  }

  /** The prefixes of a switch. */
  List<Ipv4Prefix> prefixesOf(int s) {
    return Arrays.stream(subnetsOf[s]).mapToObj(this::prefix).collect(Collectors.toList());
  }

  /** The number in {@link #index} of a subnet's prefix. */
  int number(int subnet) {
    return numberOfSubnet[subnet];
  }

  Ipv4Prefix prefix(int subnet) {
    return fabric.subnetPrefix(subnet);
  }

  /** The subnet with this prefix, or -1. */
  int subnetOf(Ipv4Prefix prefix) {
    int number = index.indexOf(prefix);
    return number < 0 ? -1 : subnetOfNumber[number];
  }

  /** The subnet whose prefix has this number in {@link #index}. */
  int subnetOfNumber(int number) {
    return subnetOfNumber[number];
  }

  FlowRule toGroup(int subnet, int groupId) {
    return rule(subnet, FlowRule.Action.ROUTE_TO_GROUP, groupId);
  }

  FlowRule toPort(int subnet, int port) {
    return rule(subnet, FlowRule.Action.ROUTE_TO_PORT, port);
  }

  private FlowRule rule(int subnet, FlowRule.Action action, int target) {
    FlowRule[] table = rules[subnet];
    int slot = slot(table, action, target);
    if (table[slot] == null) {
      table[slot] =
          action == FlowRule.Action.ROUTE_TO_GROUP
              ? FlowRule.routeToGroup(prefix(subnet), target)
              : FlowRule.routeToPort(prefix(subnet), target);
      FlowRule made = table[slot];
      if (++ruleCounts[subnet] * 2 > table.length) {
        grow(subnet);
      }
      return made;
    }
    return table[slot];
  }

  /** Where the rule is, or belongs. */
  private static int slot(FlowRule[] table, FlowRule.Action action, int target) {
    int slot = ((target * 2 + action.ordinal()) * 0x9E3779B9) >>> 16 & table.length - 1;
    while (table[slot] != null
        && (table[slot].action() != action || table[slot].target() != target)) {
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }

  private void grow(int subnet) {
    FlowRule[] larger = new FlowRule[rules[subnet].length * 2];
    for (FlowRule rule : rules[subnet]) {
      if (rule != null) {
        larger[slot(larger, rule.action(), rule.target())] = rule;
      }
    }
    rules[subnet] = larger;
  }
}
