package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.evenweave.engine.Engine;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.status.EngineView;

/** The WCMP groups: ideal weights, installed slots, realised shares. */
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
   * "via":"s2-0","wanted":1,"slots":43,"installed":43,"idealShare":0.1667,"realisedShare":0.168},...]},...]}}.
   * {@code wanted} is the ideal weight, {@code slots} how many of {@code entries} the port is to
   * have, {@code installed} how many it has in the group that the switch confirmed or was read with
   * last; all three are no new reading. {@code state} is {@code pending} while that group is
   * another one than is wanted. The ports that the group leaves out are in {@code
   * "leftOut":[{"port":4, "share":0.0008,"why":"..."}]}, and {@code unusedShare} is their share of
   * its capacity. {@code spreadsUdp} is false where all UDP flows between two hosts may take one
   * port.
   *
   * <p>Destinations that share a group each have their row, with the same {@code groupId}; the
   * table holds it once. A row with a {@code source} is for packets from there alone, which other
   * rows to the same destination are not for.
   *
   * @param switchId a switch that is there; 404 if it is not
   * @param offset the first row
   * @param limit at most so many rows
   */
  @GET
  public Response groups(
      @QueryParam("switch") String switchId,
      @QueryParam("offset") @DefaultValue("0") int offset,
      @QueryParam("limit") @DefaultValue("1000") int limit,
      @Context Request request) {
    EngineView view = engine.view();
    if (switchId != null) {
      Responses.requireSwitch(view, switchId);
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    List<Runnable> rows = new ArrayList<>();
    ArrayNode groups = root.putArray("groups");
    for (GroupState state : view.groups()) {
      if (switchId == null || switchId.equals(state.switchId())) {
        for (String destination : state.destinations()) {
          rows.add(() -> groups.add(group(state, null, destination, view.held(state))));
        }
        for (List<String> pair : state.pairs()) {
          rows.add(() -> groups.add(group(state, pair.get(0), pair.get(1), view.held(state))));
        }
      }
    }
    List<Runnable> page = Responses.page(rows, offset, limit, root);
    return Responses.tagged(
        request,
        view,
        () -> {
          page.forEach(Runnable::run);
          return root.toString();
        });
  }

  /**
   * @param source null where the group is for packets from anywhere
   */
  private static ObjectNode group(
      GroupState state, String source, String destination, SelectGroup held) {
    ObjectNode group = JsonNodeFactory.instance.objectNode().put("switch", state.switchId());
    if (source != null) {
      group.put("source", source);
    }
    group
        .put("destination", destination)
        .put("groupId", state.group().id())
        .put("state", state.group().equals(held) ? "installed" : "pending")
        .put("entries", state.entries())
        .put("oversubscription", state.oversubscription())
        .put("spreadsUdp", state.spreadsUdp());
    GroupJson.putLeftOut(group, List.of(state));
    ArrayNode ports = group.putArray("ports");
    for (int i = 0; i < state.memberCount(); i++) {
      ports
          .addObject()
          .put("port", state.port(i))
          .put("via", state.via(i))
          .put("wanted", state.idealWeight(i))
          .put("slots", state.slotCount(i))
          .put("installed", held == null ? 0 : held.weightOf(state.port(i)))
          .put("idealShare", state.idealShare(i))
          .put("realisedShare", state.realisedShare(i));
    }
    return group;
  }
}
