package org.evenweave.engine.reweighting;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the share of all groups' traffic that may move to other next hops in any minute. Not
 * thread-safe.
 */
final class ChurnBudget {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private static final class Spent {
    final double part;
    final long atNanos;

    Spent(double part, long atNanos) {
      this.part = part;
      this.atNanos = atNanos;
    }
  }

  /** In the last minute, the earliest first. */
  private final Deque<Spent> spent = new ArrayDeque<>();

  /**
   * Takes what is wanted, or what is left of this minute's if that is less, and returns it.
   *
   * @param perMinute a part of 1; positive
   */
  double take(double wanted, double perMinute, long nowNanos) {
    while (!spent.isEmpty() && nowNanos - spent.getFirst().atNanos >= MINUTE_NANOS) {
      spent.removeFirst();
    }
    double left = perMinute - spent.stream().mapToDouble(earlier -> earlier.part).sum();
    double taken = Math.max(0, Math.min(wanted, left));
    if (taken > 0) {
      spent.addLast(new Spent(taken, nowNanos));
    }
    return taken;
  }
}
