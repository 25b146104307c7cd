package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StretchTest {
  private static final long NIGHT = 1_000;

  @Property
  void fillsTheWeekUnlessItsPairsHaveNothingLeft(
      @ForAll @IntRange(min = 1, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 12) int days,
      @ForAll @IntRange(max = 1_000_000) int roomBytes,
      @ForAll long seed) {
    long[] demand = DemandMatrices.random(hosts, 70, seed);
    WeekPlan plan = week(hosts, demand, days, roomBytes, seed);
    long before = PlannedWeeks.carried(plan, hosts, demand);
    new Stretch(hosts, new Admission(hosts, 0)).lengthen(plan, Double.MIN_VALUE);
    assertTrue(plan.roomBytes() >= 0);
    assertTrue(PlannedWeeks.carried(plan, hosts, demand) >= before);
    for (int at = 0; at < demand.length && plan.roomBytes() > 0; at++) {
      assertTrue(plan.rest(at) <= 0 || !hasDay(plan, hosts, at), "pair " + at);
    }
  }

  @Property
  void isAsLongAsItsPairsNeedExactlyIfThereIsRoom(
      @ForAll @IntRange(min = 1, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 5) int days,
      @ForAll @IntRange(max = 5_000_000) int roomBytes,
      @ForAll long seed) {
    long[] demand = DemandMatrices.random(hosts, 70, seed);
    WeekPlan plan = week(hosts, demand, days, roomBytes, seed);
    long needed = 0;
    for (int day = 0; day < days; day++) {
      long most = 0;
      for (int source = 0; source < hosts; source++) {
        most = Math.max(most, plan.rest(source * hosts + plan.destination(day, source)));
      }
      needed += most;
    }
    boolean fits = new Stretch(hosts, new Admission(hosts, 0)).lengthenToDemand(plan);
    assertEquals(needed <= roomBytes, fits);
    assertEquals(fits ? roomBytes - needed : roomBytes, plan.roomBytes());
  }

  @Property
  void givesUpDaysOnlyIfTheWeekCarriesNoLessAndNobodyWhoWaits(
      @ForAll @IntRange(min = 1, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 12) int days,
      @ForAll @IntRange(max = 10_000) int roomBytes,
      @ForAll long seed) {
    Random random = new Random(seed);
    long[] demand = DemandMatrices.random(hosts, 70, seed);
    boolean[] waits = new boolean[hosts * hosts];
    for (int at = 0; at < waits.length; at++) {
      waits[at] = random.nextInt(10) == 0;
    }
    WeekPlan plan = week(hosts, demand, days, roomBytes, seed);
    long before = PlannedWeeks.carried(plan, hosts, demand);
    long length = length(plan) + plan.roomBytes();
    long[] capacity = PlannedWeeks.capacity(plan, hosts);
    new Stretch(hosts, PlannedWeeks.waiting(hosts, demand, waits)).removeWorthlessDays(plan);
    assertTrue(plan.days() >= 1 && plan.roomBytes() >= 0);
    assertEquals(length, length(plan) + plan.roomBytes());
    assertTrue(PlannedWeeks.carried(plan, hosts, demand) >= before);
    for (int at = 0; at < demand.length; at++) {
      if (waits[at] && Math.min(capacity[at], demand[at]) > 0) {
        assertTrue(PlannedWeeks.capacity(plan, hosts)[at] > 0, "pair " + at);
      }
    }
  }

  @Property
  void aRebalancedWeekCarriesNoLessInTheSameTime(
      @ForAll @IntRange(min = 1, max = 9) int hosts,
      @ForAll @IntRange(min = 1, max = 12) int days,
      @ForAll @IntRange(max = 10_000) int roomBytes,
      @ForAll long seed) {
    long[] demand = DemandMatrices.random(hosts, 70, seed);
    WeekPlan plan = week(hosts, demand, days, roomBytes, seed);
    long before = PlannedWeeks.carried(plan, hosts, demand);
    long length = length(plan) + plan.roomBytes();
    new Stretch(hosts, new Admission(hosts, 0)).rebalance(plan);
    assertEquals(days, plan.days());
    assertTrue(plan.roomBytes() >= 0);
    assertEquals(length, length(plan) + plan.roomBytes());
    assertTrue(PlannedWeeks.carried(plan, hosts, demand) >= before);
  }

  @Test
  void aDayForASmallFlowIsGivenUpForALargeOne() {
    long[] demand = {0, 9_000, 10, 0};
    WeekPlan plan = PlannedWeeks.start(2, demand, NIGHT, 6_010);
    plan.add(new int[] {1, 0}, 4_000);
    plan.add(new int[] {0, 1}, 10);
    new Stretch(2, new Admission(2, 0)).removeWorthlessDays(plan);
    assertEquals(1, plan.days());
    assertEquals(5_010, plan.length(0));
  }

  @Test
  void oneThatWaitsKeepsOneOfItsDaysAndNotAll() {
    long[] demand = {0, 9_000, 9_000, 0};
    boolean[] waits = {false, true, true, false};
    WeekPlan plan = PlannedWeeks.start(2, demand, NIGHT, 8_000);
    plan.add(new int[] {1, 0}, 4_000);
    plan.add(new int[] {1, 0}, 10);
    new Stretch(2, PlannedWeeks.waiting(2, demand, waits)).removeWorthlessDays(plan);
    assertEquals(1, plan.days());
    assertEquals(8_000 - NIGHT, plan.length(0));
  }

  private static WeekPlan week(int hosts, long[] demand, int days, long roomBytes, long seed) {
    WeekPlan plan = PlannedWeeks.start(hosts, demand, NIGHT, 100_000_000);
    PlannedWeeks.addDays(plan, hosts, days, 300_000, new Random(seed));
    WeekPlan tight = PlannedWeeks.start(hosts, demand, NIGHT, length(plan) + roomBytes);
    int[] destinationOf = new int[hosts];
    for (int day = 0; day < days; day++) {
      plan.copyDay(day, destinationOf);
      tight.add(destinationOf, plan.length(day));
    }
    return tight;
  }

  /** Days and nights. */
  private static long length(WeekPlan plan) {
    long length = 0;
    for (int day = 0; day < plan.days(); day++) {
      length += NIGHT + plan.length(day);
    }
    return length;
  }

  private static boolean hasDay(WeekPlan plan, int hosts, int at) {
    for (int day = 0; day < plan.days(); day++) {
      if (plan.destination(day, at / hosts) == at % hosts) {
        return true;
      }
    }
    return false;
  }
}
