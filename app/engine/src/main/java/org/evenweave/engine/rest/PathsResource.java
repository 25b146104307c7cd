package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Arrays;
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
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.IdealGroup;

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
   * wanted give by the model of the switch; a path that a group leaves out has {@code
   * "leftOut":true}; {@code complete} is false if there are more than the limit.
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
    Responses.requireLimit(limit);
    EngineView view = engine.view();
    int source = Responses.requireSwitch(view, from);
    int destination = Responses.requireSwitch(view, to);
    if (view.desired() == null || view.desired().routing().to(destination) == null) {
      throw new NotFoundException("nothing is routed to \"" + to + "\": it has no prefix");
    }
    return Responses.tagged(
        request,
        view,
        () -> {
          ObjectNode root = JsonNodeFactory.instance.objectNode().put("from", from).put("to", to);
          Walk walk = new Walk(view.desired(), source, destination, root.putArray("paths"), limit);
          walk.from(source, 1, 1);
          return root.put("complete", walk.complete).toString();
        });
  }

  /** Depth first; routes do not loop. */
  private static final class Walk {
    private final Fabric fabric;
    private final DesiredState desired;
    private final int source;
    private final int destination;
    private final ArrayNode paths;
    private final int limit;
    private final Deque<String> links = new ArrayDeque<>();
    private final Map<Integer, GroupState> groupOf = new HashMap<>();
    private boolean complete = true;

    Walk(DesiredState desired, int source, int destination, ArrayNode paths, int limit) {
      this.desired = desired;
      this.source = source;
      this.destination = destination;
      this.paths = paths;
      this.limit = limit;
      fabric = desired.routing().snapshot().fabric();
    }

    void from(int s, double idealShare, double realisedShare) {
      if (s == destination) {
        if (paths.size() == limit) {
          complete = false;
          return;
        }
        ObjectNode path = paths.addObject();
        ArrayNode array = path.putArray("links");
        links.descendingIterator().forEachRemaining(array::add);
        path.put("idealShare", idealShare).put("realisedShare", realisedShare);
        if (realisedShare == 0) {
          path.put("leftOut", true);
        }
        return;
      }
      IdealGroup ideal = desired.groupOfPair(s, source, destination);
      int plainPort = desired.plainPort(s, destination);
      GroupState group =
          ideal.memberCount() > 1 && plainPort < 0
              ? groupOf.computeIfAbsent(s, at -> group(at, ideal))
              : null;
      for (int i = 0; complete && i < ideal.memberCount(); i++) {
        int arc = ideal.arc(i);
        double realised = plainPort < 0 || fabric.port(arc) == plainPort ? 1 : 0;
        links.push(fabric.end(arc) + "-" + fabric.end(arc ^ 1));
        from(
            fabric.to(arc),
            idealShare * ideal.weight(i) / sum(ideal),
            realisedShare * (group == null ? realised : group.realisedShare(i)));
        links.pop();
      }
    }

    private static double sum(IdealGroup ideal) {
      return Arrays.stream(ideal.weights()).asDoubleStream().sum();
    }

    private GroupState group(int s, IdealGroup ideal) {
      return desired.groupsAt(fabric.switchId(s)).stream()
          .filter(state -> state.isFor(ideal, fabric))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no group of " + fabric.switchId(s)));
    }
  }
}
