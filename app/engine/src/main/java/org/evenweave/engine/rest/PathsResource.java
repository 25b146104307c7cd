package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.Engine;
import org.evenweave.engine.EngineView;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;

/** All paths between two switches, each with its share of their traffic. */
@Path("paths")
@Produces(MediaType.APPLICATION_JSON)
public final class PathsResource {
  private final Engine engine;

  public PathsResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code {"from":"s1-0","to":"s1-2","paths":[{"links":["s1-0/1-s2-0/1",..],"idealShare":0.1667,
   * "realisedShare":0.168},...],"complete":true}}, by port numbers. Realised is what the groups
   * wanted give by the model of the switch; {@code complete} is false if there are more than the
   * limit.
   *
   * @param from a switch that is connected, as is {@code to}; 404 if one is not
   * @param to one with prefixes; 404 without
   * @param limit at most so many paths
   */
  @GET
  public Response paths(
      @QueryParam("from") String from,
      @QueryParam("to") String to,
      @QueryParam("limit") @DefaultValue("1000") int limit,
      @Context Request request) {
    if (from == null || to == null) {
      throw new BadRequestException("from and to are needed: ?from=s1-0&to=s1-2");
    }
    Answers.requireLimit(limit);
    EngineView view = engine.view();
    int source = Answers.requireSwitch(view, from);
    int destination = Answers.requireSwitch(view, to);
    DestinationRoutes routes =
        view.desired() == null ? null : view.desired().routing().to(destination);
    if (routes == null) {
      throw new NotFoundException("nothing is routed to \"" + to + "\": it has no prefix");
    }
    return Answers.tagged(
        request,
        view,
        () -> {
          ObjectNode root = JsonNodeFactory.instance.objectNode().put("from", from).put("to", to);
          Walk walk = new Walk(view.desired(), routes, root.putArray("paths"), limit);
          walk.from(source, 1, 1);
          return root.put("complete", walk.complete).toString();
        });
  }

  /** Depth first; routes do not loop. */
  private static final class Walk {
    private final Fabric fabric;
    private final DesiredState desired;
    private final DestinationRoutes routes;
    private final ArrayNode paths;
    private final int limit;
    private final Deque<String> links = new ArrayDeque<>();
    private final Map<Integer, GroupState> groupOf = new HashMap<>();
    private boolean complete = true;

    Walk(DesiredState desired, DestinationRoutes routes, ArrayNode paths, int limit) {
      this.desired = desired;
      this.routes = routes;
      this.paths = paths;
      this.limit = limit;
      fabric = desired.routing().snapshot().fabric();
    }

    void from(int s, double idealShare, double realisedShare) {
      if (s == routes.destination()) {
        if (paths.size() == limit) {
          complete = false;
          return;
        }
        ObjectNode path = paths.addObject();
        ArrayNode array = path.putArray("links");
        links.descendingIterator().forEachRemaining(array::add);
        path.put("idealShare", idealShare).put("realisedShare", realisedShare);
        return;
      }
      GroupState group = routes.memberCount(s) > 1 ? groupOf.computeIfAbsent(s, this::group) : null;
      for (int i = 0; complete && i < routes.memberCount(s); i++) {
        int arc = routes.arc(s, i);
        links.push(fabric.end(arc) + "-" + fabric.end(arc ^ 1));
        from(
            fabric.to(arc),
            group == null ? idealShare : idealShare * group.idealShare(i),
            group == null ? realisedShare : realisedShare * group.realisedShare(i));
        links.pop();
      }
    }

    private GroupState group(int s) {
      String destination = fabric.switchId(routes.destination());
      return desired.groupsAt(fabric.switchId(s)).stream()
          .filter(state -> state.destinations().contains(destination))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no group of " + fabric.switchId(s)));
    }
  }
}
