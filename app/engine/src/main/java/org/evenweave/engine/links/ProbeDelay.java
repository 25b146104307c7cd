package org.evenweave.engine.links;

import java.util.Arrays;

/**
 * Measures the recent delay of probes in one direction of a link. Not thread-safe.
 *
 * <p><b>What is the link's.</b> A probe spends time on the connection to the switch that sends it,
 * on the link, and on the connection from the switch that receives it. The two connections take no
 * longer than the two switches' answers to requests of the same time, so what a probe takes beyond
 * these is the link's. A machine or a switch that is stalled delays some probes, but not {@link
 * #ROUNDS} of them without one in time between, and only the least delay of these counts. A probe
 * that took long while the switches answered slowly, too, shows nothing and does not count; the
 * others must come within {@link #SPAN} rounds.
 *
 * <p><b>Queues.</b> A queue before the link delays probes as it does all packets. So a late probe
 * counts only if the link carries so little that no queue can last; one that is not late counts
 * always.
 */
final class ProbeDelay {
  /** From this on a direction is slow: a thousand times what a fabric takes, or a full queue's. */
  static final long SLOW_NANOS = 100_000_000L;

  /** Twenty seconds at a round in two. */
  static final int ROUNDS = 10;

  /** Half of the probes may show nothing, as on a machine with ten times the work it can do. */
  static final int SPAN = 2 * ROUNDS;

  private final long[] underWay = new long[ROUNDS];
  private final long[] answers = new long[ROUNDS];

  /** When each of these came, in rounds. */
  private final int[] arrivals = new int[ROUNDS];

  private int counted;
  private int rounds;

  /**
   * A probe has arrived.
   *
   * @param underWayNanos since it was sent
   * @param answersNanos what the two switches took to answer, together
   * @param mayBeQueue whether it may have waited in a queue
   */
  void add(long underWayNanos, long answersNanos, boolean mayBeQueue) {
    boolean isInTime = underWayNanos < SLOW_NANOS;
    boolean isLate = underWayNanos - answersNanos >= SLOW_NANOS;
    if (isLate && mayBeQueue) {
      return;
    }
    rounds++;
    if (isInTime || isLate) {
      underWay[counted % ROUNDS] = underWayNanos;
      answers[counted % ROUNDS] = answersNanos;
      arrivals[counted % ROUNDS] = rounds;
      counted++;
    }
  }

  /** The link was down meanwhile. */
  void restart() {
    counted = 0;
  }

  /** Whether enough probes have arrived to say anything. */
  boolean isKnown() {
    return counted >= ROUNDS && rounds - arrivals[counted % ROUNDS] < SPAN;
  }

  /** By how much all probes were delayed for sure; 0 while it is not known. */
  private long leastNanos() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      least = Math.min(least, underWay[i] - answers[i]);
    }
    return isKnown() ? Math.max(0, least) : 0;
  }

  /**
   * By how much the link delays packets, as near as can be told: the quickest probe took half the
   * time of the quickest answers besides. 0 while it is not known.
   */
  long aboutNanos() {
    long quickest = Arrays.stream(underWay).min().orElse(0);
    long quickestAnswers = Arrays.stream(answers).min().orElse(0);
    return isKnown() ? Math.max(0, quickest - quickestAnswers / 2) : 0;
  }

  boolean isSlow() {
    return leastNanos() >= SLOW_NANOS;
  }

  /** Whether some probe was delayed by less than half of what makes the direction slow. */
  boolean isPrompt() {
    return isKnown() && leastNanos() < SLOW_NANOS / 2;
  }
}
