package org.evenweave.wcmp.traffic;

import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * How routes are made for a traffic matrix. It takes a solver of linear programs, so whoever has
 * one provides it, as a service of {@link java.util.ServiceLoader} too. Both methods may take
 * seconds.
 */
public interface TrafficRule {
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
