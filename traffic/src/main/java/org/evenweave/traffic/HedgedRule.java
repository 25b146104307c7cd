package org.evenweave.traffic;

import java.util.List;
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
 * those by effective capacity or by maximum flow where these are better for the matrix itself, in
 * this order.
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
    TrafficAwareRoutes hedged =
        TrafficAwareRoutes.compute(fabric, measured, TrafficOptions.DEFAULT);
    IntFunction<DestinationRoutes> best = hedged::to;
    double least = hedged.load(measured).maxUtilisation();
    for (WeightRule rule : List.of(WeightRule.EFFECTIVE_CAPACITY, WeightRule.MAXIMUM_FLOW)) {
      RoutesTable table = RoutesTable.compute(fabric, rule, measured.endpoints());
      double utilisation = RoutingLoad.of(table, measured).maxUtilisation();
      if (utilisation < least) {
        best = table::to;
        least = utilisation;
      }
    }
    return best;
  }
}
