package org.evenweave.engine.paths;

import java.util.TreeMap;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;

/** The Path Calculator (Tewari 2015, section 3.6): a pure function of a snapshot. */
public final class PathCalculator {
  private PathCalculator() {}

  /** Routes to every switch of the snapshot that has at least one prefix. */
  public static Routing routes(Snapshot snapshot, WeightRule rule) {
    Fabric fabric = snapshot.fabric();
    TreeMap<Integer, DestinationRoutes> byDestination = new TreeMap<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      byDestination.computeIfAbsent(
          fabric.subnetSwitch(subnet), destination -> rule.routes(fabric, destination));
    }
    return new Routing(snapshot, rule, byDestination);
  }
}
