package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.aggregation.MergedRules;
import org.evenweave.engine.config.LeaveOutReader;
import org.evenweave.engine.config.LimitsReader;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.engine.rest.GroupJson;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.reduction.Ratio;
import picocli.CommandLine.Command;

/** {@code evenweave plan}: what the controller would install in every switch of a fabric. */
@Command(
    name = "plan",
    description = {
      "Prints the groups and flows that the controller gives a fabric's switches.",
      "Reads one JSON object per line, a controller's fabric file or"
          + " {\"fabric\":{...}}, and answers each with one line: the fabric; in \"state\" the"
          + " groups and flows; in \"summary\" each switch's use of its multipath table and"
          + " its worst group's oversubscription. The answer is an input of evenweave verify.",
      "",
      "Optional fields, as in the controller's file:",
      "  \"strategy\":\"ecmp\"            as \"rule\" of evenweave weights, except",
      "                               \"traffic\" (default \"auto\")",
      "  \"maxOversubscription\":1.05   groups take the fewest entries within it",
      "  \"leaveOut\":\"auto\"            slow ports may get no entries (default",
      "                               \"never\")",
      "  \"minNextHops\":2              with \"auto\": at least this many ports of a",
      "                               group get entries"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  jq -c . fabric.json | evenweave plan | jq -c '.summary[]'",
      "  jq -c . fabric.json | evenweave plan | evenweave verify"
    })
public final class PlanTool extends OfflineTool {
  private static final String LIMIT = "maxOversubscription";
  private static final Set<String> OPTIONS = Set.of("strategy", LIMIT, "leaveOut", "minNextHops");

  @Override
  JsonNode answer(JsonNode input) {
    boolean fabricAlone = input.has("switches");
    JsonNode fabricNode = fabricAlone ? withoutOptions(input) : input.get("fabric");
    Fabric fabric = InputFields.fabric(fabricAlone ? "" : "fabric.", fabricNode);
    DesiredState desired = compile(fabricAlone ? "" : "fabric.", fabric, input);
    Map<String, SwitchTables> tables = held(fabricAlone ? "" : "fabric.", fabricNode, desired);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.set("fabric", fabricNode);
    answer.set("state", StateJson.write(fabric, tables));
    answer.set("summary", summary(fabric, desired, tables));
    return answer;
  }

  /** What the switches hold then, by switch id: merged rules where the fabric asks for them. */
  private static Map<String, SwitchTables> held(
      String path, JsonNode fabricNode, DesiredState desired) {
    Map<String, SwitchTables> held = new HashMap<>(desired.tables());
    for (int i = 0; i < fabricNode.path("switches").size(); i++) {
      JsonNode node = fabricNode.get("switches").get(i);
      String id = node.get("id").textValue();
      int limit = desired.limits(id).rules();
      // As the controller, which needs room for both forms while it changes from one to the other.
      if (node.path("aggregate").asBoolean() || held.get(id).flowCount() > limit / 2) {
        held.put(id, MergedRules.of(held.get(id), SwitchTables.EMPTY).settled().tables());
      }
      if (held.get(id).flowCount() > limit) {
        throw new BadInputException(
            path + "switches[" + i + "].limits.rules",
            "is " + limit + "; the least sufficient value is " + held.get(id).flowCount());
      }
    }
    return held;
  }

  private static DesiredState compile(String path, Fabric fabric, JsonNode input) {
    try {
      return TableCompiler.compile(
          PathCalculator.routes(
              new Snapshot(0, fabric, List.of()), InputFields.weightRule(input, "strategy")),
          limit(input),
          LeaveOutReader.read(input, LeaveOut.NEVER),
          Map.of(),
          SwitchTraits.UNKNOWN,
          null);
    } catch (CannotFitException e) {
      FabricException at = e.in(fabric);
      throw new BadInputException(path + at.path(), at.problem());
    }
  }

  /** The limit on every group's oversubscription; 1 asks for the nearest shares. */
  private static Ratio limit(JsonNode input) {
    return input.has(LIMIT) ? InputFields.ratio(LIMIT, input.get(LIMIT)) : Ratio.ONE;
  }

  private static JsonNode withoutOptions(JsonNode file) {
    ObjectNode fabric = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : file.properties()) {
      if (!OPTIONS.contains(field.getKey())) {
        fabric.set(field.getKey(), field.getValue());
      }
    }
    return fabric;
  }

  private static ArrayNode summary(
      Fabric fabric, DesiredState desired, Map<String, SwitchTables> held) {
    Map<String, Double> worst = new HashMap<>();
    Map<String, Integer> entries = new HashMap<>();
    Set<String> counted = new HashSet<>();
    for (GroupState group : desired.groups()) {
      worst.merge(group.switchId(), group.oversubscription(), Math::max);
      if (counted.add(group.switchId() + "/" + group.group().id())) {
        entries.merge(group.switchId(), group.entries(), Integer::sum);
      }
    }
    ArrayNode summary = JsonNodeFactory.instance.arrayNode();
    for (int s = 0; s < fabric.switchCount(); s++) {
      String id = fabric.switchId(s);
      SwitchTables tables = held.get(id);
      ObjectNode row =
          summary
              .addObject()
              .put("switch", id)
              .put("target", desired.target(id).configName())
              .put("flows", StateJson.forwardingRules(tables).size())
              .put("groups", tables.groups().size())
              .put("entries", entries.getOrDefault(id, 0));
      if (fabric.tableEntries(s) != Fabric.UNLIMITED) {
        row.put("table", fabric.tableEntries(s));
      }
      LimitsReader.putAll(row, fabric.limits(s).withEntries(Fabric.UNLIMITED));
      row.put("oversubscription", worst.getOrDefault(id, 1.0));
      GroupJson.putSharing(row, desired, id);
      GroupJson.putLeftOut(row, desired.groupsAt(id));
    }
    return summary;
  }
}
