package org.evenweave.engine.port;

import java.util.Map;
import org.evenweave.engine.foreign.ForeignTables;

/** The complete tables that a switch reports. Immutable. */
public final class SwitchReading {
  private final SwitchTables own;
  private final ForeignTables foreign;
  private final Map<Integer, Long> refusedSources;

  /** A reading without counters. */
  public SwitchReading(SwitchTables own, ForeignTables foreign) {
    this(own, foreign, Map.of());
  }

  /**
   * @param refusedSources by port, the packets that rules which {@linkplain GuardRules#refuseSource
   *     refuse sources} there have dropped since they were written
   */
  public SwitchReading(SwitchTables own, ForeignTables foreign, Map<Integer, Long> refusedSources) {
    this.own = own;
    this.foreign = foreign;
    this.refusedSources = Map.copyOf(refusedSources);
  }

  /** What of it is Evenweave's. */
  public SwitchTables own() {
    return own;
  }

  /** All else. */
  public ForeignTables foreign() {
    return foreign;
  }

  /** By port, how many packets its rules dropped because of their source. */
  public Map<Integer, Long> refusedSources() {
    return refusedSources;
  }
}
