package org.evenweave.engine.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
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
import org.evenweave.engine.config.LimitsReader;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;

/** The oversubscription of groups and the use of the switches' limits. */
@Path("oversubscription")
@Produces(MediaType.APPLICATION_JSON)
public final class OversubscriptionResource {
  private final Engine engine;

  public OversubscriptionResource(Engine engine) {
    this.engine = engine;
  }

  /**
   * {@code
   * {"limit":1.05,"total":1,"switches":[{"switch":"s1-0","table":1024,"target":"ovs","rules":9,
   * "entries":256,"oversubscription":1.0078,"groups":[{"groupId":1,"destinations":2,"ports":4,"entries":256,
   * "oversubscription":1.0078},...]},...]}}; {@code table} is missing where there is no limit.
   * Where the switch has any limit, configured, reported or learned, the field limits has them, and
   * {@code use} what is used of each. Where destinations share groups for want of more, {@code
   * "sharing":{"oversubscription":1.2,"leastOversubscription":1.1}} is what that alone costs the
   * worst of them, and what it costs at least, by proof. A group that serves several sets of next
   * hops is there for each. A group that leaves ports out has these in {@code leftOut}, each with
   * its share of the group's capacity and why, and the share that all of them are in {@code
   * unusedShare}.
   *
   * @param switchId only this switch; 404 if it is not connected
   * @param offset the first switch
   * @param limit at most so many switches
   */
  @GET
  public Response oversubscription(
      @QueryParam("switch") String switchId,
      @QueryParam("offset") @DefaultValue("0") int offset,
      @QueryParam("limit") @DefaultValue("1000") int limit,
      @Context Request request) {
    EngineView view = engine.view();
    if (switchId != null) {
      Responses.requireSwitch(view, switchId);
    }
    List<String> all = switchId != null ? List.of(switchId) : view.snapshot().switchIds();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("limit", view.configuration().maxOversubscriptionDecimal());
    List<String> page = Responses.page(all, offset, limit, root);
    ArrayNode switches = root.putArray("switches");
    return Responses.tagged(
        request,
        view,
        () -> {
          page.forEach(id -> add(switches.addObject(), view, id));
          return root.toString();
        });
  }

  private static void add(ObjectNode node, EngineView view, String switchId) {
    Fabric fabric = view.snapshot().fabric();
    node.put("switch", switchId);
    int tableEntries = fabric.tableEntries(fabric.indexOf(switchId));
    if (tableEntries != Fabric.UNLIMITED) {
      node.put("table", tableEntries);
    }
    SwitchTarget target = view.desired() == null ? null : view.desired().target(switchId);
    if (target != null) {
      node.put("target", target.configName());
    }
    node.put("rules", view.ruleCount(switchId));
    List<GroupState> states =
        view.desired() == null ? List.of() : view.desired().groupsAt(switchId);
    Map<Limits.Kind, Integer> use = view.use(switchId);
    node.put("entries", use.get(Limits.Kind.ENTRIES));
    Limits limits = view.limits(switchId);
    if (!limits.equals(Limits.NONE)) {
      LimitsReader.putAll(node, limits);
      ObjectNode used = node.putObject("use");
      use.forEach(
          (kind, count) -> {
            // The largest weights say something only where they may be limited.
            if (target == null || target.countsBuckets() || !kind.isOfWeights()) {
              used.put(kind.fieldName(), count);
            }
          });
    }
    node.put(
        "oversubscription",
        states.stream().mapToDouble(GroupState::oversubscription).max().orElse(1));
    if (view.desired() != null) {
      GroupJson.putSharing(node, view.desired(), switchId);
    }
    ArrayNode groups = node.putArray("groups");
    for (GroupState state : states) {
      ObjectNode group = groups.addObject();
      group
          .put("groupId", state.group().id())
          .put("destinations", state.destinations().size())
          .put("ports", state.memberCount())
          .put("entries", state.entries())
          .put("oversubscription", state.oversubscription());
      GroupJson.putLeftOut(group, List.of(state));
    }
  }
}
