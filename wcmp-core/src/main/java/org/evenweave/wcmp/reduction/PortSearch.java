package org.evenweave.wcmp.reduction;

/**
 * Finds the smallest size of a group within a limit port by port, for groups of many distinct
 * weights.
 *
 * <p><b>Idea.</b> A size n is feasible exactly when F(n), the sum of all ports' {@code floor(theta
 * x n / W)}, is at least n and no floor is 0 ({@link SizeSearch}). F(n) is the sum of the real
 * shares, which is one multiplication, less the sum of their fractions. The fractions of two ports
 * are had at once, by one multiplication of a long that holds both ports' shares per entry as
 * fixed-point numbers of 32 bits.
 *
 * <p>As F does not fall, F(m) &lt; n &lt;= m excludes all sizes from n to m. A size that misses by
 * d entries therefore lets about d sizes be passed over, and F is evaluated about P log P times for
 * a search over all sizes up to the usual P / (2 (theta - 1)). Runs of sizes are searched from
 * above, the first from 3/4 of the usual size, which seldom is too far. Where many entries are
 * missing, an upper bound of F at half the cost ({@link CoarseShares}) does as well. Up to eight
 * ports, where a step gains no more than a size or two, it is cheaper to try size by size without
 * any branch.
 *
 * <p><b>Exactness.</b> Shares are rounded up, so no feasible size is passed over; a size found is
 * verified in integers after the entries are shared out as Algorithm 2 does (Tewari 2015, section
 * 3.3.2; see {@link Apportionment}).
 */
final class PortSearch {
  /** Ports whose four longs a search size by size keeps in registers. */
  static final int FEW_PORTS = 8;

  private static final int FRACTION_BITS = 20;
  private static final int LANE_BITS = 32;
  private static final long LANE = (1L << LANE_BITS) - 1;
  private static final long FRACTIONS = ((1L << FRACTION_BITS) - 1) * (1 + (1L << LANE_BITS));

  /** Each excess entry costs a pass over all ports; above this, begin again from a lower target. */
  private static final int MUCH_EXCESS = 4;

  /** How far towards the usual size the first run of sizes goes. */
  private static final double FIRST_JUMP = 0.75;

  /** Ports times size below which coarse shares are mostly exact. */
  private static final int MAX_COARSE = 1 << 16;

  /** With as many entries missing, many sizes are to be tried. */
  private static final int MANY_MISSING = 4;

  private final CoarseShares coarse = new CoarseShares();
  private boolean hasCoarse;

  /** Shares per entry of two ports each. */
  private long[] pairs = new long[FEW_PORTS / 2];

  /** The same of all ports together. */
  private long sharesPerEntry;

  private NarrowGroup group;

  /** By port, the entries that it gets at least; null if all get one. */
  private byte[] least;

  /**
   * Finds the smallest size.
   *
   * @param entries filled with the entries per port
   * @return the size
   */
  int smallest(NarrowGroup group, int[] entries) {
    return smallest(group, null, entries);
  }

  /**
   * The same where ports may be left out: of the groups of the smallest size one with the least
   * oversubscription, then with the most ports, then with the most of the capacity.
   *
   * @param guaranteed by port, the entries that it gets at least, 0 or 1; changed. The group has
   *     been told the smallest weight with a guarantee. Null if all get one.
   */
  int smallest(NarrowGroup group, byte[] guaranteed, int[] entries) {
    least = guaranteed;
    int size = smallestSize(group, entries);
    if (least != null && keepMorePorts(size, entries)) {
      holds(size, entries);
    }
    return size;
  }

  /**
   * Guarantees entries to all ports that may have one at the oversubscription reached, to the
   * largest if these are too many. Returns whether one of them has none yet.
   */
  private boolean keepMorePorts(int size, int[] entries) {
    int worst = 0;
    for (int i = 1; i < group.ports; i++) {
      boolean isWorse = entries[i] * group.weights[worst] > entries[worst] * group.weights[i];
      worst = isWorse ? i : worst;
    }
    int kept = 0;
    boolean isMissing = false;
    for (int i = 0; i < group.ports; i++) {
      if (group.weights[worst] <= entries[worst] * group.weights[i]) {
        least[i] = 1;
      }
      kept += least[i];
      isMissing |= least[i] > entries[i];
    }
    if (isMissing && kept > size) {
      group.guarantee(size, least);
    }
    return isMissing;
  }

  private int smallestSize(NarrowGroup group, int[] entries) {
    this.group = group;
    pair();
    return (int) (group.ports <= FEW_PORTS ? walk(entries) : jump(entries));
  }

