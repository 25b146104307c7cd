package org.evenweave.engine;

import org.evenweave.engine.forwarding.ReadBack;
import org.evenweave.engine.interference.ForeignReport;

/**
 * The tables of the switches, and the engine's view at the moment when the last switch was read.
 */
public final class Verification {
  private final EngineView view;
  private final ReadBack read;
  private final ForeignReport foreign;

  Verification(EngineView view, ReadBack read, ForeignReport foreign) {
    this.view = view;
    this.read = read;
    this.foreign = foreign;
  }

  public EngineView view() {
    return view;
  }

  public ReadBack read() {
    return read;
  }

  /** What others' rules do to the fabric's traffic. */
  public ForeignReport foreign() {
    return foreign;
  }
}
