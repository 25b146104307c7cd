package org.evenweave.engine.packets;

/** A limit on how much passes: a rate in the long run, and a burst at once. Not thread-safe. */
public final class TokenBucket {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int rate;
  private final int burst;
  private double tokens;
  private long atNanos;

  /**
   * A full bucket.
   *
   * @param rate tokens that come in a second
   * @param burst tokens that it holds
   * @param nowNanos the time, on the clock of {@link System#nanoTime}
   */
  public TokenBucket(int rate, int burst, long nowNanos) {
    this.rate = rate;
    this.burst = burst;
    this.tokens = burst;
    this.atNanos = nowNanos;
  }

  /** Takes a token; returns whether there was one. */
  public boolean take(long nowNanos) {
    long elapsedNanos = Math.max(0, nowNanos - atNanos);
    tokens = Math.min(burst, tokens + elapsedNanos * (double) rate / NANOS_PER_SECOND);
    atNanos += elapsedNanos;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
