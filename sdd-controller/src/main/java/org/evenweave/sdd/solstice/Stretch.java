package org.evenweave.sdd.solstice;

import java.util.Arrays;

/**
 * Extends the existing days by the unused time of a week: a longer day costs no additional night.
 *
 * <p><b>Idea.</b> Longer by some bytes, a day carries for each of its pairs what it leaves of their
 * demand, up to so many. Step by step, the day that carries most in its step is made longer. A step
 * is an eighth of the time at most, and no longer than what the day's pairs lack on average, so
 * that a day is not made longer for one pair while others have nothing to send.
 *
 * <p>A day that carries less than the others would if they had its time and its night's is
 * abandoned for them.
 *
 * <p><b>Lazy.</b> What a step carries only falls while others are made longer, except for the day
 * itself, so it is computed again for the day that seemed the best only.
 *
 * <p><b>Complexity.</b> O(n) for each day, and O(n + days) for each step. Nothing is allocated once
 * the longest week was planned.
 */
final class Stretch {
  /** The week's free time is given away in so many steps at least. */
  private static final int STEPS = 8;

  /** The inverse of the part of each day that is given away again. */
  private static final int REBALANCED = 32;

  private final int hosts;
  private final Admission admission;
  private long[] stepBytes = new long[0];

  private long[] stepCarries = new long[0];

  /** What each day's step carries for each of its bytes: how many pairs' worth. */
  private double[] rates = new double[0];

  private long[] lengthsBefore = new long[0];

  /** What a day leaves of its pairs' demand, of those where it leaves some. */
  private final long[] rests;

  /** Days without which a pair that waits would have none are not dropped. */
  Stretch(int hosts, Admission admission) {
    this.hosts = hosts;
    this.rests = new long[hosts];
    this.admission = admission;
  }

  /** Makes each day as long as its pairs have demand, if there is room for all of that. */
  boolean lengthenToDemand(WeekPlan plan) {
    grow(plan.days());
    long room = plan.roomBytes();
    for (int day = 0; day < plan.days(); day++) {
      stepBytes[day] = mostRest(plan, day);
      room -= stepBytes[day];
    }
    for (int day = 0; day < plan.days() && room >= 0; day++) {
      if (stepBytes[day] > 0) {
        plan.lengthen(day, stepBytes[day]);
      }
    }
    return room >= 0;
  }

  private long mostRest(WeekPlan plan, int day) {
    long most = 0;
    for (int source = 0; source < hosts; source++) {
      most = Math.max(most, plan.rest(plan.pair(day, source)));
    }
    return most;
  }

  /**
   * Makes days longer while there is room and a step carries enough.
   *
   * @param leastPairs how many circuits' worth a step must carry, more than 0
   */
  void lengthen(WeekPlan plan, double leastPairs) {
    lengthen(plan, leastPairs, 0);
  }

  /**
   * The same, but ends as soon as it is unlikely that the week will carry so many bytes more.
   *
   * @return how many bytes more it carries
   */
  private long lengthen(WeekPlan plan, double leastPairs, long leastBytes) {
    grow(plan.days());
    long most = Math.max(1, plan.roomBytes() / STEPS);
    for (int day = 0; day < plan.days(); day++) {
      findStep(plan, day, most);
    }
    long won = 0;
    int known = -1;
    while (plan.roomBytes() > 0) {
      int best = best(plan, most, known);
      if (best < 0
          || rates[best] < leastPairs
          || won + rates[best] * plan.roomBytes() < leastBytes) {
        return won;
      }
      if (stepBytes[best] > plan.roomBytes()) {
        stepBytes[best] = plan.roomBytes();
        stepCarries[best] = carries(plan, best, plan.roomBytes());
      }
      won += stepCarries[best];
      plan.lengthen(best, stepBytes[best]);
      findStep(plan, best, most);
      known = best;
    }
    return won;
  }

  /**
   * The day whose step carries most for its length; -1 if none carries anything.
   *
   * @param known the day whose step needs not to be computed again, if any
   */
  private int best(WeekPlan plan, long most, int known) {
    while (true) {
      int best = -1;
      double rate = 0;
      double second = 0;
      for (int day = 0; day < plan.days(); day++) {
        if (rates[day] > rate) {
          second = rate;
          rate = rates[day];
          best = day;
        } else if (rates[day] > second) {
          second = rates[day];
        }
      }
      if (best < 0 || best == known) {
        return best;
      }
      findStep(plan, best, most);
      if (rates[best] >= second && rates[best] > 0) {
        return best;
      }
    }
  }

