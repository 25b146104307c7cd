package org.evenweave.wcmp.reduction;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Oversubscription: the factor by which the worst member port's traffic exceeds its fair share when
 * smaller weights replace a group's ideal weights.
 */
public final class Oversubscription {
  /** Doubles below this are exact integers if their terms and factors were. */
  private static final double MAX_EXACT = 0x1p53;

  private Oversubscription() {}

  /**
   * The maximum oversubscription of a reduced group, exactly (Tewari 2015, section 3.3.2, Equation
   * 3.2): with ideal weights X of sum W and reduced weights Y of sum T, the largest Y[i] W / (X[i]
   * T). It is at least 1, and 1 only if Y is in the ratio of X.
   *
   * @param ideal positive ideal weights, one per member port
   * @param reduced table entries of each member port, at least 0 and not all 0
   * @throws IllegalArgumentException if the lengths differ, an ideal weight is not positive, a
   *     reduced one is negative, or all reduced ones are 0
   */
  public static Ratio of(long[] ideal, int[] reduced) {
    return of(WeightVector.of(ideal), reduced);
  }

  /** The same for weights already checked. */
  public static Ratio of(WeightVector ideal, int[] reduced) {
    if (reduced.length != ideal.ports()) {
      throw new IllegalArgumentException(
          "reduced has " + reduced.length + " ports, ideal has " + ideal.ports());
    }
    long entries = 0;
    for (int i = 0; i < reduced.length; i++) {
      if (reduced[i] < 0) {
        throw new IllegalArgumentException(
            "reduced[" + i + "] is " + reduced[i] + "; it must not be negative");
      }
      entries += reduced[i];
    }
    if (entries == 0) {
      throw new IllegalArgumentException("reduced has no entries; at least one port needs one");
    }
    int worst = worstPort(ideal, reduced);
    return Ratio.of(
        ideal.exactSize().multiply(BigInteger.valueOf(reduced[worst])),
        BigInteger.valueOf(ideal.weight(worst)).multiply(BigInteger.valueOf(entries)));
  }

  /**
   * The nearest double to {@link #of}, without allocating memory where products fit 53 bits.
   *
   * @param ports how many of the weights and entries there are
   */
  public static double approximate(long[] ideal, int[] reduced, int ports) {
    double size = 0;
    double entries = 0;
    int worst = 0;
    for (int i = 0; i < ports; i++) {
      size += ideal[i];
      entries += reduced[i];
      worst = Ratio.compare(reduced[i], ideal[i], reduced[worst], ideal[worst]) > 0 ? i : worst;
    }
    double numerator = size * reduced[worst];
    double denominator = entries * ideal[worst];
    return Math.max(numerator, denominator) < MAX_EXACT
        ? numerator / denominator
        : of(Arrays.copyOf(ideal, ports), Arrays.copyOf(reduced, ports)).toDouble();
  }

  /** The port with the largest Y[i] / X[i], the first of equals. */
  static int worstPort(WeightVector ideal, int[] reduced) {
    int worst = 0;
    long worstEntries = reduced[0];
    long worstWeight = ideal.weight(0);
    for (int i = 1; i < reduced.length; i++) {
      if (Ratio.compare(reduced[i], ideal.weight(i), worstEntries, worstWeight) > 0) {
        worst = i;
        worstEntries = reduced[i];
        worstWeight = ideal.weight(i);
      }
    }
    return worst;
  }
}
