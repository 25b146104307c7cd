package org.evenweave.bench.figure312;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;

class PointTest {
  @Property(tries = 60)
  void entriesWithoutReductionAreThoseOfTheStripingMatrixItself(
      @ForAll @IntRange(min = 2, max = 9) int s1, @ForAll @IntRange(max = 10) int moreDownlinks) {
    int downlinks = s1 + moreDownlinks;
    int uplinks = 3 * downlinks;
    int[][] links =
        StripingKind.GROUP.plan(StripingParameters.of(s1, 3 * s1, uplinks, downlinks)).matrix();
    Point point = new Point(s1, uplinks, downlinks);
    assertEquals(most(links, false), point.maxEntries(Scheme.UNREDUCED, false));
    assertEquals(most(links, true), point.maxEntries(Scheme.UNREDUCED, true));
  }

  /** Each uplink to an S2 switch has an equal part of what the S2 switch has to the destination. */
  private static int most(int[][] links, boolean sharing) {
    int most = 0;
    for (int from = 0; from < links.length; from++) {
      Set<String> held = new HashSet<>();
      int entries = 0;
      for (int to = 0; to < links.length; to++) {
        if (to != from) {
          int[] weights = weights(links[from], links[to]);
          boolean isNew = held.add(Arrays.toString(weights));
          entries += isNew || !sharing ? entries(links[from], weights) : 0;
        }
      }
      most = Math.max(most, entries);
    }
    return most;
  }

  /** Of one uplink to each S2 switch: min(uplinks, downlinks) / uplinks, as least integers. */
  private static int[] weights(int[] up, int[] down) {
    int common = Arrays.stream(up).reduce(1, (a, b) -> a * b / gcd(a, b));
    int[] weights = new int[up.length];
    for (int k = 0; k < up.length; k++) {
      weights[k] = Math.min(up[k], down[k]) * common / up[k];
    }
    int divisor = Arrays.stream(weights).reduce(0, PointTest::gcd);
    return Arrays.stream(weights).map(weight -> weight / divisor).toArray();
  }

  private static int entries(int[] up, int[] weights) {
    int entries = 0;
    for (int k = 0; k < up.length; k++) {
      entries += up[k] * weights[k];
    }
    return entries;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Example
  void theLeastOversubscriptionFitsTheTableItIsFor() {
    Point point = new Point(5, 96, 32);
    int enough = point.maxEntries(Scheme.LIMIT_1_05, false);
    assertTrue(point.leastOversubscription(enough, false).compareTo(Scheme.LIMIT_1_05.limit) <= 0);
    assertTrue(
        point.leastOversubscription(enough - 1, false).compareTo(Scheme.LIMIT_1_05.limit) > 0);
  }
}
