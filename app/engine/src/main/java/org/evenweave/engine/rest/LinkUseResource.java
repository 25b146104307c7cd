package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.forwarding.TableUse;
import org.evenweave.engine.shares.UsedLinks;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.RoutingLoad;

/** The utilisation of links that carry traffic, in both directions. */
@Path("link-use")
@Produces(MediaType.APPLICATION_JSON)
public final class LinkUseResource {
  private final Engine engine;

  public LinkUseResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"links":[{"a":"s1-0/1","b":"s2-0/1","oversubscription":[1.01,1],
   * "utilisation":[0.4,0.38]},..]}}; first from a to b, then back. Oversubscription is that of the
   * worst group of the sending switch, at this port. Utilisation is by the measured traffic matrix
   * along the wanted routes, and is missing while none is measured.
   */
  @GET
  public String links() {
    EngineView view = engine.view();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode links = root.putArray("links");
    if (view.desired() == null) {
      return root.toString();
    }
    Fabric fabric = view.desired().routing().snapshot().fabric();
    RoutingLoad load = UsedLinks.load(view, engine.traffic().meter().demands());
    Map<String, Map<Integer, Double>> ports = new HashMap<>();
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.isUp(link)) {
        ObjectNode node =
            links
                .addObject()
                .put("a", fabric.end(2 * link).toString())
                .put("b", fabric.end(2 * link + 1).toString());
        ArrayNode worst = node.putArray("oversubscription");
        ArrayNode used = load == null ? null : node.putArray("utilisation");
        for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
          String from = fabric.switchId(fabric.from(arc));
          worst.add(
              ports
                  .computeIfAbsent(from, id -> TableUse.oversubscribedPorts(view.desired(), id))
                  .getOrDefault(fabric.port(arc), 1.0));
          if (used != null) {
            used.add(load.utilisation(arc));
          }
        }
      }
    }
    return root.toString();
  }
}
