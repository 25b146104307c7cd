package org.evenweave.wcmp.reduction.baseline;

import java.util.Arrays;
import org.evenweave.wcmp.reduction.Ratio;

/**
 * Algorithms 1 and 2 as printed (Tewari 2015, section 3.3.2): the reference that tests and
 * benchmarks compare with.
 *
 * <p>Arithmetic is exact: the quotients of Equation 3.2 and of line 4 of Algorithm 2 are compared
 * by cross multiplication, without the factor that both sides share. That is also faster than
 * dividing.
 */
public final class PaperReduction {
  /** Products of three such sums stay below 2^63. */
  private static final int MAX_SIZE = 1 << 20;

  private final int[] ideal;
  private final long idealSize;
  private final long limitNumerator;
  private final long limitDenominator;

  private PaperReduction(int[] ideal, Ratio limit) {
    this.ideal = ideal;
    this.idealSize = size(ideal);
    this.limitNumerator = limit.numerator().longValueExact();
    this.limitDenominator = limit.denominator().longValueExact();
    if (idealSize > MAX_SIZE || limitNumerator > MAX_SIZE || limitDenominator > MAX_SIZE) {
      throw new IllegalArgumentException("group or limit too large for the reference: " + limit);
    }
  }

  /**
   * Algorithm 1, ReduceWcmpGroup. The printed loop always ends: when the size of G is exceeded, G
   * is returned.
   */
  public static int[] reduce(int[] ideal, Ratio limit) {
    return new PaperReduction(ideal, limit).reduce();
  }

  private int[] reduce() {
    int[] reduced = new int[ideal.length];
    Arrays.fill(reduced, 1);
    long size = ideal.length;
    while (exceedsLimit(reduced, size)) {
      reduced[choosePortToUpdate(ideal, reduced)]++;
      size++;
      if (size > idealSize) {
        return ideal.clone();
      }
    }
    return reduced;
  }

  /** Equation 3.2 against the limit. */
  private boolean exceedsLimit(int[] reduced, long size) {
    int worst = worstPort(ideal, reduced);
    return reduced[worst] * idealSize * limitDenominator > limitNumerator * ideal[worst] * size;
  }

  /** The port of the maximum in Equation 3.2. */
  public static int worstPort(int[] ideal, int[] reduced) {
    int worst = 0;
    for (int i = 1; i < ideal.length; i++) {
      if ((long) reduced[i] * ideal[worst] > (long) reduced[worst] * ideal[i]) {
        worst = i;
      }
    }
    return worst;
  }

  /** Algorithm 2, ChoosePortToUpdate. */
  public static int choosePortToUpdate(int[] ideal, int[] reduced) {
    int index = 0;
    for (int i = 1; i < ideal.length; i++) {
      if ((reduced[index] + 1L) * ideal[i] > (reduced[i] + 1L) * ideal[index]) {
        index = i;
      }
    }
    return index;
  }

  /** G.size. */
  public static long size(int[] weights) {
    long size = 0;
    for (int weight : weights) {
      size += weight;
    }
    return size;
  }
}
