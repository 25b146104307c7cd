package org.evenweave.wcmp.reduction.baseline;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * What switch software commonly does: scale the weights to the table and round them down, to at
 * least 1. Neither minimal nor bounded in its oversubscription. A baseline for benchmarks, for
 * groups of up to 2^20 entries.
 */
public final class ScaleAndFloor {
  private ScaleAndFloor() {}

  /** Weights times entries over the ideal size, rounded down; may exceed the table by the ones. */
  public static int[] fit(int[] ideal, int entries) {
    long size = PaperReduction.size(ideal);
    return Arrays.stream(ideal)
        .map(weight -> (int) Math.max(1, (long) weight * entries / size))
        .toArray();
  }

  /** The same for tables of P, 2 P, 4 P, ... entries, until the limit is met. */
  public static int[] reduce(int[] ideal, Ratio limit) {
    long numerator = limit.numerator().longValueExact();
    long denominator = limit.denominator().longValueExact();
    long idealSize = PaperReduction.size(ideal);
    for (int entries = ideal.length; entries < idealSize; entries *= 2) {
      int[] reduced = fit(ideal, entries);
      long size = IntStream.of(reduced).asLongStream().sum();
      int worst = PaperReduction.worstPort(ideal, reduced);
      if (reduced[worst] * idealSize * denominator <= numerator * ideal[worst] * size) {
        return reduced;
      }
    }
    return ideal.clone();
  }
}
