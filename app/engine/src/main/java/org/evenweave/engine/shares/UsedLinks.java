package org.evenweave.engine.shares;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.reweighting.TrafficReweighting;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The utilisation of links, computed from the measured traffic matrix along the desired routes, not
 * from port counters.
 */
public final class UsedLinks {
  private UsedLinks() {}

  /**
   * By the switch where links begin and that where they end, 1 for a full one; of links side by
   * side the fullest, and nothing of links that are down. Nothing at all while no traffic is
   * measured, and nothing with the strategy {@code pair}, whose pairs have routes of their own.
   */
  public static Map<String, Map<String, Double>> of(EngineView view, List<SwitchDemand> demands) {
    Map<String, Map<String, Double>> used = new TreeMap<>();
    RoutingLoad load = load(view, demands);
    if (load == null) {
      return used;
    }
    Fabric fabric = view.desired().routing().snapshot().fabric();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.isUp(arc / 2)) {
        used.computeIfAbsent(fabric.end(arc).switchId(), from -> new TreeMap<>())
            .merge(fabric.end(arc ^ 1).switchId(), load.utilisation(arc), Math::max);
      }
    }
    return used;
  }

  /**
   * The load of each arc of the fabric that the wanted routes are for; null where {@link #of} has
   * nothing.
   */
  public static RoutingLoad load(EngineView view, List<SwitchDemand> demands) {
    if (demands.isEmpty() || view.desired() == null || view.rule() == WeightRule.PAIR) {
      return null;
    }
    Routing routing = view.desired().routing();
    Fabric fabric = routing.snapshot().fabric();
    TrafficMatrix matrix = TrafficReweighting.matrix(fabric, demands);
    for (int i = 0; i < matrix.endpointCount(); i++) {
      if (routing.to(matrix.endpoint(i)) == null) {
        return null;
      }
    }
    return RoutingLoad.of(fabric, routing::to, matrix);
  }
}
