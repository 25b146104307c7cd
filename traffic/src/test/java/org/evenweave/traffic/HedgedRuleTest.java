package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.Example;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/** What the controller gets for a measured matrix. */
class HedgedRuleTest {
  private static final int FABRICS = 60;

  private static double utilisation(Fabric fabric, WeightRule rule, TrafficMatrix matrix) {
    return RoutingLoad.of(RoutesTable.compute(fabric, rule, matrix.endpoints()), matrix)
        .maxUtilisation();
  }

  /** Three stages, where next hops share links further on, so that flows differ from wcmp's. */
  @Example
  void noOtherStrategyHasALessUsedFullestLinkForTheMeasuredMatrix() {
    SplittableRandom random = new SplittableRandom(43);
    int byFlow = 0;
    for (int n = 0; n < FABRICS; n++) {
      Fabric fabric = Fabrics.staged(random, 3);
      int[] endpoints = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY).destinations();
      TrafficMatrix matrix = Matrices.hotSpots(random, endpoints);
      double own =
          RoutingLoad.of(fabric, new HedgedRule().routes(fabric, matrix), matrix).maxUtilisation();
      double wcmp = utilisation(fabric, WeightRule.EFFECTIVE_CAPACITY, matrix);
      double maxflow = utilisation(fabric, WeightRule.MAXIMUM_FLOW, matrix);
      assertTrue(own <= wcmp, "fabric " + n + ": " + own + " against wcmp's " + wcmp);
      assertTrue(own <= maxflow, "fabric " + n + ": " + own + " against maxflow's " + maxflow);
      double hedged =
          TrafficAwareRoutes.compute(fabric, matrix, TrafficOptions.DEFAULT)
              .load(matrix)
              .maxUtilisation();
      byFlow += maxflow < Math.min(hedged, wcmp) ? 1 : 0;
    }
    assertTrue(byFlow > 0, "nowhere are weights by flow the best");
  }
}
