package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BigSliceTest {
  private static WeekPlan slice(long[] matrix, int hosts, long leastBytes, long weekBytes) {
    new QuickStuff(hosts).stuff(matrix);
    int[] at = IntStream.range(0, matrix.length).filter(i -> matrix[i] > 0).toArray();
    WeekPlan plan = PlannedWeeks.start(hosts, new long[hosts * hosts], 10, weekBytes);
    new BigSlice(hosts).slice(matrix, at, at.length, leastBytes, plan);
    return plan;
  }

  @Property
  void takesEqualSumsApartToNothing(
      @ForAll @IntRange(min = 1, max = 12) int hosts,
      @ForAll @IntRange(min = 1, max = 100) int filledPercent,
      @ForAll long seed) {
    long[] matrix = DemandMatrices.random(hosts, filledPercent, seed);
    long[] stuffed = matrix.clone();
    new QuickStuff(hosts).stuff(stuffed);
    WeekPlan plan = slice(matrix, hosts, 1, Long.MAX_VALUE);
    assertArrayEquals(new long[hosts * hosts], matrix);
    long[] carried = new long[hosts * hosts];
    for (int day = 0; day < plan.days(); day++) {
      for (int source = 0; source < hosts; source++) {
        carried[source * hosts + plan.destination(day, source)] += plan.length(day);
      }
    }
    assertArrayEquals(stuffed, carried);
  }

  @Property
  void noMatchingOfEntriesOfTheLeastSizeIsLeft(
      @ForAll @IntRange(min = 1, max = 7) int hosts,
      @ForAll @IntRange(min = 1, max = 100) int filledPercent,
      @ForAll @IntRange(min = 1, max = 500_000) int leastBytes,
      @ForAll long seed) {
    long[] matrix = DemandMatrices.random(hosts, filledPercent, seed);
    WeekPlan plan = slice(matrix, hosts, leastBytes, Long.MAX_VALUE);
    assertTrue(!hasMatching(matrix, hosts, leastBytes, 0, 0), plan.days() + " days");
    for (int day = 0; day < plan.days(); day++) {
      assertTrue(plan.length(day) >= leastBytes, plan.length(day) + " bytes");
    }
  }

  @Property
  void daysEndWithTheWeek(
      @ForAll @IntRange(min = 1, max = 8) int hosts,
      @ForAll @IntRange(min = 11, max = 3_000_000) int weekBytes,
      @ForAll long seed) {
    long[] matrix = DemandMatrices.random(hosts, 80, seed);
    WeekPlan plan = slice(matrix, hosts, 1, weekBytes);
    long length = 0;
    for (int day = 0; day < plan.days(); day++) {
      length += 10 + plan.length(day);
    }
    assertEquals(weekBytes, length + plan.roomBytes());
    boolean isLeft = IntStream.range(0, matrix.length).anyMatch(at -> matrix[at] > 0);
    assertTrue(plan.roomBytes() >= 0 && (plan.roomBytes() <= 10 || !isLeft));
  }

  /** Whether sources from one on have different destinations by entries of the least size. */
  private static boolean hasMatching(
      long[] matrix, int hosts, long leastBytes, int source, int taken) {
    if (source == hosts) {
      return true;
    }
    for (int destination = 0; destination < hosts; destination++) {
      if (((taken >> destination) & 1) == 0
          && matrix[source * hosts + destination] >= leastBytes
          && hasMatching(matrix, hosts, leastBytes, source + 1, taken | (1 << destination))) {
        return true;
      }
    }
    return false;
  }
}
