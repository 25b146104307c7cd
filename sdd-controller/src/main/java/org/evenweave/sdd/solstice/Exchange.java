package org.evenweave.sdd.solstice;

import java.util.Arrays;

/**
 * Brings demand that no day carries into the days there are, by exchanging circuits.
 *
 * <p><b>Idea.</b> A perfect matching has circuits that carry little or nothing: stuffing, and
 * demand that other days carry already. A pair with demand left gets its circuit in a day if its
 * source and the source that sends to its destination exchange their destinations there. Of all
 * days it is the one where the four circuits gain most; if none gains, nothing happens. The largest
 * demand comes first.
 *
 * <p><b>Bound.</b> Each exchange makes the week carry more, and changes neither days nor their
 * lengths. A pair that waited a week and got a circuit keeps it.
 *
 * <p><b>Complexity.</b> O(days) for each of the {@value #PAIRS_PER_HOST} n largest that are left.
 * Nothing is allocated once the longest week was planned.
 *
 * <p>It is the exchange of two edges of local search for a matching of large weight, for all days
 * of a week at once; BigSlice's matchings are perfect, but of no weight in particular.
 */
final class Exchange {
  /** So many pairs for each host are looked at, the largest; more gains little for its time. */
  private static final int PAIRS_PER_HOST = 4;

  /** Sizes are sorted by their logarithm to base 2 and so many more bits. */
  private static final int FRACTION_BITS = 2;

  private static final int CLASSES = Long.SIZE << FRACTION_BITS;

  private final int hosts;
  private final Pairs pairs;
  private final Admission admission;

  /** Day d has the source of each destination in {@code d * hosts} and following. */
  private int[] sources = new int[0];

  private final int[] largest;
  private final int[] classEnds = new int[CLASSES];

  Exchange(int hosts, Admission admission) {
    this.hosts = hosts;
    this.pairs = new Pairs(hosts);
    this.admission = admission;
    this.largest = new int[hosts * hosts];
  }

  /** Exchanges circuits where that makes the week carry more. */
  void exchange(WeekPlan plan) {
    int count = findLargest(plan);
    if (count == 0) {
      return;
    }
    listSources(plan);
    // So that of many equal pairs not those of the first hosts only are looked at.
    int stride = Math.max(1, count / Math.max(1, PAIRS_PER_HOST * hosts));
    for (int i = 0; i < count; i += stride) {
      serve(plan, largest[i]);
    }
  }

  private void listSources(WeekPlan plan) {
    if (sources.length < plan.days() * hosts) {
      sources = new int[2 * plan.days() * hosts];
    }
    for (int day = 0; day < plan.days(); day++) {
      for (int source = 0; source < hosts; source++) {
        sources[day * hosts + plan.destination(day, source)] = source;
      }
    }
  }

  /**
   * Sorts the pairs with demand left by size, largest first; returns how many are large enough to
   * be looked at.
   */
  private int findLargest(WeekPlan plan) {
    int[] entries = plan.entries();
    Arrays.fill(classEnds, 0);
    for (int i = 0; i < plan.entryCount(); i++) {
      long rest = plan.rest(entries[i]);
      if (rest > 0) {
        classEnds[classOf(rest)]++;
      }
    }
    int count = 0;
    int classes = 0;
    while (classes < CLASSES && count < PAIRS_PER_HOST * hosts) {
      int start = count;
      count += classEnds[classes];
      classEnds[classes++] = start;
    }
    for (int i = 0; i < plan.entryCount(); i++) {
      long rest = plan.rest(entries[i]);
      if (rest > 0 && classOf(rest) < classes) {
        largest[classEnds[classOf(rest)]++] = entries[i];
      }
    }
    return count;
  }

  /** 0 for the largest sizes. */
  private static int classOf(long bytes) {
    int zeros = Long.numberOfLeadingZeros(bytes);
    long fraction = bytes << zeros << 1 >>> (Long.SIZE - FRACTION_BITS);
    return ((zeros + 1) << FRACTION_BITS) - 1 - (int) fraction;
  }

  /** Gives a pair a circuit in the day where that gains most, if there is one. */
  private void serve(WeekPlan plan, int at) {
    int source = pairs.source(at);
    int destination = pairs.destination(at);
    long rest = plan.rest(at);
    long bestGain = 0;
    int bestDay = -1;
    for (int day = 0; day < plan.days(); day++) {
      long length = plan.length(day);
      int otherDestination = plan.destination(day, source);
      int otherSource = sources[day * hosts + destination];
      int freed = source * hosts + otherDestination;
      int otherFreed = otherSource * hosts + destination;
      long gain =
          Math.min(length, rest)
              + plan.gain(otherSource * hosts + otherDestination, length)
              - plan.worth(freed, length)
              - plan.worth(otherFreed, length);
      if (gain > bestGain
          && source != otherSource
          && !isKept(plan, freed, length)
          && !isKept(plan, otherFreed, length)) {
        bestGain = gain;
        bestDay = day;
      }
    }
    if (bestDay >= 0) {
      int otherSource = sources[bestDay * hosts + destination];
      sources[bestDay * hosts + destination] = source;
      sources[bestDay * hosts + plan.destination(bestDay, source)] = otherSource;
      plan.exchange(bestDay, source, otherSource);
    }
  }

  private boolean isKept(WeekPlan plan, int at, long length) {
    return admission.waits(at) && plan.worth(at, length) > 0;
  }
}
