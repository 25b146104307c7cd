package org.evenweave.wcmp.traffic;

import java.util.Optional;
import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Computes routes for a traffic matrix. An implementation needs a linear-program solver and is
 * found by {@link java.util.ServiceLoader}, among others. A computation may take seconds.
 */
public interface TrafficRule {
  /**
   * Why the rule cannot be used on this machine, in a sentence; empty if it can. Asked from many
   * threads; the answer may change, and the first one take a second.
   */
  default Optional<String> problem() {
    return Optional.empty();
  }

  /** The matrix that {@link #routes} are made for, instead of the one that was measured. */
  TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured);

  /**
   * Routes on shortest paths.
   *
   * @return the routes to each endpoint of the matrix, by switch number
   * @throws IllegalStateException if the solver fails
   */
  IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured);
}
