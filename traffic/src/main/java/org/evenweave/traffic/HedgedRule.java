package org.evenweave.traffic;

import java.util.Optional;
import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.traffic.TrafficRule;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The weights that the tool {@code weights} computes for a traffic matrix, with its default hedges;
 * those by effective capacity where these are better for the matrix itself.
 */
public final class HedgedRule implements TrafficRule {
  @Override
  public Optional<String> problem() {
    try {
      SolverLibrary.load();
      return Optional.empty();
    } catch (SolverUnavailableException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured) {
    return TrafficAwareRoutes.blend(fabric, measured, TrafficOptions.DEFAULT);
  }

  @Override
  public IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured) {
    TrafficAwareRoutes routes =
        TrafficAwareRoutes.compute(fabric, measured, TrafficOptions.DEFAULT);
    RoutesTable wcmp =
        RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY, measured.endpoints());
    double utilisationOfWcmp = RoutingLoad.of(wcmp, measured).maxUtilisation();
    return routes.load(measured).maxUtilisation() > utilisationOfWcmp ? wcmp::to : routes::to;
  }
}
