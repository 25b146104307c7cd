package org.evenweave.engine.damping;

import org.evenweave.engine.config.DampingConfig;

/** A penalty that rises with every failure of a link and decays exponentially (RFC 2439). */
final class Penalty {
  private static final double SECOND_NANOS = 1e9;

  private double value;
  private long atNanos;
  private int failures;

  /** The link failed. */
  void add(DampingConfig config, long nowNanos) {
    value = Math.min(at(config, nowNanos) + DampingConfig.PENALTY, config.maxPenalty());
    atNanos = nowNanos;
    failures++;
  }

  /** The penalty at a time, not before that of the last failure. */
  double at(DampingConfig config, long nowNanos) {
    return value * Math.pow(2, -(nowNanos - atNanos) / SECOND_NANOS / config.halfLifeSeconds());
  }

  /** When the penalty has decayed to a value, or before. */
  long reachesNanos(double decayed, DampingConfig config) {
    double halfLives = Math.max(0, Math.log(value / decayed) / Math.log(2));
    return atNanos + (long) Math.ceil(halfLives * config.halfLifeSeconds() * SECOND_NANOS);
  }

  /** How often the link has failed since it was last without penalty. */
  int failures() {
    return failures;
  }
}
