package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import picocli.CommandLine.Command;

/** {@code evenweave weights}: the ideal weights of next hops, from the topology. */
@Command(
    name = "weights",
    description = {
      "Computes in which ratio a switch should split traffic over its next hops.",
      "Reads one JSON object per line and answers each with one line: the next hops",
      "of switch \"from\" towards switch \"to\"; without both, in \"pairs\", those of all",
      "pairs of switches with subnets. No ports: no path.",
      "\"strategy\" is \"wcmp\" (the default) or \"ecmp\"."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  jq -c '{fabric:.,from:\"s1-0\",to:\"s1-2\"}' fabric.json | evenweave weights",
      "  {\"from\":\"s1-0\",\"to\":\"s1-2\",",
      "   \"ports\":[{\"port\":1,\"via\":\"s2-0\",\"weight\":1},...]}   (on one line)"
    })
public final class WeightsTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    Fabric fabric = Fields.fabric("fabric.", input.get("fabric"));
    WeightRule rule = Fields.weightRule(input);
    if (!input.has("from")) {
      return allPairs(fabric, rule);
    }
    int from = Fields.switchNumber(fabric, "from", input.get("from"));
    int to = Fields.switchNumber(fabric, "to", input.get("to"));
    if (from == to) {
      throw new BadInputException("to", "must be another switch than from");
    }
    return pair(fabric, from, rule.routes(fabric, to));
  }

  private static ObjectNode allPairs(Fabric fabric, WeightRule rule) {
    TreeSet<Integer> withSubnets = new TreeSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      withSubnets.add(fabric.subnetSwitch(subnet));
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode pairs = answer.putArray("pairs");
    for (int to : withSubnets) {
      DestinationRoutes routes = rule.routes(fabric, to);
      for (int from : withSubnets) {
        if (from != to) {
          pairs.add(pair(fabric, from, routes));
        }
      }
    }
    return answer;
  }

  private static ObjectNode pair(Fabric fabric, int from, DestinationRoutes routes) {
    ObjectNode pair =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", fabric.switchId(from))
            .put("to", fabric.switchId(routes.destination()));
    ArrayNode ports = pair.putArray("ports");
    for (int i = 0; i < routes.memberCount(from); i++) {
      int arc = routes.arc(from, i);
      ports
          .addObject()
          .put("port", fabric.port(arc))
          .put("via", fabric.switchId(fabric.to(arc)))
          .put("weight", routes.weight(from, i));
    }
    return pair;
  }
}
