package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.DesiredState;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import picocli.CommandLine.Command;

/** {@code evenweave plan}: what the controller would install in every switch of a fabric. */
@Command(
    name = "plan",
    description = {
      "Prints the groups and flows that the controller gives a fabric's switches.",
      "Reads one JSON object per line, a fabric or {\"fabric\":{...},\"strategy\":\"ecmp\"},",
      "and answers each with one line: the fabric; in \"state\" the groups and flows; in",
      "\"summary\" each switch's use of its multipath table and its worst group's",
      "oversubscription. The answer is an input of evenweave verify."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  jq -c . fabric.json | evenweave plan | jq -c '.summary[]'",
      "  jq -c . fabric.json | evenweave plan | evenweave verify"
    })
public final class PlanTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    boolean fabricAlone = input.has("switches");
    JsonNode fabricNode = fabricAlone ? input : input.get("fabric");
    Fabric fabric = Fields.fabric(fabricAlone ? "" : "fabric.", fabricNode);
    DesiredState desired = compile(fabricAlone ? "" : "fabric.", fabric, input);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.set("fabric", fabricNode);
    answer.set("state", StateJson.write(fabric, desired.tables()));
    answer.set("summary", summary(fabric, desired));
    return answer;
  }

  private static DesiredState compile(String path, Fabric fabric, JsonNode input) {
    try {
      return TableCompiler.compile(
          PathCalculator.routes(
              new Snapshot(0, fabric, List.of()), Fields.weightRule(input, "strategy")),
          Map.of(),
          ofSomeSwitch -> false);
    } catch (CannotFitException e) {
      // Its message begins with the switch's name.
      int s = 0;
      while (!e.getMessage().startsWith(fabric.switchId(s) + ": ")) {
        s++;
      }
      throw new BadInputException(
          path + "switches[" + s + "].table",
          e.getMessage() + "; raise it, or leave it out where there is no limit");
    }
  }

  private static ArrayNode summary(Fabric fabric, DesiredState desired) {
    Map<String, Double> worst = new HashMap<>();
    Map<String, Integer> entries = new HashMap<>();
    for (GroupState group : desired.groups()) {
      worst.merge(group.switchId(), group.oversubscription(), Math::max);
      entries.merge(group.switchId(), group.entries(), Integer::sum);
    }
    ArrayNode summary = JsonNodeFactory.instance.arrayNode();
    for (int s = 0; s < fabric.switchCount(); s++) {
      String id = fabric.switchId(s);
      SwitchTables tables = desired.tables().get(id);
      ObjectNode row =
          summary
              .addObject()
              .put("switch", id)
              .put("flows", tables.flows().size())
              .put("groups", tables.groups().size())
              .put("entries", entries.getOrDefault(id, 0));
      if (fabric.tableEntries(s) != Fabric.UNLIMITED) {
        row.put("table", fabric.tableEntries(s));
      }
      row.put("oversubscription", worst.getOrDefault(id, 1.0));
    }
    return summary;
  }
}
