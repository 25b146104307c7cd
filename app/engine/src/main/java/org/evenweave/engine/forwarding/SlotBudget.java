package org.evenweave.engine.forwarding;

import java.util.Arrays;
import java.util.List;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * How many slots each group of a switch gets.
 *
 * <p>Open vSwitch keeps a group of 2^k unit-weight buckets as a table of exactly 2^k slots, bucket
 * {@code i} owning slot {@code i}, for tables of 16 to 256 slots (group_setup_dp_hash_table in its
 * ofproto-dpif.c). More slots come nearer to the ideal weights, and tell tiers apart better.
 *
 * <p>Every group starts with the fewest slots that hold its ports. Then, again and again, the group
 * of the highest oversubscription above the limit goes up to the next size that lowers it, until it
 * cannot for want of entries or of sizes, and the others go on. As in the fitting of many groups
 * (Tewari 2015, section 3.3.2, Algorithm 4; {@code GroupSetFitting} has the proof), the highest
 * oversubscription is then the least possible for these sizes, and so are the next ones in turn.
 * Where shares as near as possible are asked for (a limit of 1), what is left of the table doubles
 * the smallest groups.
 */
final class SlotBudget {
  static final int MAX_SLOTS = 256;
  private static final int MIN_SLOTS = 16;

  private final List<long[]> groups;
  private final Ratio limit;
  private final int[] slots;
  private long left;

  private SlotBudget(String switchId, List<long[]> groups, int tableEntries, Ratio limit) {
    this.groups = groups;
    this.limit = limit;
    int mostPorts = groups.stream().mapToInt(weights -> weights.length).max().orElse(0);
    if (mostPorts > MAX_SLOTS) {
      throw CannotFitException.tooManyPorts(switchId, mostPorts, MAX_SLOTS);
    }
    slots = groups.stream().mapToInt(weights -> least(weights.length)).toArray();
    long least = Arrays.stream(slots).asLongStream().sum();
    if (least > tableEntries) {
      throw CannotFitException.tableTooSmall(switchId, groups.size(), least, tableEntries);
    }
    left = tableEntries - least;
  }

  private static int least(int ports) {
    return Math.max(MIN_SLOTS, ports <= 1 ? 1 : Integer.highestOneBit(ports - 1) << 1);
  }

  /**
   * @param groups the ideal weights of each group that the switch needs, shared ones once
   * @param tableEntries what the switch's multipath table holds
   * @param limit on the oversubscription, at least 1; 1 asks for the nearest shares
   * @return for each group a power of two
   * @throws CannotFitException if the table does not hold all groups' ports, or a group has more
   *     than {@value #MAX_SLOTS}
   */
  static int[] slots(String switchId, List<long[]> groups, int tableEntries, Ratio limit) {
    SlotBudget budget = new SlotBudget(switchId, groups, tableEntries, limit);
    boolean nearest = limit.equals(Ratio.ONE);
    if (nearest && (long) MAX_SLOTS * groups.size() <= tableEntries) {
      Arrays.fill(budget.slots, MAX_SLOTS);
      return budget.slots;
    }
    budget.improve();
    if (nearest) {
      budget.spendOnSmallest();
    }
    return budget.slots;
  }

  private void improve() {
    Ratio[] oversubscription = new Ratio[slots.length];
    Arrays.setAll(oversubscription, g -> oversubscription(g, slots[g]));
    boolean[] settled = new boolean[slots.length];
    for (int g = worst(oversubscription, settled); g >= 0; g = worst(oversubscription, settled)) {
      int size = 2 * slots[g];
      while (size <= MAX_SLOTS && oversubscription(g, size).compareTo(oversubscription[g]) >= 0) {
        size *= 2;
      }
      if (size > MAX_SLOTS || size - slots[g] > left) {
        settled[g] = true;
      } else {
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
        if (slots[g] == size && size <= left) {
          left -= size;
          slots[g] = 2 * size;
        }
      }
    }
  }

  private Ratio oversubscription(int g, int size) {
    return Oversubscription.of(groups.get(g), TableFitting.apportion(groups.get(g), size));
  }
}
