package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExchangeTest {
  private static final int WEEK = 10_000_000;

  @Property
  void carriesNoLessInDaysOfTheSameLengthsAndWhoWaitsKeepsItsCircuits(
      @ForAll @IntRange(min = 1, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 12) int days,
      @ForAll long seed) {
    Random random = new Random(seed);
    long[] demand = DemandMatrices.random(hosts, 70, seed);
    boolean[] waits = new boolean[hosts * hosts];
    for (int at = 0; at < waits.length; at++) {
      waits[at] = random.nextInt(10) == 0;
    }
    WeekPlan plan = PlannedWeeks.start(hosts, demand, 0, WEEK);
    PlannedWeeks.addDays(plan, hosts, days, 500_000, random);
    long[] lengths = new long[days];
    for (int day = 0; day < days; day++) {
      lengths[day] = plan.length(day);
    }
    long before = PlannedWeeks.carried(plan, hosts, demand);
    long[] capacityBefore = PlannedWeeks.capacity(plan, hosts);

    new Exchange(hosts, PlannedWeeks.waiting(hosts, demand, waits)).exchange(plan);

    assertEquals(days, plan.days());
    for (int day = 0; day < days; day++) {
      assertEquals(lengths[day], plan.length(day));
    }
    assertTrue(PlannedWeeks.carried(plan, hosts, demand) >= before);
    long[] capacity = PlannedWeeks.capacity(plan, hosts);
    for (int at = 0; at < demand.length; at++) {
      if (waits[at]) {
        assertTrue(Math.min(capacity[at], demand[at]) >= Math.min(capacityBefore[at], demand[at]));
      }
    }
  }

  /** One pair is left, and a plain trial of every day says what it can gain at most. */
  @Property
  void aPairGetsTheDayThatGainsMost(
      @ForAll @IntRange(min = 2, max = 6) int hosts,
      @ForAll @IntRange(min = 1, max = 6) int days,
      @ForAll long seed) {
    Random random = new Random(seed);
    long[] demand = new long[hosts * hosts];
    WeekPlan plan = PlannedWeeks.start(hosts, demand, 0, WEEK);
    PlannedWeeks.addDays(plan, hosts, days, 1_000, random);
    long[] capacity = PlannedWeeks.capacity(plan, hosts);
    for (int at = 0; at < demand.length; at++) {
      demand[at] = capacity[at] * random.nextInt(3) / 2 * random.nextInt(2);
      demand[at] = Math.min(demand[at], capacity[at]);
    }
    int wanted = random.nextInt(hosts) * hosts + random.nextInt(hosts);
    demand[wanted] = capacity[wanted] + 1 + random.nextInt(1_000);
    WeekPlan same = copy(plan, hosts, demand);
    long best = PlannedWeeks.carried(same, hosts, demand);
    for (int day = 0; day < days; day++) {
      int other = sourceOf(same, hosts, day, wanted % hosts);
      if (other != wanted / hosts) {
        same.exchange(day, wanted / hosts, other);
        best = Math.max(best, PlannedWeeks.carried(same, hosts, demand));
        same.exchange(day, wanted / hosts, other);
      }
    }
    new Exchange(hosts, new Admission(hosts, 0)).exchange(same);
    assertEquals(best, PlannedWeeks.carried(same, hosts, demand));
  }

  @Test
  void anIdleCircuitIsExchangedForDemand() {
    long[] demand = {0, 9, 0, 0, 0, 0, 0, 0, 5};
    WeekPlan plan = PlannedWeeks.start(3, demand, 0, 100);
    plan.add(new int[] {0, 1, 2}, 10);
    new Exchange(3, new Admission(3, 0)).exchange(plan);
    assertEquals(14, PlannedWeeks.carried(plan, 3, demand));
    assertEquals(1, plan.destination(0, 0));
    assertEquals(0, plan.destination(0, 1));
    assertEquals(2, plan.destination(0, 2));
  }

  private static WeekPlan copy(WeekPlan plan, int hosts, long[] demand) {
    WeekPlan copy = PlannedWeeks.start(hosts, demand, 0, WEEK);
    int[] destinationOf = new int[hosts];
    for (int day = 0; day < plan.days(); day++) {
      plan.copyDay(day, destinationOf);
      copy.add(destinationOf, plan.length(day));
    }
    return copy;
  }

  private static int sourceOf(WeekPlan plan, int hosts, int day, int destination) {
    int source = 0;
    while (plan.destination(day, source) != destination) {
      source++;
    }
    assertTrue(source < hosts);
    return source;
  }
}
