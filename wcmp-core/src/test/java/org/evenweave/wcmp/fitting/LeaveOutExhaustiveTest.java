package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.tries.FullTries;
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

  /** The weights of the ports that have entries. */
  private long bestKept;

  /** The group being tried. */
  private int[] tried;

  /** What is tried is compared with this, once it is there. */
  private int[] fitted;

  @Provide
  Arbitrary<int[]> weights() {
    return Arbitraries.integers()
        .between(1, MOST_WEIGHT)
        .array(int[].class)
        .ofMinSize(1)
        .ofMaxSize(8);
  }

  @Property(tries = 1000)
  @FullTries(10_000)
  void noGroupThatFitsIsBetter(
      @ForAll("weights") int[] weights,
      @ForAll @IntRange(min = 1, max = 24) int table,
      @ForAll @IntRange(min = 1, max = 3) int minNextHops) {
    ideal = Groups.longs(weights);
    capacity = Arrays.stream(ideal).sum();
    leastPorts = Math.min(minNextHops, weights.length);
    int entries = Math.max(table, leastPorts);
    bestEntries = 0;
    tried = new int[weights.length];
    fitted = null;
    tryAll(0, entries, 0, 0, 1, 0, 0);
    fitted = TableFitting.fit(ideal, entries, minNextHops);
    assertEquals(
        Ratio.of(bestQuotient * capacity, bestWeight * bestEntries),
        Oversubscription.of(ideal, fitted));
    assertEquals(bestPorts, Groups.ports(fitted));
    assertEquals(bestKept, kept(fitted));
    assertTrue(Groups.sum(fitted) <= entries && Groups.ports(fitted) >= leastPorts);
    if (!aSingleEntryDecides()) {
      tryAll(0, entries, 0, 0, 1, 0, 0);
    }
  }

  /**
   * A group of as many entries that is as good by all three rules has no fewer ports that are worst
   * off; if it has as many, it differs by an entry of these ports, and of no others.
   */
  private void assertDiffersInTiesAlone() {
    assertTrue(worstPorts(tried) >= worstPorts(fitted), () -> Arrays.toString(tried));
    if (worstPorts(tried) > worstPorts(fitted)) {
      return;
    }
    for (int i = 0; i < ideal.length; i++) {
      int more = Math.max(tried[i], fitted[i]);
      boolean isWorst = more * bestWeight == bestQuotient * ideal[i];
      assertTrue(
          tried[i] == fitted[i] || (Math.abs(tried[i] - fitted[i]) == 1 && isWorst),
          () -> Arrays.toString(tried) + " beside " + Arrays.toString(fitted));
    }
  }

  /**
   * Whether each port that is worst off has one entry, which minNextHops or the rule of most ports
   * leaves it. What other ports get below that is free (decision 0051).
   */
  private boolean aSingleEntryDecides() {
    return IntStream.range(0, ideal.length)
        .filter(i -> fitted[i] * bestWeight == bestQuotient * ideal[i])
        .allMatch(i -> fitted[i] == 1);
  }

  private long worstPorts(int[] entries) {
    return IntStream.range(0, entries.length)
        .filter(i -> entries[i] * bestWeight == bestQuotient * ideal[i])
        .count();
  }

  private long kept(int[] entries) {
    return IntStream.range(0, entries.length)
        .filter(i -> entries[i] > 0)
        .mapToLong(i -> ideal[i])
        .sum();
  }

  /**
   * All entries of the ports from one on.
   *
   * @param quotient entries of the worst port so far
   * @param weight of that port
   * @param ports those that have entries so far
   * @param kept their weights together
   */
  private void tryAll(
      int port, int left, int used, long quotient, long weight, int ports, long kept) {
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
        boolean isTie = order == 0 && ports == bestPorts && kept == bestKept;
        if (fitted != null && isTie && used == Groups.sum(fitted)) {
          assertDiffersInTiesAlone();
        }
        boolean keepsMore = ports > bestPorts || (ports == bestPorts && kept > bestKept);
        if (order < 0 || (order == 0 && keepsMore)) {
          bestEntries = used;
          bestQuotient = quotient;
          bestWeight = weight;
          bestPorts = ports;
          bestKept = kept;
        }
      }
      return;
    }
    for (int entries = 0; entries <= left; entries++) {
      tried[port] = entries;
      boolean isWorse = entries * weight > quotient * ideal[port];
      tryAll(
          port + 1,
          left - entries,
          used + entries,
          isWorse ? entries : quotient,
          isWorse ? ideal[port] : weight,
          ports + (entries > 0 ? 1 : 0),
          kept + (entries > 0 ? ideal[port] : 0));
    }
  }
}
