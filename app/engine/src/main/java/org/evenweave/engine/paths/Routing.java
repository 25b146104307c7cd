package org.evenweave.engine.paths;

import java.util.SortedMap;
import java.util.TreeMap;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;

/** Routes and ideal weights towards every switch that has prefixes, for one snapshot. */
public final class Routing {
  private final Snapshot snapshot;
  private final WeightRule rule;
  private final SortedMap<Integer, DestinationRoutes> byDestination;

  Routing(Snapshot snapshot, WeightRule rule, TreeMap<Integer, DestinationRoutes> byDestination) {
    this.snapshot = snapshot;
    this.rule = rule;
    this.byDestination = byDestination;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  public WeightRule rule() {
    return rule;
  }

  /** By switch number of the destination, in the snapshot's fabric. */
  public SortedMap<Integer, DestinationRoutes> byDestination() {
    return byDestination;
  }
}
