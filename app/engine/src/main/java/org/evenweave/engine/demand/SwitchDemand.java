package org.evenweave.engine.demand;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The measured traffic from the hosts of one switch to each prefix of other switches. Immutable.
 */
public final class SwitchDemand {
  private final String switchId;
  private final SortedMap<Ipv4Prefix, Double> bps;
  private final long sampledAtNanos;

  SwitchDemand(String switchId, SortedMap<Ipv4Prefix, Double> bps, long sampledAtNanos) {
    this.switchId = switchId;
    this.bps = Collections.unmodifiableSortedMap(new TreeMap<>(bps));
    this.sampledAtNanos = sampledAtNanos;
  }

  public String switchId() {
    return switchId;
  }

  /** Smoothed, in bits per second, by prefix. */
  public SortedMap<Ipv4Prefix, Double> bps() {
    return bps;
  }

  /** All together, in bits per second. */
  public double totalBps() {
    return bps.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** When the switch was asked last and answered, on the engine's clock. */
  public long sampledAtNanos() {
    return sampledAtNanos;
  }
}
