package org.evenweave.engine.links;

import org.evenweave.engine.port.PortCounters;

/**
 * When a port's counters were read, by the engine's clock. A switch answers with the age of the
 * port at that moment, by its own clock. That it lies between the request and the answer gives
 * bounds on the difference of the two clocks, and the quickest answers of many narrow them: the
 * error is that of the quickest answers, and nearly the same for all readings.
 *
 * <p>A switch without ages, or with ages too coarse to fit their own earlier bounds, is taken to
 * look in the middle between request and answer. Not thread-safe.
 */
final class PortClock {
  /**
   * By so much of the time that passes two clocks may drift apart: 100 ppm, twice that of quartz.
   */
  private static final double DRIFT = 1e-4;

  /** Ages may be in steps of so much and fit each other anyway; Open vSwitch's are of 1 ms. */
  private static final double STEP_NANOS = 5e6;

  private boolean known;
  private boolean coarse;
  private double leastOffset;
  private double mostOffset;
  private long latestNanos;

  /** The port's counters were reset. */
  void restart() {
    known = false;
    coarse = false;
  }

  /** When the port was looked at. */
  double nanos(PortLook look) {
    double middle = (look.askedAtNanos + look.answeredAtNanos) / 2.0;
    long age = look.counters.ageNanos();
    if (coarse || age == PortCounters.UNSUPPORTED) {
      return middle;
    }
    double least = look.askedAtNanos - (double) age;
    double most = look.answeredAtNanos - (double) age;
    if (known) {
      double drift = DRIFT * (look.answeredAtNanos - latestNanos);
      least = Math.max(least, leastOffset - drift);
      most = Math.min(most, mostOffset + drift);
    }
    if (least - most > STEP_NANOS) {
      coarse = true;
      return middle;
    }
    known = true;
    leastOffset = Math.min(least, most);
    mostOffset = Math.max(least, most);
    latestNanos = look.answeredAtNanos;
    return age + (least + most) / 2;
  }
}