  private void pair() {
    long[] weights = group.weights;
    int ports = group.ports;
    int words = (ports + 1) >> 1;
    if (pairs.length < words) {
      pairs = new long[words];
    }
    int shift = group.fractionBits - FRACTION_BITS;
    long multiplier = group.multiplier;
    long sum = 0;
    int word = 0;
    for (int i = 0; i + 1 < ports; i += 2) {
      long low = ((weights[i] * multiplier) >>> shift) + 1;
      long high = ((weights[i + 1] * multiplier) >>> shift) + 1;
      pairs[word++] = low | high << LANE_BITS;
      sum += low + high;
    }
    if (word < words) {
      long low = ((weights[ports - 1] * multiplier) >>> shift) + 1;
      pairs[word++] = low;
      sum += low;
    }
    while (word < FEW_PORTS / 2) {
      pairs[word++] = 0;
    }
    sharesPerEntry = sum;
  }

  private long walk(int[] entries) {
    long a = pairs[0];
    long b = pairs[1];
    long c = pairs[2];
    long d = pairs[3];
    long headroom = sharesPerEntry - (1L << FRACTION_BITS);
    for (long n = group.leastSize; ; n++) {
      long fractions =
          (a * n & FRACTIONS) + (b * n & FRACTIONS) + (c * n & FRACTIONS) + (d * n & FRACTIONS);
      if (bothLanes(fractions) <= headroom * n && holds(n, entries)) {
        return n;
      }
    }
  }

  private long jump(int[] entries) {
    double usual = group.ports / (2 * (group.theta - 1));
    long least = group.leastSize;
    long last = Math.max(least, Math.min((long) (FIRST_JUMP * usual), group.size));
    hasCoarse = false;
    while (true) {
      // The smallest feasible size from least to last, from above.
      long found = 0;
      long floors = floorSumOrLess(last);
      long missing = last - floors;
      hasCoarse = hasCoarse || (missing > MANY_MISSING && coarse.set(group));
      long n = last;
      while (true) {
        if (floors >= n) {
          found = n--;
        } else {
          n = floors;
        }
        if (n < least) {
          break;
        }
        floors = floorSumOrLess(n);
      }
      if (found == 0) {
        least = last + 1;
        last = Math.min(last + missing + (missing >> 1), group.size);
      } else if (holds(found, entries)) {
        return found;
      } else {
        least = found + 1;
        last = least;
      }
    }
  }

  /** F(n) where it is at least n; else that or somewhat more, but less than n. */
  private long floorSumOrLess(long n) {
    if (hasCoarse && group.ports * n < MAX_COARSE) {
      long bound = coarse.floorSumAtMost(n);
      if (bound < n) {
        return bound;
      }
    }
    return floorSum(n);
  }

  /** F(n). */
  private long floorSum(long n) {
    long[] words = pairs;
    int length = (group.ports + 1) >> 1;
    long fractions = 0;
    for (int i = 0; i < length; i++) {
      fractions += words[i] * n & FRACTIONS;
    }
    return (sharesPerEntry * n - bothLanes(fractions)) >> FRACTION_BITS;
  }

  private static long bothLanes(long sums) {
    return (sums >>> LANE_BITS) + (sums & LANE);
  }

  /** Whether a size is feasible; then the entries are those of its least oversubscription. */
  private boolean holds(long n, int[] entries) {
    long excess = fill(group.multiplier * n, entries) - n;
    if (excess > MUCH_EXCESS) {
      double target = n + group.ports / 2.0;
      if (target < group.theta * n) {
        while ((excess = fill(group.multiplierFor(target), entries) - n) < 0) {
          target += 1 - excess;
        }
      }
    }
    for (; excess > 0; excess--) {
      entries[worstPort(entries)]--;
    }
    return excess == 0 && isWithin(n, entries);
  }

  /** Rounds shares down to whole entries, at least 1, and returns their sum. */
  private long fill(long multiplier, int[] entries) {
    NarrowGroup group = this.group;
    long[] weights = group.weights;
    int shift = group.fractionBits;
    long sum = 0;
    byte[] least = this.least;
    for (int i = 0; i < group.ports; i++) {
      long share = Math.max(least == null ? 1 : least[i], (weights[i] * multiplier) >>> shift);
      entries[i] = (int) share;
      sum += share;
    }
    return sum;
  }

  /** The port of the largest Y[i] / X[i] that has an entry to spare, the last of equals. */
  private int worstPort(int[] entries) {
    long[] weights = group.weights;
    int ports = group.ports;
    int worst = 0;
    long worstEntries = 0;
    long worstWeight = 1;
    for (int i = 0; i < ports; i++) {
      long y = entries[i];
      long x = weights[i];
      if (y * worstWeight >= worstEntries * x && y > (least == null ? 1 : least[i])) {
        worst = i;
        worstEntries = y;
        worstWeight = x;
      }
    }
    return worst;
  }

  private boolean isWithin(long n, int[] entries) {
    NarrowGroup group = this.group;
    long[] weights = group.weights;
    long negative = 0;
    for (int i = 0; i < group.ports; i++) {
      negative |= group.margin(weights[i], entries[i], n);
    }
    return negative >= 0;
  }
}
