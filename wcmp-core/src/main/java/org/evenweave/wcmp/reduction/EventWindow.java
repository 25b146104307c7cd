package org.evenweave.wcmp.reduction;

import java.util.Arrays;

/**
 * For a run of consecutive sizes n, how many whole entries the ports of a group may have together
 * under an oversubscription limit theta: the sum of {@code floor(theta x n / W)} over all ports.
 *
 * <p><b>Idea.</b> From one size to the next the sum grows by the number of ports whose floor steps
 * up, and port i steps up to j entries at the size {@code ceil(j W / (theta x))}. Those events are
 * evenly spaced, so each costs one addition and one counter: a window of m sizes is filled in O(P +
 * theta m), where adding up P floors for every size would take O(P m) and a heap of next events
 * O(theta m log P).
 *
 * <p>Event positions are fixed-point numbers rounded down. The sums are thus never too low, and too
 * high only where an event lies within about 2^-20 above a size; a search that finds a size by them
 * verifies that size exactly.
 */
final class EventWindow {
  /** Sizes per window: 16 KB of counters stay in the first-level cache. */
  static final int MAX_SIZES = 4096;

  private static final int FRACTION_BITS = 32;
  private static final double ONE = 0x1p32;
  private static final long ROUND_UP = (1L << FRACTION_BITS) - 1;

  /** Positions carry a few roundings of 2^-53 relative to the size; this is more than all. */
  private static final double POSITION_ERROR = 0x1p-46;

  private final WeightVector ideal;

  /** Events at each size of the window but the first. */
  private int[] events = new int[0];

  private int sizes;
  private long sumAtFirst;

  EventWindow(WeightVector ideal) {
    this.ideal = ideal;
  }

  /**
   * Examines the sizes from {@code first} on.
   *
   * @param theta the limit, at least 1; it costs theta events per size
   * @param first the first size, at least 1
   * @param sizes number of sizes, at most {@link #MAX_SIZES}
   */
  void fill(double theta, long first, int sizes) {
    if (events.length < sizes) {
      events = new int[sizes];
    } else {
      Arrays.fill(events, 0, sizes, 0);
    }
    this.sizes = sizes;
    long multiplier = ideal.multiplierFor(theta * first);
    double sizesPerShare = ideal.approximateSize() / theta;
    double origin = first + (first + sizes) * POSITION_ERROR;
    long end = (long) sizes << FRACTION_BITS;
    long sum = 0;
    for (int i = 0; i < ideal.ports(); i++) {
      long share = ideal.floor(i, multiplier);
      sum += share;
      double gap = sizesPerShare / ideal.weight(i);
      double next = (share + 1) * gap - origin;
      if (next < sizes) {
        long step = (long) (Math.min(gap, sizes) * ONE);
        long position = Math.max(1, (long) (next * ONE)) + ROUND_UP;
        for (; position < end; position += step) {
          events[(int) (position >>> FRACTION_BITS)]++;
        }
      }
    }
    sumAtFirst = sum;
  }

  /** The sum at the first size. */
  long sumAtFirst() {
    return sumAtFirst;
  }

  /** The sum at the last size. */
  long sumAtLast() {
    long sum = sumAtFirst;
    for (int i = 0; i < sizes; i++) {
      sum += events[i];
    }
    return sum;
  }

  /** By how much the sum at one size, counted from the first, exceeds that of the size before. */
  int rise(int index) {
    return events[index];
  }
}
