package org.evenweave.engine.config;

import java.util.Objects;

/** Whether and how the traffic matrix is measured. Immutable. */
public final class TrafficConfig {
  /** Nothing is measured. */
  public static final TrafficConfig DEFAULT = new TrafficConfig(false, 10);

  private final boolean enabled;
  private final int periodSeconds;

  /**
   * @param periodSeconds between two readings of a switch's counters, at least 1
   */
  public TrafficConfig(boolean enabled, int periodSeconds) {
    this.enabled = enabled;
    this.periodSeconds = periodSeconds;
  }

  /** Whether the traffic matrix is measured. */
  public boolean enabled() {
    return enabled;
  }

  /** Between two readings of a switch's counters. */
  public int periodSeconds() {
    return periodSeconds;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TrafficConfig
        && ((TrafficConfig) other).enabled == enabled
        && ((TrafficConfig) other).periodSeconds == periodSeconds;
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, periodSeconds);
  }
}
