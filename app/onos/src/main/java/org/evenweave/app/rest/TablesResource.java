package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.evenweave.app.southbound.SwitchCounters;
import org.evenweave.engine.Engine;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.status.EngineView;

/** Evenweave's groups and rules as the switches have them now: ONOS's own commands show neither. */
@Path("tables")
@Produces(MediaType.APPLICATION_JSON)
public final class TablesResource {
  private final Engine engine;
  private final Function<String, CompletableFuture<SwitchCounters>> counters;

  /**
   * @param counters reads a switch
   */
  public TablesResource(
      Engine engine, Function<String, CompletableFuture<SwitchCounters>> counters) {
    this.engine = engine;
    this.counters = counters;
  }

  /**
   * Of all switches, or of one: {@code {"tables":[{"switch":"s1-0","groups":[{"groupId":1163329537,
   * "packets":206},...],"rules":[{"priority":10025,"match":"10.0.1.0/24","action":"route-to-group",
   * "groupId":1163329537,"packets":206},{"priority":10033,"match":"10.0.0.2/32","action":"deliver",
   * "port":5,"packets":7},...]},...],"unread":[{"switch":"s2-1","problem":".."}]}}. Packets are
   * counted since the group was added, and since the rule was added or last changed.
   *
   * @param switchId a switch that is there; 404 if it is not
   */
  @GET
  public String tables(@QueryParam("switch") String switchId) {
    EngineView view = engine.view();
    SortedMap<String, CompletableFuture<SwitchCounters>> reads = new TreeMap<>();
    if (switchId != null) {
      if (!view.snapshot().isPresent(switchId)) {
        throw new NotFoundException("no switch \"" + switchId + "\" is connected");
      }
      reads.put(switchId, counters.apply(switchId));
    } else {
      view.snapshot().switchIds().forEach(id -> reads.put(id, counters.apply(id)));
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode tables = root.putArray("tables");
    ArrayNode unread = root.putArray("unread");
    reads.forEach(
        (id, read) -> {
          try {
            add(tables.addObject().put("switch", id), read.join());
          } catch (CompletionException e) {
            tables.remove(tables.size() - 1);
            unread.addObject().put("switch", id).put("problem", reason(e.getCause()));
          }
        });
    return root.toString();
  }

  private static void add(ObjectNode table, SwitchCounters held) {
    ArrayNode groups = table.putArray("groups");
    new TreeMap<>(held.groups())
        .forEach((id, packets) -> groups.addObject().put("groupId", id).put("packets", packets));
    ArrayNode rules = table.putArray("rules");
    held.rules().entrySet().stream()
        .sorted(
            Map.Entry.comparingByKey(
                Comparator.comparingInt(SwitchCounters::priority)
                    .reversed()
                    .thenComparing(FlowRule::key)))
        .forEach(entry -> add(rules.addObject(), entry.getKey(), entry.getValue()));
  }

  private static void add(ObjectNode node, FlowRule rule, long packets) {
    node.put("priority", SwitchCounters.priority(rule))
        .put("match", rule.key())
        .put("action", rule.action().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    if (rule.action() == FlowRule.Action.ROUTE_TO_GROUP) {
      node.put("groupId", rule.groupId());
    } else if (rule.action() != FlowRule.Action.TO_CONTROLLER
        && rule.action() != FlowRule.Action.LOOK_UP_AGAIN
        && rule.action() != FlowRule.Action.DROP) {
      node.put("port", rule.outPort());
    }
    node.put("packets", packets);
  }

  private static String reason(Throwable problem) {
    return problem == null || problem.getMessage() == null
        ? "did not answer in time"
        : problem.getMessage();
  }
}
