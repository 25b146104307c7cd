package org.evenweave.sdd.solstice;

import org.evenweave.sdd.schedule.PerfectMatching;

/**
 * Decomposes a stuffed matrix into days, the longest first.
 *
 * <p><b>Idea.</b> Look for a perfect matching whose entries all reach a threshold, let the day last
 * as long as the smallest of them, subtract it, and lower the threshold when there is none left.
 *
 * <p><b>What differs from the paper.</b> The threshold falls by an eighth, not by half, so a day is
 * within an eighth of the longest that any matching would give, not within half: flows of nearly
 * the same size are carried in one day each, where halving mixes the large with leftovers and cuts
 * them to pieces. The matching is kept from day to day and repaired ({@link PerfectMatching}),
 * which pays for the thresholds; and those that no entry newly reaches are passed over.
 *
 * <p><b>Correctness.</b> A day takes the same off every row and every column, so sums stay equal,
 * so by Birkhoff's theorem a perfect matching of the rest exists until nothing is left; at the
 * threshold of the smallest entry it is found. Each day uses up at least one entry, hence at most
 * n² days even if the week never filled.
 *
 * <p><b>Complexity.</b> With k entries, t thresholds and d days: O(t k) at most to look for entries
 * that reach a threshold, O(d n), and O(n²/64) per entry that falls below it to repair the
 * matching.
 *
 * <p>Source: Liu et al., "Scheduling techniques for hybrid circuit/packet networks", CoNEXT 2015,
 * section 4, algorithm 3.
 */
final class BigSlice {
  /** The threshold falls by the inverse of this. */
  private static final int STEP = 8;

  private final int hosts;
  private final Pairs pairs;
  private final PerfectMatching matching;

  /** Where entries are that do not reach the threshold. */
  private final int[] below;

  private int belowCount;
  private long largestBelow;

  /** Working memory. */
  BigSlice(int hosts) {
    this.hosts = hosts;
    this.pairs = new Pairs(hosts);
    this.matching = new PerfectMatching(hosts);
    this.below = new int[hosts * hosts];
  }

  /**
   * Adds days until there is no room for another, or no matching of entries that reach a size.
   *
   * @param left row by row, of equal sums; 0 but where {@code at} says. Loses what days take
   * @param at where entries are, {@code count} of them
   * @param leastBytes the size, 1 or more
   */
  void slice(long[] left, int[] at, int count, long leastBytes, WeekPlan plan) {
    matching.clear();
    System.arraycopy(at, 0, below, 0, count);
    belowCount = count;
    largestBelow = 0;
    for (int i = 0; i < count; i++) {
      largestBelow = Math.max(largestBelow, left[at[i]]);
    }
    long threshold = largestBelow;
    while (plan.hasRoom() && belowCount > 0 && largestBelow >= leastBytes) {
      addEntries(left, threshold);
      while (plan.hasRoom() && matching.complete()) {
        addDay(left, threshold, plan);
      }
      threshold -= Math.max(1, threshold / STEP);
      if (threshold > largestBelow) {
        threshold = largestBelow - largestBelow / STEP;
      }
      threshold = Math.max(threshold, Math.min(leastBytes, largestBelow));
    }
  }

  private void addEntries(long[] left, long threshold) {
    int kept = 0;
    largestBelow = 0;
    for (int i = 0; i < belowCount; i++) {
      int at = below[i];
      if (left[at] >= threshold) {
        matching.add(pairs.source(at), pairs.destination(at));
      } else {
        below[kept++] = at;
        largestBelow = Math.max(largestBelow, left[at]);
      }
    }
    belowCount = kept;
  }

  private void addDay(long[] left, long threshold, WeekPlan plan) {
    int[] destinationOf = matching.destinations();
    long dayBytes = plan.longestDay();
    for (int source = 0; source < hosts; source++) {
      dayBytes = Math.min(dayBytes, left[source * hosts + destinationOf[source]]);
    }
    plan.add(destinationOf, dayBytes);
    for (int source = 0; source < hosts; source++) {
      int at = source * hosts + destinationOf[source];
      left[at] -= dayBytes;
      if (left[at] < threshold) {
        matching.remove(source, at - source * hosts);
        if (left[at] > 0) {
          below[belowCount++] = at;
          largestBelow = Math.max(largestBelow, left[at]);
        }
      }
    }
  }
}
