package org.evenweave.sdd.session;

/**
 * The difference between a host's clock and this controller's, from the times in the host's
 * messages.
 *
 * <p>A message comes later than it was written, so that a host's clock seems to be behind by its
 * travel, and of the last messages the least delayed tells most. A clock that seems to be ahead is
 * ahead. Thread-safe.
 */
final class ClockDifference {
  /** So many messages at least are compared, and twice as many at most. */
  static final int MESSAGES = 16;

  /** The least delayed of them has travelled for less, also between busy machines. */
  static final long TRAVEL_NS = 100_000_000;

  /** While they are fewer. */
  static final long FIRST_TRAVEL_NS = 1_000_000_000;

  /** What clocks of one machine differ by when they are read in different ways. */
  private static final long READING_NS = 10_000;

  private long bestNs = Long.MIN_VALUE;
  private long bestBeforeNs = Long.MIN_VALUE;
  private int messages;
  private boolean isFirst = true;

  /**
   * A message has come.
   *
   * @param hostNs when it was written, by the host's clock
   */
  synchronized void add(long hostNs, long nowNs) {
    bestNs = Math.max(bestNs, difference(hostNs, nowNs));
    if (++messages == MESSAGES) {
      bestBeforeNs = bestNs;
      bestNs = Long.MIN_VALUE;
      messages = 0;
      isFirst = false;
    }
  }

  /** Of any two times, also those that no clock has: never more than what a sum of two can hold. */
  private static long difference(long hostNs, long nowNs) {
    long most = Long.MAX_VALUE / 2;
    return Math.max(-most, Math.min(hostNs, most)) - Math.max(0, Math.min(nowNs, most));
  }

  /** The host's time less this side's, less its least travel; 0 before the first message. */
  synchronized long ns() {
    long ns = Math.max(bestNs, bestBeforeNs);
    return ns == Long.MIN_VALUE ? 0 : ns;
  }

  /**
   * Whether both may be the same clock.
   *
   * @param errorNs what they may be apart
   */
  synchronized boolean isPlausible(long errorNs) {
    long travelNs = isFirst ? FIRST_TRAVEL_NS : TRAVEL_NS;
    return ns() <= Math.max(errorNs, READING_NS) && ns() > -Math.max(errorNs, travelNs);
  }
}
