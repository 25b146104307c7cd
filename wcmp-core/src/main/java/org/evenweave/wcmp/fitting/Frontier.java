package org.evenweave.wcmp.fitting;

import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.SizeSearch;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The sizes of one group that are worth their entries: each is better than every smaller one. They
 * are computed on demand, and kept, so that equal groups share the work.
 */
final class Frontier {
  /**
   * One size of the frontier. The entries of its ports are not kept, as a frontier of a large group
   * has thousands of steps: {@link #weights} makes them.
   */
  static final class Step {
    final int entries;
    final Ratio oversubscription;

    /** The demand times the excess of the oversubscription times its factor over 1. */
    final Ratio level;

    private Step next;

    /** No size up to here is better than this one, if there is no next step yet. */
    private int searchedTo;

    private Step(int entries, Ratio oversubscription, Ratio level) {
      this.entries = entries;
      this.oversubscription = oversubscription;
      this.level = level;
      this.searchedTo = entries;
    }
  }

  private final WeightVector ideal;
  private final Ratio demand;
  private final Ratio factor;
  private final GuaranteedPorts guaranteed;
  private final long largest;
  private final SizeSearch search;

  /**
   * @param factor by which the oversubscription counts, at least 1
   * @param minNextHops ports that get at least one entry; all if there are fewer
   * @param most entries that the group may have, at least one per such port
   */
  Frontier(WeightVector ideal, Ratio demand, Ratio factor, int minNextHops, int most) {
    this.ideal = ideal;
    this.demand = demand;
    this.factor = factor;
    this.guaranteed = GuaranteedPorts.atLeast(ideal, minNextHops);
    this.largest = Math.min(ideal.size(), most);
    this.search = new SizeSearch(ideal, guaranteed);
  }

  /** Entries that the group needs at least. */
  int smallestSize() {
    return guaranteed.count();
  }

  /** Entries beyond which there is nothing to gain: the group is exact, or may have no more. */
  long largestSize() {
    return largest;
  }

  /** The best group of exactly so many entries, which must be the size of a step. */
  Step at(int entries) {
    search.shareOut(entries);
    return currentStep(entries);
  }

  /** The smallest size of at most {@code to} within a level, or {@link SizeSearch#NONE}. */
  int smallestWithin(Ratio level, int from, int to) {
    Ratio limit = level.dividedBy(demand).plus(Ratio.ONE);
    limit = factor.equals(Ratio.ONE) ? limit : limit.dividedBy(factor);
    return limit.compareTo(Ratio.ONE) < 0
        ? SizeSearch.NONE
        : search.smallestWithin(limit, from, to);
  }

  /** The next step of at most {@code most} entries, or null. */
  Step after(Step step, int most) {
    long last = Math.min(most, largest);
    if (step.next == null && last > step.searchedTo) {
      int entries = search.smallestBelow(step.oversubscription, step.searchedTo + 1, (int) last);
      step.searchedTo = (int) last;
      if (entries != SizeSearch.NONE) {
        step.next = currentStep(entries);
      }
    }
    return step.next != null && step.next.entries <= most ? step.next : null;
  }

  /**
   * The smallest group of at most {@code most} entries that has the oversubscription of a step and
   * the most ports. It has the step's level, and may have more entries.
   */
  Step withMostPorts(Step step, int most) {
    int entries = search.withMostPorts(step.entries, (int) Math.min(most, largest));
    return entries == step.entries ? step : currentStep(entries);
  }

  private Step currentStep(int entries) {
    Ratio oversubscription = Oversubscription.of(ideal, search.copyEntries());
    Ratio counted = factor.equals(Ratio.ONE) ? oversubscription : oversubscription.times(factor);
    Ratio level = counted.minus(Ratio.ONE).times(demand);
    return new Step(entries, oversubscription, level);
  }

  /** The entries of each port at a step. */
  int[] weights(Step step) {
    search.shareOut(step.entries);
    return search.copyEntries();
  }
}
