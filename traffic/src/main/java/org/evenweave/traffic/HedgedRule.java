package org.evenweave.traffic;

import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.traffic.TrafficRule;
import org.evenweave.wcmp.weights.DestinationRoutes;

/** The weights that the tool {@code weights} has for a traffic matrix, with its default hedges. */
public final class HedgedRule implements TrafficRule {
  @Override
  public TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured) {
    return TrafficAwareRoutes.blend(fabric, measured, TrafficOptions.DEFAULT);
  }

  @Override
  public IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured) {
    return TrafficAwareRoutes.compute(fabric, measured, TrafficOptions.DEFAULT)::to;
  }
}
