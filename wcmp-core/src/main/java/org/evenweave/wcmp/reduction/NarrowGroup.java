package org.evenweave.wcmp.reduction;

import java.util.Arrays;

/**
 * One group and a limit on its oversubscription in 64-bit integers, where their products fit; room
 * for one at a time.
 *
 * <p>In a group of n entries a port of weight x may have {@code floor(theta x n / W)}, with theta
 * the limit and W the sum of all weights. {@link #multiplier} is theta / W as a binary fraction of
 * {@link #fractionBits} bits, rounded up, so that this floor is one multiplication and one shift
 * and never too low; {@link #margin} is exact.
 */
final class NarrowGroup {
  /** Entries of one port in a group of up to W, with a factor of 4 to spare for rounding up. */
  private static final int SPARE_BITS = 3;

  /** Limits below this leave shares of a group of W entries within the spare bits. */
  private static final double LIMIT_BOUND = 3;

  /** Weights times the limit: of the 32 bits of a share in {@link PortSearch}, 20 are fraction. */
  private static final int MAX_WEIGHT = 4000;

  private static final int MAX_SIZE = 1 << 20;

  /** Limits are off by a few units of 2^-53; this is more than that. */
  private static final double ROUND_UP = 1 + 0x1p-48;

  private static final double MAX_PRODUCT = 0x1p61;

  /** One weight per port, the first {@link #ports} of them. */
  long[] weights;

  int ports;

  /** All weights, or-ed together: none is more. */
  long weightBits;

  /** W; may have divisors in common with all weights. */
  long size;

  /** The limit, rounded up. */
  double theta;

  int fractionBits;
  long multiplier;

  private double multiplierPerEntry;
  private long numerator;
  private long denominator;

  private long[] sorted = new long[0];

  /** A size below which the share of some port that cannot be left out rounds down to none. */
  long leastSize;

  /** Sets the limit of the groups that follow. Returns whether it is narrow enough. */
  boolean setLimit(Ratio limit) {
    if (limit.equals(Ratio.ONE)
        || limit.numerator().bitLength() >= Long.SIZE
        || limit.denominator().bitLength() >= Long.SIZE) {
      return false;
    }
    numerator = limit.numerator().longValue();
    denominator = limit.denominator().longValue();
    theta = limit.toDouble() * ROUND_UP;
    return theta < LIMIT_BOUND;
  }

  /**
   * Sets the group. Returns whether it is narrow enough; not, if there are none or one is not
   * positive.
   */
  boolean setWeights(long[] weights, int ports) {
    long sum = 0;
    long bits = 0;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ports; i++) {
      long weight = weights[i];
      sum += weight;
      bits |= weight;
      least = Math.min(least, weight);
    }
    return set(weights, ports, sum, bits, least);
  }

  /** The same for a group of known sum, or-ed weights and least weight. */
  boolean set(long[] weights, int ports, long sum, long bits, long least) {
    // Weights below 2^32 at least, or bits is large or negative: the sum has not overflowed.
    if (ports < 1 || least <= 0 || theta * bits > MAX_WEIGHT || sum > MAX_SIZE) {
      return false;
    }
    if (numerator * (double) sum * bits > MAX_PRODUCT) {
      return false;
    }
    this.weights = weights;
    this.ports = ports;
    weightBits = bits;
    size = sum;
    fractionBits = Long.numberOfLeadingZeros(bits) - SPARE_BITS;
    multiplierPerEntry = (double) (1L << fractionBits) / sum;
    multiplier = (long) (multiplierPerEntry * theta) + 1;
    leastSize = Math.max(ports, (long) (sum / (theta * least)));
    return true;
  }

  /**
   * Takes all ports but some to be left out if need be: {@link #leastSize} follows.
   *
   * @param count ports that have a guaranteed entry, from 1 to all: those of the largest weights,
   *     the first of equal ones
   * @param least filled for each port with the entries that it gets at least, 0 or 1
   */
  void guarantee(int count, byte[] least) {
    System.arraycopy(weights, 0, sorted(), 0, ports);
    Arrays.sort(sorted, 0, ports);
    long smallest = sorted[ports - count];
    int equal = count;
    for (int i = 0; i < ports; i++) {
      equal -= weights[i] > smallest ? 1 : 0;
    }
    for (int i = 0; i < ports; i++) {
      boolean isFirst = weights[i] == smallest && equal > 0;
      equal -= isFirst ? 1 : 0;
      least[i] = (byte) (weights[i] > smallest || isFirst ? 1 : 0);
    }
    leastSize = Math.max(count, (long) (size / (theta * smallest)));
  }

  private long[] sorted() {
    if (sorted.length < ports) {
      sorted = new long[ports];
    }
    return sorted;
  }

  /**
   * A multiplier for shares of a target instead of theta times a size.
   *
   * @param target at most 2 W + P
   */
  long multiplierFor(double target) {
    return (long) (target * multiplierPerEntry) + 1;
  }

  /**
   * Not negative as a port is within the limit.
   *
   * @param weight the port's weight
   * @param entries the port's, in a group of n
   * @param n at most W
   */
  long margin(long weight, long entries, long n) {
    return numerator * n * weight - denominator * size * entries;
  }
}
