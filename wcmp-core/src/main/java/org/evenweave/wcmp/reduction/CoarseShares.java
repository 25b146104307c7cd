package org.evenweave.wcmp.reduction;

/**
 * An upper bound of how many whole entries all ports of a group may have together, the sum of
 * {@code floor(theta x n / W)}, at one multiplication for four ports.
 *
 * <p><b>Idea.</b> The sum of floors is the sum of the real shares less that of their fractions. The
 * 16 bits of a long's lane are one port's share per entry without its whole part; times n, and
 * apart from the carry of the lane below, they are the fraction of its share of n. What whole parts
 * are is in the sum of all shares per entry.
 *
 * <p><b>Error.</b> Shares per entry are rounded up, by at most 2^-16, so no floor is too low, and a
 * port's is too high only where its share is less than n 2^-16 and the carry below a whole number.
 * A carry, one unit of 2^-16 for each entry of the port below, also makes a fraction larger; for
 * that the sum of shares is larger by their greatest sum.
 */
final class CoarseShares {
  /** What sums of shifted fractions leave room for in their lanes. */
  private static final int MAX_PORTS = 64;

  private static final int LEAST_PORTS = 24;

  private static final int LANE_BITS = 16;
  private static final int LANES = 4;
  private static final long LANE = (1L << LANE_BITS) - 1;

  /** Bits that fractions give up so that 16 of them can be added. */
  private static final int SPARE_BITS = 4;

  private static final long FRACTIONS = (LANE >>> SPARE_BITS) * 0x0001_0001_0001_0001L;

  private static final long EVEN_LANES = 0xFFFF_0000_FFFFL;

  private final long[] lanes = new long[MAX_PORTS / LANES];
  private int words;
  private int ports;

  /** Of all ports, in units of 2^-16, with room for carries. */
  private long sharesPerEntry;

  /** Sets the group. Returns whether it is of so many ports that this pays, and not of more. */
  boolean set(NarrowGroup group) {
    if (group.ports < LEAST_PORTS || group.ports > MAX_PORTS) {
      return false;
    }
    long[] weights = group.weights;
    long multiplier = group.multiplier;
    int shift = group.fractionBits - LANE_BITS;
    ports = group.ports;
    words = (ports + 2 * LANES - 1) / (2 * LANES) * 2;
    long sum = 0;
    int i = 0;
    for (int w = 0; w < words; w++) {
      long word = 0;
      for (int end = Math.min(i + LANES, ports); i < end; i++) {
        long share = ((weights[i] * multiplier) >>> shift) + 1;
        sum += share;
        word = (word << LANE_BITS) | (share & LANE);
      }
      lanes[w] = word;
    }
    sharesPerEntry = sum + (sum >>> LANE_BITS) + 1;
    return true;
  }

  /**
   * At least the sum of all ports' floors.
   *
   * @param n a size, below 2^20
   */
  long floorSumAtMost(long n) {
    long[] all = lanes;
    int length = words;
    long odd = 0;
    long even = 0;
    for (int w = 0; w + 1 < length; w += 2) {
      even += ((all[w] * n) >>> SPARE_BITS) & FRACTIONS;
      odd += ((all[w + 1] * n) >>> SPARE_BITS) & FRACTIONS;
    }
    long fractions = even + odd;
    long pairs = (fractions & EVEN_LANES) + ((fractions >>> LANE_BITS) & EVEN_LANES);
    long sum = (pairs & 0xFFFF_FFFFL) + (pairs >>> (2 * LANE_BITS));
    return (sharesPerEntry * n + ports - (sum << SPARE_BITS)) >> LANE_BITS;
  }
}
