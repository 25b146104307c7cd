package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/** Writes the switches' tables as {@code docs/schema/state.json} has them. */
final class StateJson {
  private StateJson() {}

  /**
   * @param tables by switch id; all switches of the fabric
   */
  static ObjectNode write(Fabric fabric, Map<String, SwitchTables> tables) {
    ObjectNode state = JsonNodeFactory.instance.objectNode();
    ArrayNode switches = state.putArray("switches");
    for (String id : fabric.switchIds()) {
      ObjectNode node = switches.addObject().put("id", id);
      ArrayNode groups = node.putArray("groups");
      tables.get(id).groups().values().forEach(group -> groups.add(write(group)));
      ArrayNode flows = node.putArray("flows");
      for (FlowRule rule : tables.get(id).flows().values()) {
        flows.addObject().put("match", rule.key()).put("action", action(rule));
      }
    }
    return state;
  }

  private static ObjectNode write(SelectGroup group) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("id", group.id());
    node.putPOJO("ports", group.ports());
    int[] weights = new int[group.bucketCount()];
    Arrays.setAll(weights, group::weight);
    if (Arrays.stream(weights).anyMatch(weight -> weight != 1)) {
      node.putPOJO("weights", weights);
    }
    return node;
  }

  private static String action(FlowRule rule) {
    switch (rule.action()) {
      case TO_CONTROLLER:
        return "controller";
      case ROUTE_TO_GROUP:
        return "dec_ttl,group:" + rule.groupId();
      case ROUTE_TO_PORT:
        return "dec_ttl,output:" + rule.outPort();
      default:
        throw new AssertionError(rule.action() + ": a fabric without hosts delivers to none");
    }
  }
}
