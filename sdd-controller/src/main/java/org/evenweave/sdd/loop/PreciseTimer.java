package org.evenweave.sdd.loop;

import java.util.concurrent.locks.LockSupport;
import org.evenweave.sdd.session.SharedClock;

/** Waits for a time of the shared clock, to the microsecond where the machine is idle. */
final class PreciseTimer {
  /**
   * Sleep ends this long before the time, then the thread spins. On shared cores a sleeping thread
   * usually wakes within 70 us.
   */
  private static final long SPIN_NS = 80_000;

  private final SharedClock clock;

  PreciseTimer(SharedClock clock) {
    this.clock = clock;
  }

  /**
   * Waits until a time; returns at once if it has passed.
   *
   * @return false if the thread was interrupted before
   */
  boolean until(long timeNs) {
    long leftNs = timeNs - clock.nowNs();
    while (leftNs > 0) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (leftNs > SPIN_NS) {
        LockSupport.parkNanos(leftNs - SPIN_NS);
      } else {
        Thread.onSpinWait();
      }
      leftNs = timeNs - clock.nowNs();
    }
    return !Thread.currentThread().isInterrupted();
  }
}