  private void findStep(WeekPlan plan, int day, long most) {
    long sum = 0;
    int pairs = 0;
    for (int source = 0; source < hosts; source++) {
      long rest = plan.rest(plan.pair(day, source));
      rests[pairs] = rest;
      sum += Math.max(0, rest);
      pairs += (int) (-rest >>> (Long.SIZE - 1));
    }
    long bytes = pairs == 0 ? 0 : Math.min(most, Math.max(1, sum / pairs));
    stepBytes[day] = bytes;
    long carried = 0;
    for (int i = 0; i < pairs; i++) {
      carried += Math.min(bytes, rests[i]);
    }
    stepCarries[day] = carried;
    rates[day] = pairs == 0 ? 0 : (double) carried / bytes;
  }

  private long carries(WeekPlan plan, int day, long bytes) {
    long carried = 0;
    for (int source = 0; source < hosts; source++) {
      carried += plan.gain(plan.pair(day, source), bytes);
    }
    return carried;
  }

  /**
   * Makes all days a little shorter and gives that time away again, so that none is longer than
   * what the others need more; unless the week would carry less. Not those that serve one that
   * waits.
   */
  void rebalance(WeekPlan plan) {
    grow(plan.days());
    long lost = 0;
    for (int day = 0; day < plan.days(); day++) {
      lengthsBefore[day] = plan.length(day);
      long bytes = servesWaitingPair(plan, day) ? 0 : plan.length(day) / REBALANCED;
      lost += worth(plan, day, bytes);
      plan.lengthen(day, -bytes);
    }
    if (lengthen(plan, Double.MIN_VALUE, 0) < lost) {
      restore(plan, plan.days());
    }
  }

  private void restore(WeekPlan plan, int days) {
    for (int day = 0; day < days; day++) {
      if (plan.length(day) != lengthsBefore[day]) {
        plan.lengthen(day, lengthsBefore[day] - plan.length(day));
      }
    }
  }

  /** Removes days as long as the week carries no less without them. */
  void removeWorthlessDays(WeekPlan plan) {
    grow(plan.days());
    int worst = worst(plan);
    while (worst >= 0 && plan.days() > 1 && removeIfWorthless(plan, worst)) {
      worst = worst(plan);
    }
  }

  /** Removes a day if the others carry no less with its time; else nothing changes. */
  private boolean removeIfWorthless(WeekPlan plan, int day) {
    int last = plan.days() - 1;
    plan.swap(day, last);
    for (int kept = 0; kept <= last; kept++) {
      lengthsBefore[kept] = plan.length(kept);
    }
    long lost = worth(plan, last, plan.length(last));
    plan.removeLast();
    if (lengthen(plan, Double.MIN_VALUE, lost) >= lost) {
      return true;
    }
    restore(plan, last);
    plan.restoreLast(lengthsBefore[last]);
    return false;
  }

  /** The day that is worth least for its time and its night's; -1 if all serve one that waits. */
  private int worst(WeekPlan plan) {
    int worst = -1;
    double least = Double.MAX_VALUE;
    for (int day = 0; day < plan.days(); day++) {
      double density =
          (double) worth(plan, day, plan.length(day)) / (plan.length(day) + plan.nightBytes());
      if (density < least && !servesWaitingPair(plan, day)) {
        least = density;
        worst = day;
      }
    }
    return worst;
  }

  /** What the week carries less if a day is by so much shorter. */
  private long worth(WeekPlan plan, int day, long bytes) {
    long worth = 0;
    for (int source = 0; source < hosts; source++) {
      worth += plan.worth(plan.pair(day, source), bytes);
    }
    return worth;
  }

  /** Whether one that waits is served in this day only. */
  private boolean servesWaitingPair(WeekPlan plan, int day) {
    for (int source = 0; source < hosts; source++) {
      int at = plan.pair(day, source);
      if (admission.waits(at)
          && plan.worth(at, plan.length(day)) > 0
          && plan.capacity(at) == plan.length(day)) {
        return true;
      }
    }
    return false;
  }

  private void grow(int days) {
    if (rates.length < days) {
      int capacity = 2 * days;
      rates = Arrays.copyOf(rates, capacity);
      stepBytes = Arrays.copyOf(stepBytes, capacity);
      stepCarries = Arrays.copyOf(stepCarries, capacity);
      lengthsBefore = Arrays.copyOf(lengthsBefore, capacity);
    }
  }
}
