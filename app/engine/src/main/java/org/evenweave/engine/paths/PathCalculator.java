package org.evenweave.engine.paths;

import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.PairTable;
import org.evenweave.wcmp.weights.RoutesChange;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/** The Path Calculator (Tewari 2015, section 3.6): a pure function of a snapshot and a rule. */
public final class PathCalculator {
  private PathCalculator() {}

  /** Routes to every switch of the snapshot that has at least one prefix. */
  public static Routing routes(Snapshot snapshot, WeightRule rule) {
    RoutesTable table = RoutesTable.compute(snapshot.fabric(), rule);
    PairTable pairs = rule.isByPair() ? PairTable.compute(table) : PairTable.EMPTY;
    return new Routing(snapshot, table, pairs);
  }

  /**
   * The same, sooner where an earlier result is near: what the events in between cannot have
   * changed is taken over from it. That is all an earlier result is for; the outcome does not
   * depend on it, but for flows: those that the events concern are outstanding, of destinations
   * ({@link RoutesTable#updateWithoutFlows}) and of pairs ({@link PairTable#update}), and of all
   * pairs where no earlier result is near. {@link Routing#completed} computes them.
   *
   * @param earlier any result, or null
   */
  public static Routing routes(Snapshot snapshot, WeightRule rule, Routing earlier) {
    Fabric fabric = snapshot.fabric();
    if (earlier == null || earlier.table().asked() != rule) {
      RoutesTable table = RoutesTable.compute(fabric, rule);
      PairTable pairs = rule.isByPair() ? PairTable.outstanding(table) : PairTable.EMPTY;
      return new Routing(snapshot, table, pairs);
    }
    if (!fabric.hasNumberingOf(earlier.snapshot().fabric())) {
      RoutesTable table = RoutesTable.compute(fabric, rule);
      PairTable pairs = rule.isByPair() ? earlier.pairs().carriedOver(table) : PairTable.EMPTY;
      return new Routing(snapshot, table, pairs);
    }
    if (fabric == earlier.snapshot().fabric()) {
      ChangedRoutes none = ChangedRoutes.none(fabric.switchCount());
      return new Routing(snapshot, earlier.table(), earlier.pairs(), earlier, none);
    }
    RoutesChange change = earlier.table().updateWithoutFlows(fabric);
    ChangedRoutes changed = new ChangedRoutes(change, fabric.switchCount());
    PairTable pairs = rule.isByPair() ? earlier.pairs().update(change.table()) : PairTable.EMPTY;
    return new Routing(snapshot, change.table(), pairs, earlier, changed);
  }
}
