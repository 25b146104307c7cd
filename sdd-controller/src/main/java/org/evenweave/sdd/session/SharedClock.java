package org.evenweave.sdd.session;

import java.time.Instant;
import org.evenweave.sdd.protocol.wire.Clock;

/** The clock that the controller, the hosts and the circuit switch share. */
public interface SharedClock {
  /** Now, in nanoseconds. */
  long nowNs();

  /** Which clock it is. */
  Clock kind();

  /**
   * The machine's own monotonic clock: {@code CLOCK_MONOTONIC}, which is what {@link
   * System#nanoTime} reads on Linux. For test beds in one machine.
   */
  static SharedClock monotonic() {
    return of(Clock.MONOTONIC, 0);
  }

  /** {@code CLOCK_REALTIME}. */
  static SharedClock realtime() {
    return of(Clock.REALTIME, 0);
  }

  /**
   * {@code CLOCK_TAI}: the real-time clock and its offset, which Java cannot ask the kernel for.
   *
   * @param offsetSeconds TAI - UTC; 37 since 2017
   */
  static SharedClock tai(int offsetSeconds) {
    return of(Clock.TAI, offsetSeconds);
  }

  private static SharedClock of(Clock kind, int offsetSeconds) {
    return new SharedClock() {
      @Override
      public long nowNs() {
        if (kind == Clock.MONOTONIC) {
          return System.nanoTime();
        }
        Instant now = Instant.now();
        return (now.getEpochSecond() + offsetSeconds) * 1_000_000_000L + now.getNano();
      }

      @Override
      public Clock kind() {
        return kind;
      }
    };
  }
}
