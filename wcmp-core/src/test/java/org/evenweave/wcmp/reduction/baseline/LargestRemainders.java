package org.evenweave.wcmp.reduction.baseline;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Hamilton's method: each port its share of the entries rounded down, to at least 1, and what is
 * then left to the largest remainders. A baseline for benchmarks, for groups of up to 2^20 entries.
 */
public final class LargestRemainders {
  private LargestRemainders() {}

  /** Exactly so many entries, unless the ones alone make it more. */
  public static int[] fit(int[] ideal, int entries) {
    long size = PaperReduction.size(ideal);
    int[] weights = ScaleAndFloor.fit(ideal, entries);
    int left = entries - IntStream.of(weights).sum();
    Integer[] ports = IntStream.range(0, ideal.length).boxed().toArray(Integer[]::new);
    Arrays.sort(
        ports, Comparator.comparingLong(i -> weights[i] * size - (long) ideal[i] * entries));
    for (int i = 0; i < Math.min(left, ports.length); i++) {
      weights[ports[i]]++;
    }
    return weights;
  }
}
