package org.evenweave.sdd.config;

import java.util.List;
import org.evenweave.sdd.protocol.FlowMatch;

/** A tenant, or some flows of one, with its part of the shared bandwidth. Immutable. */
public final class TrafficClass {
  private final String name;
  private final int parent;
  private final int weight;
  private final long guaranteedBps;
  private final long ceilingBps;
  private final List<FlowMatch> flows;

  TrafficClass(
      String name,
      int parent,
      int weight,
      long guaranteedBps,
      long ceilingBps,
      List<FlowMatch> flows) {
    this.name = name;
    this.parent = parent;
    this.weight = weight;
    this.guaranteedBps = guaranteedBps;
    this.ceilingBps = ceilingBps;
    this.flows = List.copyOf(flows);
  }

  /** The same with other numbers. */
  TrafficClass with(long otherGuaranteedBps, long otherCeilingBps) {
    return new TrafficClass(name, parent, weight, otherGuaranteedBps, otherCeilingBps, flows);
  }

  public String name() {
    return name;
  }

  /** The place of the class that this one is in among {@link SharingConfig#classes}, or -1. */
  public int parent() {
    return parent;
  }

  /** Its part, relative to the other classes in the same one. */
  public int weight() {
    return weight;
  }

  /** What it gets at least if it wants it; 0 with classes in it: what these are guaranteed. */
  public long guaranteedBps() {
    return guaranteedBps;
  }

  /** What it gets at most; 0 while a trigger has it closed. */
  public long ceilingBps() {
    return ceilingBps;
  }

  /** Its own flows, whatever their destinations; none if it has classes in it. */
  public List<FlowMatch> flows() {
    return flows;
  }
}
