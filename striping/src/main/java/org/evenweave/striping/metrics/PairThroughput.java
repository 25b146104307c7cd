package org.evenweave.striping.metrics;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * The maximum achievable throughput of the pairs of S1 switches under a plan, in links: without
 * competing traffic, S1 switches i and j can exchange Σ<sub>k</sub> min(R<sub>ik</sub>,
 * R<sub>jk</sub>) links' worth of traffic over the S2 switches k (Tewari 2015, section 3.4.1).
 * Multiply by the links' capacity to get bits per second. At most N, which is reached when both
 * switches are striped identically.
 *
 * <p>In an even striping this is K·p plus the number of S2 switches to which both have p + 1 links.
 * So with a bit per entry that says "p + 1", a pair costs one AND and one bit count per 64 S2
 * switches: O(L²·K/64) for all.
 *
 * <p>The mean depends on the size of the fabric only. Summed over the pairs, the second term counts
 * for each S2 switch the pairs among its Ω<sub>p+1</sub> S1 switches with p + 1 links, which is the
 * same for every plan. Rotation and group striping therefore differ in how the throughput is
 * spread, never in its mean.
 */
public final class PairThroughput {

  private final long pairs;
  private final double meanLinks;
  private final double standardDeviationLinks;
  private final int fullLinks;
  private final SortedMap<Integer, Long> histogram;

  private PairThroughput(int fullLinks, SortedMap<Integer, Long> histogram) {
    this.fullLinks = fullLinks;
    this.histogram = Collections.unmodifiableSortedMap(histogram);
    this.pairs = histogram.values().stream().mapToLong(Long::longValue).sum();
    double mean =
        histogram.entrySet().stream().mapToDouble(e -> (double) e.getKey() * e.getValue()).sum()
            / pairs;
    double squares =
        histogram.entrySet().stream()
            .mapToDouble(e -> (e.getKey() - mean) * (e.getKey() - mean) * e.getValue())
            .sum();
    this.meanLinks = mean;
    this.standardDeviationLinks = Math.sqrt(squares / pairs);
  }

  /**
   * Measures all pairs of S1 switches.
   *
   * @throws IllegalArgumentException if the plan has a single S1 switch and hence no pair
   */
  public static PairThroughput of(StripingPlan plan) {
    StripingParameters parameters = plan.parameters();
    if (parameters.s1Count() < 2) {
      throw new IllegalArgumentException(
          "s1: throughput is between two S1 switches, so there must be at least 2, was 1");
    }
    long[][] extra = extraBits(plan);
    long[] pairsByShared = new long[parameters.s2Count() + 1];
    for (int i = 1; i < extra.length; i++) {
      for (int j = 0; j < i; j++) {
        pairsByShared[sharedBits(extra[i], extra[j])]++;
      }
    }
    int commonLinks = parameters.s2Count() * parameters.base();
    SortedMap<Integer, Long> histogram = new TreeMap<>();
    for (int shared = 0; shared < pairsByShared.length; shared++) {
      if (pairsByShared[shared] > 0) {
        histogram.put(commonLinks + shared, pairsByShared[shared]);
      }
    }
    return new PairThroughput(parameters.uplinks(), histogram);
  }

  /** Per S1 switch, a bit per S2 switch: set where there are p + 1 links. */
  private static long[][] extraBits(StripingPlan plan) {
    StripingParameters parameters = plan.parameters();
    int words = (parameters.s2Count() + Long.SIZE - 1) / Long.SIZE;
    long[][] bits = new long[parameters.s1Count()][words];
    for (int s1 = 0; s1 < bits.length; s1++) {
      for (int s2 = 0; s2 < parameters.s2Count(); s2++) {
        if (plan.links(s1, s2) > parameters.base()) {
          bits[s1][s2 / Long.SIZE] |= 1L << s2;
        }
      }
    }
    return bits;
  }

  private static int sharedBits(long[] a, long[] b) {
    int shared = 0;
    for (int word = 0; word < a.length; word++) {
      shared += Long.bitCount(a[word] & b[word]);
    }
    return shared;
  }

  /** Number of pairs of S1 switches, L·(L − 1)/2. */
  public long pairs() {
    return pairs;
  }

  /** Throughput of the worst pair, in links. */
  public int minLinks() {
    return histogram.firstKey();
  }

  /** Mean throughput over the pairs, in links. */
  public double meanLinks() {
    return meanLinks;
  }

  /** Throughput of the best pair, in links. */
  public int maxLinks() {
    return histogram.lastKey();
  }

  /** Standard deviation of the throughput over the pairs (all of them, not a sample), in links. */
  public double standardDeviationLinks() {
    return standardDeviationLinks;
  }

  /** Pairs striped identically, which can use all their N uplinks. */
  public long fullThroughputPairs() {
    return histogram.getOrDefault(fullLinks, 0L);
  }

  /**
   * Number of pairs by throughput in links, ascending; only throughputs that occur. Unmodifiable.
   */
  public SortedMap<Integer, Long> histogram() {
    return histogram;
  }
}
