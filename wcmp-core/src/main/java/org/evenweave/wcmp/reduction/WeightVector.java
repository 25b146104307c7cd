package org.evenweave.wcmp.reduction;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The ideal weights of one WCMP group, checked and in lowest terms, one per member port. Immutable.
 *
 * <p>Everything in this package asks the same question of a group: if t table entries (t real) were
 * shared out in exact proportion, how many whole entries would each port have, that is, what is
 * {@code floor(x * t / W)} for a port of weight x in a group of size W? Divisions would dominate
 * the running time, so t/W is kept as a <em>multiplier</em>, a binary fraction N / 2^K, and the
 * floor is the high word of one multiplication. For a given N these floors are exact; {@link
 * #multiplierFor} rounds N up, so floors from it are never below those of the given t.
 */
public final class WeightVector {
  /**
   * Bits of N below one entry of the heaviest port: floors see N's rounding only if within 2^-30.
   */
  private static final int FRACTION_BITS = 30;

  /** A dozen roundings to double, of 2^-53 each, go into a multiplier; this is more than all. */
  private static final double ROUND_UP = 1 + 0x1p-48;

  private final long[] weights;
  private final long[] scaled;
  private final BigInteger exactSize;
  private final double approximateSize;
  private final long size;
  private final long least;
  private final double multiplierPerEntry;

  private WeightVector(long[] weights) {
    this.weights = weights;
    long sum = 0;
    boolean overflow = false;
    long min = Long.MAX_VALUE;
    long max = 0;
    for (long weight : weights) {
      sum += weight;
      overflow |= sum < 0;
      min = Math.min(min, weight);
      max = Math.max(max, weight);
    }
    exactSize =
        overflow
            ? Arrays.stream(weights).mapToObj(BigInteger::valueOf).reduce(BigInteger::add).get()
            : BigInteger.valueOf(sum);
    approximateSize = exactSize.doubleValue();
    size = overflow ? Long.MAX_VALUE : sum;
    least = min;
    int shift = Long.numberOfLeadingZeros(max) - 1;
    scaled = new long[weights.length];
    for (int i = 0; i < weights.length; i++) {
      scaled[i] = weights[i] << shift;
    }
    multiplierPerEntry =
        Math.scalb(1.0, Long.SIZE + FRACTION_BITS - shift) / approximateSize * ROUND_UP;
  }

  /**
   * Checks the weights and divides them by their greatest common divisor.
   *
   * @param weights one weight per member port, each from 1 to 2^63 - 1, in any unit
   * @throws IllegalArgumentException if there are none, or if one is not positive
   */
  public static WeightVector of(long... weights) {
    if (weights.length == 0) {
      throw new IllegalArgumentException(
          "weights is empty; a group needs at least one member port");
    }
    long divisor = 0;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] <= 0) {
        throw new IllegalArgumentException(
            "weights[" + i + "] is " + weights[i] + "; a weight must be a positive integer");
      }
      divisor = divisor == 1 ? 1 : Ratio.greatestCommonDivisor(weights[i], divisor);
    }
    long[] lowest = weights.clone();
    if (divisor > 1) {
      for (int i = 0; i < lowest.length; i++) {
        lowest[i] /= divisor;
      }
    }
    return new WeightVector(lowest);
  }

  /** Number of member ports. */
  public int ports() {
    return weights.length;
  }

  /** The weight of one port, in lowest terms. */
  public long weight(int port) {
    return weights[port];
  }

  /** The least weight. */
  public long least() {
    return least;
  }

  /** Table entries of the group in lowest terms, W; 2^63 - 1 if it is more than that. */
  public long size() {
    return size;
  }

  /** Table entries of the group in lowest terms, of any size. */
  public BigInteger exactSize() {
    return exactSize;
  }

  /** Table entries of the group in lowest terms, rounded to a double. */
  double approximateSize() {
    return approximateSize;
  }

  /**
   * A multiplier at or just above {@code entries / W}. Capped where the heaviest port alone has
   * 2^31 - 1 entries.
   */
  long multiplierFor(double entries) {
    long multiplier = (long) (entries * multiplierPerEntry);
    return multiplier == Long.MAX_VALUE ? multiplier : multiplier + 1;
  }

  /** Whole entries of one port under a multiplier. */
  long floor(int port, long multiplier) {
    return Math.multiplyHigh(scaled[port], multiplier) >>> FRACTION_BITS;
  }

  /** Whole entries of all ports together under a multiplier. */
  long floorSum(long multiplier) {
    long sum = 0;
    for (long weight : scaled) {
      sum += Math.multiplyHigh(weight, multiplier) >>> FRACTION_BITS;
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WeightVector && Arrays.equals(weights, ((WeightVector) other).weights);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(weights);
  }

  @Override
  public String toString() {
    return Arrays.toString(weights);
  }
}
