package org.evenweave.sdd.fastpass;

import java.util.Arrays;

/**
 * Pairs that wait, in the order of their last timeslot, the oldest first; equally old ones as they
 * came. New ones are sorted by a radix sort of two bytes and merged. Allocates nothing after the
 * constructor.
 */
final class AgedPairs {
  /** Pairs that were served longer ago when they came count as equally old. */
  static final int OLDEST = 1 << 16;

  /** A pair has its source in the bits from here on, and its destination in the lowest ones. */
  static final int SOURCE_SHIFT = 26;

  /** A word is a pair in so many bits, and above them when it was served last, modulo 2^24. */
  private static final int PAIR_BITS = 40;

  private static final long PAIR_MASK = (1L << PAIR_BITS) - 1;
  private static final int AGE_MASK = (1 << (Long.SIZE - PAIR_BITS)) - 1;

  private long now;
  private long[] pairs;
  private int count;

  /** Room for the pairs when new ones are merged in. */
  private long[] merged;

  private final long[] requests;
  private int requestCount;
  private final long[] sorted;
  private final int[] digitEnds = new int[256];

  /**
   * @param most the number of pairs at most
   */
  AgedPairs(int most) {
    pairs = new long[most];
    merged = new long[most];
    requests = new long[most];
    sorted = new long[most];
  }

  /**
   * Adds a pair; {@link #sort} gives it its place.
   *
   * @param served the timeslot after that in which it was served last, less than {@link #OLDEST}
   *     ago
   */
  void request(long served, long pair) {
    requests[requestCount++] = served << PAIR_BITS | pair;
  }

  /** Adds a pair that was served later than all others that are sorted. */
  void append(long served, long pair) {
    pairs[count++] = served << PAIR_BITS | pair;
  }

  /** Puts all in order at a time, in timeslots. */
  void sort(long time) {
    now = time;
    if (requestCount == 0) {
      return;
    }
    sortByDigit(requests, sorted, 0);
    sortByDigit(sorted, requests, Byte.SIZE);
    int next = 0;
    int end = 0;
    for (int i = 0; i < requestCount; i++) {
      int age = ageOf(requests[i]);
      while (next < count && ageOf(pairs[next]) >= age) {
        merged[end++] = pairs[next++];
      }
      merged[end++] = requests[i];
    }
    System.arraycopy(pairs, next, merged, end, count - next);
    count += requestCount;
    requestCount = 0;
    long[] before = pairs;
    pairs = merged;
    merged = before;
  }

  /** One pass of a radix sort, by one byte of what an age lacks to the oldest. */
  private void sortByDigit(long[] from, long[] into, int shift) {
    Arrays.fill(digitEnds, 0);
    for (int i = 0; i < requestCount; i++) {
      digitEnds[digit(from[i], shift)]++;
    }
    int end = 0;
    for (int digit = 0; digit < digitEnds.length; digit++) {
      int ofDigit = digitEnds[digit];
      digitEnds[digit] = end;
      end += ofDigit;
    }
    for (int i = 0; i < requestCount; i++) {
      into[digitEnds[digit(from[i], shift)]++] = from[i];
    }
  }

  private int digit(long pair, int shift) {
    return ((OLDEST - 1 - ageOf(pair)) >>> shift) & 0xff;
  }

  /** How long ago a pair was served: less than 2^24 timeslots, as none waits so long. */
  private int ageOf(long pair) {
    return (int) (now - (pair >>> PAIR_BITS)) & AGE_MASK;
  }

  /** The source of a pair. */
  static int source(long pair) {
    return (int) (pair >>> SOURCE_SHIFT) & Arbiter.MAX_HOSTS - 1;
  }

  /** The destination of a pair. */
  static int destination(long pair) {
    return (int) pair & Arbiter.MAX_HOSTS - 1;
  }

  /** How many are sorted. */
  int count() {
    return count;
  }

  /** The pair in a place, the oldest in place 0. */
  long get(int place) {
    return pairs[place] & PAIR_MASK;
  }

  /** The timeslots from a pair's last to the time of the last {@link #sort}. */
  int age(int place) {
    return ageOf(pairs[place]);
  }

  /** Moves a pair to an earlier place. */
  void move(int from, int to) {
    pairs[to] = pairs[from];
  }

  /** Drops all behind the first so many. */
  void cut(int kept) {
    count = kept;
  }

  void clear() {
    count = 0;
    requestCount = 0;
  }
}
