package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.evenweave.engine.Engine;
import org.evenweave.engine.EngineView;
import org.evenweave.engine.forwarding.GroupState;

/** The WCMP groups: weights wanted, slots installed, shares realised. */
@Path("groups")
@Produces(MediaType.APPLICATION_JSON)
public final class GroupsResource {
  private final Engine engine;

  public GroupsResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * All groups, or those of one switch: {@code {"groups":[{"switch":"s1-0","destination":"s1-2",
   * "groupId":1,"state":"installed","entries":256,"oversubscription":1.0078,"spreadsUdp":true,"ports":[{"port":1,
   * "via":"s2-0","wanted":1,"installed":43,"idealShare":0.1667,"realisedShare":0.168},...]},...]}}.
   * {@code wanted} is the ideal weight, {@code installed} the slots out of {@code entries}; {@code
   * spreadsUdp} is false where all UDP flows between two hosts may take one port.
   *
   * @param switchId a switch that is there; 404 if it is not
   */
  @GET
  public String groups(@QueryParam("switch") String switchId) {
    EngineView view = engine.view();
    if (switchId != null && !view.snapshot().isPresent(switchId)) {
      throw new NotFoundException("no switch \"" + switchId + "\" is connected");
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode groups = root.putArray("groups");
    for (GroupState state : view.groups()) {
      if (switchId == null || switchId.equals(state.switchId())) {
        for (String destination : state.destinations()) {
          groups.add(group(state, destination, view.isInstalled(state)));
        }
      }
    }
    return root.toString();
  }

  private static ObjectNode group(GroupState state, String destination, boolean installed) {
    ObjectNode group = JsonNodeFactory.instance.objectNode();
    group
        .put("switch", state.switchId())
        .put("destination", destination)
        .put("groupId", state.group().id())
        .put("state", installed ? "installed" : "pending")
        .put("entries", state.entries())
        .put("oversubscription", state.oversubscription())
        .put("spreadsUdp", state.spreadsUdp());
    ArrayNode ports = group.putArray("ports");
    for (int i = 0; i < state.memberCount(); i++) {
      ports
          .addObject()
          .put("port", state.port(i))
          .put("via", state.via(i))
          .put("wanted", state.idealWeight(i))
          .put("installed", state.slotCount(i))
          .put("idealShare", state.idealShare(i))
          .put("realisedShare", state.realisedShare(i));
    }
    return group;
  }
}
