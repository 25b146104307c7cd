package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.IntPredicate;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRoutes;

/** Writes ideal groups: for each port its next hop and weight. */
final class RoutesJson {
  private RoutesJson() {}

  /** What the source of a pair does; further on, all that goes to the destination is alike. */
  static ObjectNode pair(Fabric fabric, int from, DestinationRoutes routes) {
    ObjectNode pair =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", fabric.switchId(from))
            .put("to", fabric.switchId(routes.destination()));
    putPorts(fabric, routes, from, pair);
    return pair;
  }

  /** What all switches on the way do with a pair's packets, and how much gets through. */
  static ObjectNode pair(Fabric fabric, PairRoutes routes) {
    ObjectNode pair = pair(fabric, routes.source(), routes.routes());
    putGroups(fabric, routes.routes(), s -> s != routes.source(), pair);
    return pair.put("maxFlowBps", routes.maxFlowBps());
  }

  /** What all switches do with packets to a destination. */
  static ObjectNode destination(Fabric fabric, DestinationRoutes routes) {
    ObjectNode destination =
        JsonNodeFactory.instance.objectNode().put("to", fabric.switchId(routes.destination()));
    putGroups(fabric, routes, s -> true, destination);
    return destination;
  }

  private static void putGroups(
      Fabric fabric, DestinationRoutes routes, IntPredicate shown, ObjectNode node) {
    ArrayNode groups = node.putArray("groups");
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (shown.test(s) && routes.memberCount(s) > 0) {
        putPorts(fabric, routes, s, groups.addObject().put("switch", fabric.switchId(s)));
      }
    }
  }

  private static void putPorts(Fabric fabric, DestinationRoutes routes, int s, ObjectNode node) {
    ArrayNode ports = node.putArray("ports");
    for (int i = 0; i < routes.memberCount(s); i++) {
      int arc = routes.arc(s, i);
      ports
          .addObject()
          .put("port", fabric.port(arc))
          .put("via", fabric.switchId(fabric.to(arc)))
          .put("weight", routes.weight(s, i));
    }
  }
}
