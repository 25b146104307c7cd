package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Distributes a switch's slots among its groups.
 *
 * <p>Open vSwitch keeps a group of 2^k unit-weight buckets as a table of exactly 2^k slots, bucket
 * {@code i} owning slot {@code i}, for tables of 16 to 256 slots (group_setup_dp_hash_table in its
 * ofproto-dpif.c). More slots come nearer to the ideal weights, and tell tiers apart better. Where
 * large tables may be used, a group may have up to 65,536 slots, and those of more than 256 take a
 * rule each; all large tables of a switch together have no more rules than the largest one may. By
 * default only groups of more than 256 ports have one ({@link LargeTables#WHERE_NEEDED}).
 *
 * <p>Every group starts with the fewest slots that hold its ports but those that may be left out.
 * Then, again and again, the group of the highest oversubscription above the limit goes up to the
 * next size that lowers it, until there are no entries or no larger sizes, and the others go on. As
 * in the fitting of many groups (Tewari 2015, section 3.3.2, Algorithm 4; {@code GroupSetFitting}
 * has the proof), the highest oversubscription is then the least possible for these sizes, and so
 * are the next ones in turn. With a limit of 1, the remaining entries of the table double the
 * smallest groups, because shares are to be as near as possible.
 */
final class SlotBudget {
  static final int MAX_SLOTS = SwitchTarget.MAX_SLOTS;
  private static final int MIN_SLOTS = 16;

  /** Which groups may be large tables. */
  enum LargeTables {
    NEVER,
    /** Groups that no other table can hold, in no more than {@value #MAX_UNASKED_SLOTS} slots. */
    WHERE_NEEDED,
    /** All, where that brings them nearer to the ideal weights. */
    WHERE_NEARER
  }

  /**
   * Open vSwitch installs so many rules in 0.15 s; 300 equal ports are then within 2.6 %, and 1,024
   * exact.
   */
  static final int MAX_UNASKED_SLOTS = 8192;

  /** The rules of all large tables of a switch; while a plan is in progress there may be twice. */
  private static final int MAX_RULES = SwitchTarget.MAX_LARGE_SLOTS;

  /** The most ports of a large table: a group that fails over between so many fits a message. */
  private static final int MAX_LARGE_PORTS = 1024;

  private final List<SharedGroup> groups;
  private final int groupEntries;
  private final Ratio limit;
  private final LargeTables large;
  private final int minNextHops;
  private final int[] slots;
  private long left;
  private long rulesLeft;

  private SlotBudget(
      String switchId,
      List<SharedGroup> groups,
      Limits limits,
      Ratio limit,
      LargeTables large,
      int minNextHops) {
    this.groups = groups;
    groupEntries = limits.groupEntries();
    this.limit = limit;
    this.large = large;
    this.minNextHops = minNextHops;
    int maxPorts = large == LargeTables.NEVER ? MAX_SLOTS : MAX_LARGE_PORTS;
    int mostPorts = groups.stream().mapToInt(this::leastPorts).max().orElse(0);
    if (mostPorts > maxPorts) {
      throw CannotFitException.tooManyPorts(switchId, mostPorts, maxPorts);
    }
    slots = groups.stream().mapToInt(group -> least(leastPorts(group))).toArray();
    int largest = Arrays.stream(slots).max().orElse(0);
    if (largest > groupEntries) {
      throw CannotFitException.groupTooSmall(switchId, largest, groupEntries);
    }
    long least = Arrays.stream(slots).asLongStream().sum();
    if (least > limits.entries()) {
      throw CannotFitException.tableTooSmall(switchId, groups.size(), least, limits.entries());
    }
    left = limits.entries() - least;
    rulesLeft = MAX_RULES - Arrays.stream(slots).asLongStream().map(SlotBudget::rules).sum();
    if (rulesLeft < 0) {
      throw CannotFitException.tooManyRules(switchId, MAX_RULES - rulesLeft, MAX_RULES);
    }
  }

  /** The ports that cannot be left out. */
  private int leastPorts(SharedGroup group) {
    return Math.min(group.ideal.memberCount(), minNextHops);
  }

  /** The rules of a table of so many slots. */
  private static long rules(long size) {
    return size > MAX_SLOTS ? size : 0;
  }

  private static int least(int ports) {
    return Math.max(MIN_SLOTS, ports <= 1 ? 1 : Integer.highestOneBit(ports - 1) << 1);
  }

  /**
   * @param groups each that the switch needs, shared ones once
   * @param limits of the switch's multipath table and of each group
   * @param limit on the oversubscription, at least 1; 1 asks for the nearest shares
   * @param large which groups may be large tables
   * @param minNextHops ports of each group that get at least one slot; all of smaller groups
   * @return for each group a power of two
   * @throws CannotFitException if the table does not hold the ports of all groups that cannot be
   *     left out, or a group has more of these than {@value #MAX_SLOTS}, with large tables {@value
   *     #MAX_LARGE_PORTS}
   */
  static int[] slots(
      String switchId,
      List<SharedGroup> groups,
      Limits limits,
      Ratio limit,
      LargeTables large,
      int minNextHops) {
    SlotBudget budget = new SlotBudget(switchId, groups, limits, limit, large, minNextHops);
    boolean nearest = limit.equals(Ratio.ONE);
    boolean someMayBeLarge = IntStream.range(0, groups.size()).anyMatch(budget::mayBeLarge);
    if (nearest
        && !someMayBeLarge
        && limits.groupEntries() >= MAX_SLOTS
        && (long) MAX_SLOTS * groups.size() <= limits.entries()) {
      Arrays.fill(budget.slots, MAX_SLOTS);
      return budget.slots;
    }
    budget.improve();
    if (nearest) {
      budget.spendOnSmallest();
    }
    return budget.slots;
  }

  private boolean mayBeLarge(int g) {
    return maxSlots(g) > MAX_SLOTS;
  }

  private int maxSlots(int g) {
    return Math.min(ofTarget(g), Integer.highestOneBit(groupEntries));
  }

  private int ofTarget(int g) {
    if (large == LargeTables.WHERE_NEARER) {
      return SwitchTarget.MAX_LARGE_SLOTS;
    }
    boolean isNeeded =
        large == LargeTables.WHERE_NEEDED && groups.get(g).ideal.memberCount() > MAX_SLOTS;
    return isNeeded ? MAX_UNASKED_SLOTS : MAX_SLOTS;
  }

  private void improve() {
    Ratio[] oversubscription = new Ratio[slots.length];
    Arrays.setAll(oversubscription, g -> oversubscription(g, slots[g]));
    boolean[] settled = new boolean[slots.length];
    for (int g = worst(oversubscription, settled); g >= 0; g = worst(oversubscription, settled)) {
      int size = 2 * slots[g];
      while (size <= maxSlots(g) && oversubscription(g, size).compareTo(oversubscription[g]) >= 0) {
        size *= 2;
      }
      long moreRules = rules(size) - rules(slots[g]);
      if (size > maxSlots(g) || size - slots[g] > left || moreRules > rulesLeft) {
        settled[g] = true;
      } else {
        rulesLeft -= moreRules;
        left -= size - slots[g];
        slots[g] = size;
        oversubscription[g] = oversubscription(g, size);
      }
    }
  }

  /** The group of the highest oversubscription above the limit that may still improve, or -1. */
  private int worst(Ratio[] oversubscription, boolean[] settled) {
    int worst = -1;
    for (int g = 0; g < slots.length; g++) {
      if (!settled[g]
          && oversubscription[g].compareTo(limit) > 0
          && (worst < 0 || oversubscription[g].compareTo(oversubscription[worst]) > 0)) {
        worst = g;
      }
    }
    return worst;
  }

  private void spendOnSmallest() {
    for (int size = MIN_SLOTS; size < MAX_SLOTS; size *= 2) {
      for (int g = 0; g < slots.length; g++) {
        if (slots[g] == size && size <= left && size < maxSlots(g)) {
          left -= size;
          slots[g] = 2 * size;
        }
      }
    }
  }

  private Ratio oversubscription(int g, int size) {
    SharedGroup group = groups.get(g);
    long[] weights = group.ideal.weights();
    Ratio ofSlots =
        Oversubscription.of(weights, TableFitting.apportion(weights, size, minNextHops));
    return group.factor == 1 ? ofSlots : ofSlots.times(Ratio.of((float) group.factor));
  }
}
