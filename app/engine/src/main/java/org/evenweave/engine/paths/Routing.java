package org.evenweave.engine.paths;

import java.util.Map;
import java.util.function.BooleanSupplier;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairTable;
import org.evenweave.wcmp.weights.RoutesChange;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/** Routes and ideal weights towards every switch that has prefixes, for one snapshot. */
public final class Routing {
  /** Stands for this routing without keeping alive the ones it was made from. */
  private final Object identity = new Object();

  private final Snapshot snapshot;
  private final RoutesTable table;
  private final PairTable pairs;
  private final int[] destinations;

  /** Aligned with the destinations, each made when somebody asks for it; threads may race to it. */
  private final DestinationRoutes[] routes;

  private final Object basis;
  private final ChangedRoutes changedSinceBasis;

  Routing(Snapshot snapshot, RoutesTable table, PairTable pairs) {
    this(snapshot, table, pairs, null, null);
  }

  /**
   * @param basis what it was made from, or null
   * @param changedSinceBasis the switches and destinations with other groups than there
   */
  Routing(
      Snapshot snapshot,
      RoutesTable table,
      PairTable pairs,
      Routing basis,
      ChangedRoutes changedSinceBasis) {
    this.snapshot = snapshot;
    this.table = table;
    this.pairs = pairs;
    this.basis = basis == null ? null : basis.identity;
    this.changedSinceBasis = changedSinceBasis;
    destinations = table.destinations();
    routes = new DestinationRoutes[destinations.length];
  }

  private Routing(Routing plain, Map<Integer, DestinationRoutes> others) {
    snapshot = plain.snapshot;
    table = plain.table;
    pairs = plain.pairs.without(others.keySet());
    destinations = plain.destinations;
    routes = plain.routes.clone();
    basis = null;
    changedSinceBasis = null;
    others.forEach((to, instead) -> routes[table.indexOf(to)] = instead);
  }

  /**
   * The same with other routes to some destinations, for all sources alike. Nothing is carried over
   * from it, as it is not what its snapshot and rule alone lead to.
   */
  public Routing with(Map<Integer, DestinationRoutes> others) {
    return new Routing(this, others);
  }

  /** Flows that were outstanding in a routing. */
  public static final class Flows {
    private final RoutesTable of;
    private final PairTable ofPairs;

    /** Null where no destination's flow was outstanding. */
    private final RoutesChange change;

    private final PairTable pairs;

    private Flows(Routing incomplete, RoutesChange change, PairTable pairs) {
      of = incomplete.table;
      ofPairs = incomplete.pairs;
      this.change = change;
      this.pairs = pairs;
    }
  }

  /** Whether no flow is outstanding, of destinations or pairs. */
  public boolean isComplete() {
    return table.isComplete() && pairs.isComplete();
  }

  /** Whether the flow to every destination is there, if not of every pair. */
  public boolean hasFlowsOfDestinations() {
    return table.isComplete();
  }

  /** The same with the flows to all destinations, which it waits for. */
  public Routing withFlowsOfDestinations() {
    return table.isComplete() ? this : with(new Flows(this, table.completed(() -> false), pairs));
  }

  /**
   * Computes the flows that are outstanding, on any thread.
   *
   * @param cancelled whether the result is not needed any more; queried before each flow, on any
   *     thread
   * @return null if it was given up
   */
  public Flows outstandingFlows(BooleanSupplier cancelled) {
    RoutesChange change = table.isComplete() ? null : table.completed(cancelled);
    PairTable completed = pairs.isComplete() ? pairs : pairs.completed(cancelled);
    return cancelled.getAsBoolean() ? null : new Flows(this, change, completed);
  }

  /** Whether the same flows are there, and the same are outstanding. */
  public boolean hasFlowsOf(Routing other) {
    return table == other.table && pairs == other.pairs;
  }

  /** Whether flows are those that are outstanding here. */
  public boolean lacks(Flows flows) {
    return flows.of == table && flows.ofPairs == pairs;
  }

  /**
   * The same with the flows that were outstanding.
   *
   * @param flows which this {@link #lacks}
   */
  public Routing with(Flows flows) {
    return new Routing(this, flows);
  }

  private Routing(Routing incomplete, Flows flows) {
    snapshot = incomplete.snapshot;
    pairs = flows.pairs;
    destinations = incomplete.destinations;
    if (flows.change == null) {
      table = incomplete.table;
      routes = incomplete.routes;
      basis = incomplete.basis;
      changedSinceBasis = incomplete.changedSinceBasis;
    } else {
      table = flows.change.table();
      routes = new DestinationRoutes[destinations.length];
      boolean isAsBasis = incomplete.basis != null && incomplete.changedSinceBasis.isEmpty();
      basis = isAsBasis ? incomplete.basis : null;
      changedSinceBasis =
          isAsBasis ? new ChangedRoutes(flows.change, snapshot.fabric().switchCount()) : null;
    }
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /** The rule by which weights are computed: the choice, where it is made automatically. */
  public WeightRule rule() {
    return table.rule();
  }

  RoutesTable table() {
    return table;
  }

  /** The groups of single pairs, where the rule gives them other ones than their destinations. */
  public PairTable pairs() {
    return pairs;
  }

  /** The switches that have prefixes, by number in the snapshot's fabric, rising. */
  public int[] destinations() {
    return destinations.clone();
  }

  /**
   * The routes to one of the {@link #destinations}.
   *
   * @param destination a switch number; null is returned for one without prefixes
   */
  public DestinationRoutes to(int destination) {
    int index = table.indexOf(destination);
    if (index < 0) {
      return null;
    }
    DestinationRoutes made = routes[index];
    if (made == null) {
      made = table.to(destination);
      routes[index] = made;
    }
    return made;
  }

  /**
   * Whether this routing was made from another one, of the same numbering, so that {@link
   * #changedAt} and {@link #changedDestinations} say how it differs from that.
   */
  public boolean isMadeFrom(Routing earlier) {
    return basis != null && basis == earlier.identity;
  }

  /** Whether a switch has other groups than in the routing that this one was made from. */
  public boolean changedAt(int s) {
    return changedSinceBasis.at(s).length > 0;
  }

  /**
   * The destinations to which a switch has other groups than in the routing that this one was made
   * from, rising; not to be changed.
   */
  public int[] changedDestinations(int s) {
    return changedSinceBasis.at(s);
  }
}
