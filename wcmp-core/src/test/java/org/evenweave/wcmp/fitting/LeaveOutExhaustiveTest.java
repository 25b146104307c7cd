package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;

/** The fitting of one group that may leave ports out, against every group that fits. */
class LeaveOutExhaustiveTest {
  private static final int MOST_WEIGHT = 60;

  private long[] ideal;
  private long capacity;
  private int leastPorts;

  /** The worst quotient of entries and weight, times the capacity, over the entries. */
  private long bestEntries;

  private long bestQuotient;
  private long bestWeight;
  private int bestPorts;

  @Provide
  Arbitrary<int[]> weights() {
    return Arbitraries.integers()
        .between(1, MOST_WEIGHT)
        .array(int[].class)
        .ofMinSize(1)
        .ofMaxSize(8);
  }

  /** The 10,000 cases of a full check are {@code EVENWEAVE_TRIES_PERCENT=1000}. */
  @Property(tries = 1000)
  void noGroupThatFitsIsBetter(
      @ForAll("weights") int[] weights,
      @ForAll @IntRange(min = 1, max = 24) int table,
      @ForAll @IntRange(min = 1, max = 3) int minNextHops) {
    ideal = Groups.longs(weights);
    capacity = Arrays.stream(ideal).sum();
    leastPorts = Math.min(minNextHops, weights.length);
    int entries = Math.max(table, leastPorts);
    bestEntries = 0;
    tryAll(0, entries, 0, 0, 1, 0);
    int[] fitted = TableFitting.fit(ideal, entries, minNextHops);
    assertEquals(
        Ratio.of(bestQuotient * capacity, bestWeight * bestEntries),
        Oversubscription.of(ideal, fitted));
    assertEquals(bestPorts, Groups.ports(fitted));
    assertTrue(Groups.sum(fitted) <= entries && Groups.ports(fitted) >= leastPorts);
  }

  /**
   * All entries of the ports from one on.
   *
   * @param quotient entries of the worst port so far
   * @param weight of that port
   */
  private void tryAll(int port, int left, int used, long quotient, long weight, int ports) {
    if (bestEntries > 0
        && quotient * bestWeight * bestEntries > bestQuotient * weight * (used + left)) {
      return; // Worse than the best, whatever the other ports get.
    }
    if (port == ideal.length) {
      if (used > 0 && ports >= leastPorts) {
        long order =
            bestEntries == 0
                ? -1
                : quotient * bestWeight * bestEntries - bestQuotient * weight * used;
        if (order < 0 || (order == 0 && ports > bestPorts)) {
          bestEntries = used;
          bestQuotient = quotient;
          bestWeight = weight;
          bestPorts = ports;
        }
      }
      return;
    }
    for (int entries = 0; entries <= left; entries++) {
      boolean isWorse = entries * weight > quotient * ideal[port];
      tryAll(
          port + 1,
          left - entries,
          used + entries,
          isWorse ? entries : quotient,
          isWorse ? ideal[port] : weight,
          ports + (entries > 0 ? 1 : 0));
    }
  }
}
