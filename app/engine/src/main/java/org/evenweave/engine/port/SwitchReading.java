package org.evenweave.engine.port;

import org.evenweave.engine.foreign.ForeignTables;

/** All that a switch says that it holds. Immutable. */
public final class SwitchReading {
  private final SwitchTables own;
  private final ForeignTables foreign;

  public SwitchReading(SwitchTables own, ForeignTables foreign) {
    this.own = own;
    this.foreign = foreign;
  }

  /** What of it is Evenweave's. */
  public SwitchTables own() {
    return own;
  }

  /** All else. */
  public ForeignTables foreign() {
    return foreign;
  }
}
