package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class WeekPlanTest {
  private static final long NIGHT = 7;
  private static final long WEEK = 100_000;

  @Property
  void itsBooksAreThoseOfItsDaysAfterAnyChanges(
      @ForAll @IntRange(min = 1, max = 8) int hosts, @ForAll long seed) {
    Random random = new Random(seed);
    WeekPlan plan = new WeekPlan(hosts, NIGHT);
    for (int week = 0; week < 3; week++) {
      long[] demand = DemandMatrices.random(hosts, 60, random.nextLong());
      PlannedWeeks.start(plan, hosts, demand, WEEK);
      PlannedWeeks.addDays(plan, hosts, 1 + random.nextInt(30), 1_000, random);
      for (int step = 0; step < 20; step++) {
        change(plan, hosts, random);
      }
      assertBooks(plan, hosts, demand);
    }
  }

  private static void change(WeekPlan plan, int hosts, Random random) {
    int day = random.nextInt(plan.days());
    int one = random.nextInt(hosts);
    int other = random.nextInt(hosts);
    switch (random.nextInt(4)) {
      case 0:
        plan.lengthen(day, random.nextInt(100) - Math.min(50, plan.length(day)));
        break;
      case 1:
        plan.swap(day, random.nextInt(plan.days()));
        break;
      case 2:
        if (one != other) {
          plan.exchange(day, one, other);
        }
        break;
      default:
        long last = plan.length(plan.days() - 1);
        plan.removeLast();
        if (plan.days() == 0 || random.nextBoolean()) {
          plan.restoreLast(last);
        }
    }
  }

  private static void assertBooks(WeekPlan plan, int hosts, long[] demand) {
    long[] capacity = PlannedWeeks.capacity(plan, hosts);
    for (int at = 0; at < demand.length; at++) {
      assertEquals(demand[at] - capacity[at], plan.rest(at));
    }
    long room = WEEK;
    for (int day = 0; day < plan.days(); day++) {
      room -= NIGHT + plan.length(day);
      boolean[] taken = new boolean[hosts];
      for (int source = 0; source < hosts; source++) {
        assertTrue(!taken[plan.destination(day, source)]);
        taken[plan.destination(day, source)] = true;
      }
    }
    assertEquals(room, plan.roomBytes());
  }
}
