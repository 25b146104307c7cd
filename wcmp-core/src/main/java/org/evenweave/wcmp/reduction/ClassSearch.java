package org.evenweave.wcmp.reduction;

/**
 * Finds the smallest size of a group within a limit by class of equal weights, as fabrics have them
 * whose next hops differ only where links are missing.
 *
 * <p><b>Idea.</b> F(n), how many whole entries all ports may have together in a group of n ({@link
 * SizeSearch}), changes only where some class's share steps up, and then by the number of its
 * ports. So merge the classes' steps in order of size, the next of each class being one addition
 * away, up to the first size n with F(n) &gt;= n: as many steps as that group has distinct ports
 * and entries, not ports or sizes.
 *
 * <p><b>Exactness.</b> Steps are rounded down to never be late; a size found is verified in
 * integers after its entries are shared out as by Algorithm 2 (Tewari 2015, section 3.3.2), which
 * gives entries to ports of the same class from the first on: those that the last size takes an
 * entry from are therefore the last ones of their class, or of all classes with the same quotient.
 */
final class ClassSearch {
  private static final double ONE = 0x1p32;
  private static final int FRACTION_BITS = 32;
  private static final long ROUND_UP = (1L << FRACTION_BITS) - 1;

  /** Positions carry a few roundings of 2^-53 relative to the size; this is more than all. */
  private static final double EARLIER = 1 - 0x1p-46;

  /** The ports of all classes are counted in the bytes of one long. */
  private static final int MAX_CLASSES = 8;

  private static final int MAX_PORTS = 255;

  /** A class is looked up by its weight. */
  private static final int MAX_WEIGHT = (1 << 10) - 1;

  private NarrowGroup group;
  private int classes;

  /** By class. */
  private final long[] weight = new long[MAX_CLASSES];

  private final int[] ports = new int[MAX_CLASSES];
  private final int[] entries = new int[MAX_CLASSES];
  private final long[] nextStep = new long[MAX_CLASSES];
  private final long[] stepLength = new long[MAX_CLASSES];

  /** By port. */
  private final int[] classOf = new int[MAX_PORTS];

  /** Classes by weight; what is below {@link #epoch} is of earlier groups. */
  private final long[] classByWeight = new long[MAX_WEIGHT + 1];

  private long epoch = 1;

  /** Ports of the largest quotient Y / X that have one entry less, and that quotient. */
  private long lowered;

  private long loweredEntries;
  private long loweredWeight;

  /**
   * Sorts a group's ports into classes.
   *
   * @return whether at most 8 are enough, and at most one for four ports
   */
  boolean classify(NarrowGroup group) {
    if (group.ports > MAX_PORTS || group.weightBits > MAX_WEIGHT) {
      return false;
    }
    this.group = group;
    long[] weights = group.weights;
    long[] known = classByWeight;
    int[] found = classOf;
    int most = Math.min(MAX_CLASSES, group.ports >> 2);
    int count = 0;
    long first = epoch;
    epoch += group.ports;
    long tally = 0;
    for (int i = 0; i < group.ports; i++) {
      int x = (int) weights[i];
      int k = (int) (known[x] - first);
      if (known[x] < first) {
        if (count == most) {
          return false;
        }
        k = count++;
        known[x] = first + k;
        weight[k] = x;
      }
      tally += 1L << (k << 3);
      found[i] = k;
    }
    for (int k = 0; k < count; k++) {
      ports[k] = (int) (tally >>> (k << 3) & 0xFF);
    }
    classes = count;
    return true;
  }

  /**
   * Takes the classes of the group that was counted last.
   *
   * @param group set to that group, of these weights
   * @return whether it is narrow enough
   */
  boolean classify(NarrowGroup group, KnownGroups counted, long[] weights, int members) {
    this.group = group;
    int count = 0;
    long sum = 0;
    long bits = 0;
    for (int left = counted.distinct(); left != 0; left &= left - 1) {
      int x = counted.least() + Integer.numberOfTrailingZeros(left);
      int ofClass = counted.ports(x);
      weight[count] = x;
      ports[count++] = ofClass;
      sum += (long) x * ofClass;
      bits |= x;
    }
    classes = count;
    return group.set(weights, members, sum, bits, counted.least());
  }

