package org.evenweave.sdd.loop;

import java.util.concurrent.locks.LockSupport;
import org.evenweave.sdd.session.SharedClock;

/** Waits for moments of the shared clock, to the microsecond where the machine is not busy. */
final class Waiting {
  /**
   * Sleep ends this long before the moment, the rest is spun. A sleeping thread on shared cores
   * comes back within about 70 us as a rule.
   */
  private static final long SPIN_NS = 80_000;

  private final SharedClock clock;

  Waiting(SharedClock clock) {
    this.clock = clock;
  }

  /**
   * Waits until the moment; not at all if it is over.
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
