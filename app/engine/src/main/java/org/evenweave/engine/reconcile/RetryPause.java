package org.evenweave.engine.reconcile;

/** The pause after switches refused changes. It doubles each time, from 0.1 s to 10 s. */
final class RetryPause {
  static final long FIRST_NANOS = 100_000_000L;
  static final long LONGEST_NANOS = 100 * FIRST_NANOS;

  private long nanos = FIRST_NANOS;

  /** The pause now; the next one is longer. */
  long next() {
    long now = nanos;
    nanos = Math.min(2 * nanos, LONGEST_NANOS);
    return now;
  }

  /** Nothing was refused. */
  void reset() {
    nanos = FIRST_NANOS;
  }
}
