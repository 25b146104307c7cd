package org.evenweave.tls;

/**
 * An allowance of so many things at once, and of so many a second in the long run: a token bucket,
 * held as the time at which it is full again. Times are those of {@link System#nanoTime}. Not
 * thread-safe.
 */
final class Allowance {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final long intervalNanos;
  private final long burstNanos;
  private long fullAtNanos;

  /**
   * A full bucket.
   *
   * @param perSecond tokens that come in a second
   * @param atOnce tokens that it holds
   */
  Allowance(int perSecond, int atOnce, long nowNanos) {
    intervalNanos = SECOND_NANOS / perSecond;
    burstNanos = intervalNanos * (atOnce - 1);
    fullAtNanos = nowNanos;
  }

  /** How long until there is a token; 0 if there is one. */
  long waitNanos(long nowNanos) {
    return Math.max(0, fullAtNanos - nowNanos - burstNanos);
  }

  /** Takes a token if there is one; returns whether there was. */
  boolean take(long nowNanos) {
    if (waitNanos(nowNanos) > 0) {
      return false;
    }
    fullAtNanos = isFull(nowNanos) ? nowNanos + intervalNanos : fullAtNanos + intervalNanos;
    return true;
  }

  /** Puts a token back. */
  void giveBack() {
    fullAtNanos -= intervalNanos;
  }

  /** Whether it is as if nothing had been taken. */
  boolean isFull(long nowNanos) {
    return fullAtNanos - nowNanos <= 0;
  }
}
