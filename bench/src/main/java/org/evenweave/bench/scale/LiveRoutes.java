package org.evenweave.bench.scale;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesChange;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/** The routes of a fabric, carried over from event to event. */
final class LiveRoutes {
  private RoutesTable table;
  private long touched;

  LiveRoutes(RoutesTable table) {
    this.table = table;
  }

  Fabric fabric() {
    return table.fabric();
  }

  /**
   * What a controller does on an event, up to where it talks to switches: a new snapshot, the
   * routes for it, and every group that has to be changed.
   */
  void linksGo(boolean up, int... links) {
    Fabric next = up ? fabric().withLinksUp(links) : fabric().withLinksDown(links);
    RoutesChange change = table.update(next);
    touched = 0;
    change.forEach((s, destination) -> touched++);
    table = change.table();
  }

  /** Groups, one for each switch and destination, that the last event changed. */
  long touched() {
    return touched;
  }

  /** Whether the full computation has the same group in every switch for every destination. */
  boolean isAsComputedAnew() {
    RoutesTable anew = RoutesTable.compute(fabric(), WeightRule.EFFECTIVE_CAPACITY);
    for (int destination : table.destinations()) {
      DestinationRoutes here = table.to(destination);
      DestinationRoutes there = anew.to(destination);
      for (int s = 0; s < fabric().switchCount(); s++) {
        if (!here.group(s).equals(there.group(s))) {
          return false;
        }
      }
    }
    return true;
  }
}
