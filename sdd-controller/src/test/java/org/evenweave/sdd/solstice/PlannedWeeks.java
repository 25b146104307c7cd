package org.evenweave.sdd.solstice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.evenweave.sdd.demand.DemandMatrix;

/** Weeks being planned, for tests, and plain accounts of them. */
final class PlannedWeeks {
  private PlannedWeeks() {}

  /** A week without days. */
  static WeekPlan start(int hosts, long[] demand, long nightBytes, long weekBytes) {
    WeekPlan plan = new WeekPlan(hosts, nightBytes);
    start(plan, hosts, demand, weekBytes);
    return plan;
  }

  /** Starts a week without days. */
  static void start(WeekPlan plan, int hosts, long[] demand, long weekBytes) {
    DemandMatrix matrix = new DemandMatrix(hosts);
    for (int at = 0; at < demand.length; at++) {
      matrix.set(at / hosts, at % hosts, demand[at]);
    }
    int[] at = IntStream.range(0, demand.length).filter(i -> demand[i] > 0).toArray();
    plan.start(matrix, at, at.length, weekBytes);
  }

  /** Adds days of random circuits and lengths. */
  static void addDays(WeekPlan plan, int hosts, int days, int mostBytes, Random random) {
    List<Integer> destinations = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      destinations.add(host);
    }
    for (int day = 0; day < days; day++) {
      Collections.shuffle(destinations, random);
      plan.add(
          destinations.stream().mapToInt(Integer::intValue).toArray(),
          1 + random.nextInt(mostBytes));
    }
  }

  /** What the days can carry of each pair. */
  static long[] capacity(WeekPlan plan, int hosts) {
    long[] capacity = new long[hosts * hosts];
    for (int day = 0; day < plan.days(); day++) {
      for (int source = 0; source < hosts; source++) {
        capacity[source * hosts + plan.destination(day, source)] += plan.length(day);
      }
    }
    return capacity;
  }

  /** What the days carry of the demand. */
  static long carried(WeekPlan plan, int hosts, long[] demand) {
    long[] capacity = capacity(plan, hosts);
    long carried = 0;
    for (int at = 0; at < demand.length; at++) {
      carried += Math.min(demand[at], capacity[at]);
    }
    return carried;
  }

  /** An admission for which exactly some pairs wait. */
  static Admission waiting(int hosts, long[] demand, boolean[] waits) {
    Admission admission = new Admission(hosts, 0);
    DemandMatrix matrix = new DemandMatrix(hosts);
    DemandMatrix remainder = new DemandMatrix(hosts);
    int[] all = IntStream.range(0, demand.length).toArray();
    for (int at : all) {
      matrix.set(at / hosts, at % hosts, 1);
      remainder.set(at / hosts, at % hosts, waits[at] ? 1 : 0);
    }
    admission.remember(matrix, all, all.length, remainder, false);
    return admission;
  }
}
