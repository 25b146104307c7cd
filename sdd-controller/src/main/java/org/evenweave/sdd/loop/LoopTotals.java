package org.evenweave.sdd.loop;

/** Counts of a loop since its start. */
public final class LoopTotals {
  long periods;
  long skippedPeriods;
  private long lateWeeks;
  private long lastPlanNs;
  private long longestPlanNs;

  LoopTotals() {}

  void planned(long planNs, boolean inTime) {
    lastPlanNs = planNs;
    longestPlanNs = Math.max(longestPlanNs, planNs);
    lateWeeks += inTime ? 0 : 1;
  }

  LoopTotals copy() {
    LoopTotals copy = new LoopTotals();
    copy.periods = periods;
    copy.skippedPeriods = skippedPeriods;
    copy.lateWeeks = lateWeeks;
    copy.lastPlanNs = lastPlanNs;
    copy.longestPlanNs = longestPlanNs;
    return copy;
  }

  /** Periods in which the loop ran. */
  public long periods() {
    return periods;
  }

  /** Periods that passed while the loop was still busy with the one before. */
  public long skippedPeriods() {
    return skippedPeriods;
  }

  /** Schedules that were announced to hosts after their period had begun. */
  public long lateWeeks() {
    return lateWeeks;
  }

  /** How long estimating and planning took last time. */
  public long lastPlanNs() {
    return lastPlanNs;
  }

  public long longestPlanNs() {
    return longestPlanNs;
  }
}
