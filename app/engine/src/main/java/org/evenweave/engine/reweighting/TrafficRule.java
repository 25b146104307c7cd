package org.evenweave.engine.reweighting;

import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * How routes are made for a traffic matrix. A runtime that has a solver of linear programs provides
 * one. Both methods are called on a thread of the runtime and may take seconds.
 */
public interface TrafficRule {
  /** What is wrong with the strategy where there is no such rule. */
  String MISSING =
      "\"traffic\" needs a solver of linear programs, which the embedded controller has and ONOS"
          + " has not; take \"wcmp\" or \"maxflow\"";

  /** The matrix that {@link #routes} are made for, in place of the one that was measured. */
  TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured);

  /**
   * Routes on shortest paths.
   *
   * @return the routes to each endpoint of the matrix, by switch number
   * @throws IllegalStateException if the solver fails
   */
  IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured);
}
