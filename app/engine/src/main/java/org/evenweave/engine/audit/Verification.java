package org.evenweave.engine.audit;

import java.util.List;
import org.evenweave.engine.interference.ForeignReport;
import org.evenweave.engine.links.CarriageFault;
import org.evenweave.engine.status.EngineView;

/**
 * The tables of the switches, and the engine's view at the moment when the last switch was read.
 */
public final class Verification {
  private final EngineView view;
  private final ReadBack read;
  private final ForeignReport foreign;
  private final List<CarriageFault> carriage;

  Verification(
      EngineView view, ReadBack read, ForeignReport foreign, List<CarriageFault> carriage) {
    this.view = view;
    this.read = read;
    this.foreign = foreign;
    this.carriage = List.copyOf(carriage);
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

  /** Links and ports that lose or delay traffic by themselves. */
  public List<CarriageFault> carriage() {
    return carriage;
  }
}
