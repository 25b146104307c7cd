package org.evenweave.sdd.config;

import java.util.List;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.protocol.FlowMatch;

/** Flows with queues of their own for circuits, one for each destination. Immutable. */
public final class CircuitClass {
  private final String name;
  private final DemandClass demand;
  private final List<FlowMatch> flows;

  /**
   * @param flows without destinations
   */
  public CircuitClass(String name, DemandClass demand, List<FlowMatch> flows) {
    this.name = name;
    this.demand = demand;
    this.flows = List.copyOf(flows);
  }

  public String name() {
    return name;
  }

  /** What a scheduler is to know of it. */
  public DemandClass demand() {
    return demand;
  }

  /** Its flows, whatever their destinations. */
  public List<FlowMatch> flows() {
    return flows;
  }
}
