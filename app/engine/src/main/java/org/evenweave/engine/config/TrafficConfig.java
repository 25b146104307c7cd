package org.evenweave.engine.config;

import java.util.Objects;

/** Settings for measuring the traffic matrix and adapting weights to it. Immutable. */
public final class TrafficConfig {
  /** Measured only for the strategy that needs it. */
  public static final TrafficConfig DEFAULT = new TrafficConfig(false, 10, 5, 10);

  private final boolean enabled;
  private final int periodSeconds;
  private final int minGainPercent;
  private final int maxChurnPercentPerMinute;

  /**
   * @param periodSeconds between two readings of a switch's counters, at least 1
   * @param minGainPercent by how much other weights must lower the maximum link utilisation
   * @param maxChurnPercentPerMinute of all groups' slots, at least 1
   */
  public TrafficConfig(
      boolean enabled, int periodSeconds, int minGainPercent, int maxChurnPercentPerMinute) {
    this.enabled = enabled;
    this.periodSeconds = periodSeconds;
    this.minGainPercent = minGainPercent;
    this.maxChurnPercentPerMinute = maxChurnPercentPerMinute;
  }

  /** Whether the traffic matrix is measured whatever the strategy is. */
  public boolean enabled() {
    return enabled;
  }

  /** Between two readings of a switch's counters. */
  public int periodSeconds() {
    return periodSeconds;
  }

  /** By how much other weights must lower the maximum link utilisation, or nothing changes. */
  public int minGainPercent() {
    return minGainPercent;
  }

  /** How much of all groups' slots may change in a minute for another traffic matrix. */
  public int maxChurnPercentPerMinute() {
    return maxChurnPercentPerMinute;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TrafficConfig
        && ((TrafficConfig) other).enabled == enabled
        && ((TrafficConfig) other).periodSeconds == periodSeconds
        && ((TrafficConfig) other).minGainPercent == minGainPercent
        && ((TrafficConfig) other).maxChurnPercentPerMinute == maxChurnPercentPerMinute;
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, periodSeconds, minGainPercent, maxChurnPercentPerMinute);
  }
}