  /**
   * Finds the smallest size of the group that was classified.
   *
   * @return the size; its entries are had by class, or by {@link #write}
   */
  int smallest() {
    long n = group.leastSize;
    long sum = stepsAfter(n);
    while (true) {
      for (; n <= sum; n++) {
        if (holds(n)) {
          return (int) n;
        }
      }
      int next = 0;
      for (int k = 1; k < classes; k++) {
        next = nextStep[k] < nextStep[next] ? k : next;
      }
      n = Math.max(n, (nextStep[next] + ROUND_UP) >>> FRACTION_BITS);
      sum += ports[next];
      nextStep[next] += stepLength[next];
    }
  }

  /** Sets each class's first step above a size, and returns F of that size. */
  private long stepsAfter(long n) {
    long multiplier = group.multiplier * n;
    double sizesPerShare = group.size / group.theta * ONE * EARLIER;
    long sum = 0;
    for (int k = 0; k < classes; k++) {
      long share = (weight[k] * multiplier) >>> group.fractionBits;
      double length = sizesPerShare / weight[k];
      sum += share * ports[k];
      stepLength[k] = (long) length;
      nextStep[k] = (long) ((share + 1) * length);
    }
    return sum;
  }

  /** Whether a size is feasible; then the entries are those of its least oversubscription. */
  private boolean holds(long n) {
    long excess = fill(group.multiplier * n) - n;
    if (excess > classes) {
      double target = n + group.ports / 2.0;
      if (target < group.theta * n) {
        while ((excess = fill(group.multiplierFor(target)) - n) < 0) {
          target += 1 - excess;
        }
      }
    }
    if (excess < 0) {
      return false;
    }
    takeAway(excess);
    long negative = 0;
    for (int k = 0; k < classes; k++) {
      negative |= group.margin(weight[k], entries[k], n);
    }
    return negative >= 0;
  }

  /** Rounds shares down to whole entries, at least 1, and returns their sum over all ports. */
  private long fill(long multiplier) {
    long sum = 0;
    for (int k = 0; k < classes; k++) {
      int share = (int) Math.max(1, (weight[k] * multiplier) >>> group.fractionBits);
      entries[k] = share;
      sum += (long) share * ports[k];
    }
    return sum;
  }

  /** Takes entries away where Y / X is largest, from all ports that share that quotient at once. */
  private void takeAway(long excess) {
    long left = excess;
    lowered = 0;
    while (left > 0) {
      findLargestQuotient();
      long members = 0;
      for (int k = 0; k < classes; k++) {
        members += hasLargestQuotient(k) ? ports[k] : 0;
      }
      if (members > left) {
        lowered = left;
        return;
      }
      for (int k = 0; k < classes; k++) {
        entries[k] -= hasLargestQuotient(k) ? 1 : 0;
      }
      left -= members;
    }
  }

  private void findLargestQuotient() {
    loweredEntries = 0;
    loweredWeight = 1;
    for (int k = 0; k < classes; k++) {
      if (entries[k] > 1 && entries[k] * loweredWeight > loweredEntries * weight[k]) {
        loweredEntries = entries[k];
        loweredWeight = weight[k];
      }
    }
  }

  /** Whether the ports that have one entry less, if any, are the last ones of this class too. */
  boolean hasLargestQuotient(int k) {
    return entries[k] * loweredWeight == loweredEntries * weight[k] && entries[k] > 1;
  }

  /** How many ports have one entry less than their class. */
  int lowered() {
    return (int) lowered;
  }

  int classes() {
    return classes;
  }

  int weight(int k) {
    return (int) weight[k];
  }

  int entries(int k) {
    return entries[k];
  }

  /** Writes the entries per port of a group that was classified port by port. */
  void write(int[] into) {
    for (int i = 0; i < group.ports; i++) {
      into[i] = entries[classOf[i]];
    }
    long left = lowered;
    for (int i = group.ports - 1; left > 0; i--) {
      if (hasLargestQuotient(classOf[i])) {
        into[i]--;
        left--;
      }
    }
  }
}
