package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * Writes the switches' tables as {@code docs/schema/state.json} has them: the rules that forward,
 * and not those that keep what is no traffic of a router's out ({@link
 * org.evenweave.engine.port.GuardRules}).
 */
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
      for (FlowRule rule : forwardingRules(tables.get(id))) {
        flows.addObject().put("match", rule.key()).put("action", action(rule));
      }
    }
    return state;
  }

  /** The rules that a forwarding state has, by rising key. */
  static List<FlowRule> forwardingRules(SwitchTables tables) {
    List<FlowRule> rules = new ArrayList<>(tables.flows().values());
    rules.removeIf(
        rule ->
            rule.action() == FlowRule.Action.DROP
                || rule.isSourceGuard()
                || rule.match() == FlowRule.Match.RARP);
    return rules;
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
