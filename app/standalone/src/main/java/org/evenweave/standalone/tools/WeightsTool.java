package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRule;
import org.evenweave.wcmp.weights.WeightRule;
import picocli.CommandLine.Command;

/** {@code evenweave weights}: the ideal weights of next hops, from topology and traffic. */
@Command(
    name = "weights",
    description = {
      "Computes in which ratio a switch should split traffic over its next hops.",
      "Reads one JSON object per line and answers each with one line: the next hops of"
          + " switch \"from\" towards switch \"to\"; without both, in \"pairs\", those of all"
          + " pairs of switches with subnets. Without a path \"ports\" is empty.",
      "",
      "Optional fields:",
      "  \"rule\":\"auto\"     \"wcmp\" where switches with subnets are at most two links",
      "                    apart, else \"maxflow\" (the default)",
      "                    \"wcmp\": by effective capacity; \"ecmp\": equally;",
      "                    \"maxflow\": by what all switches with subnets can",
      "                    send at once;",
      "                    \"pair\": by maximum flow, with \"groups\" for each pair, over",
      "                    shortest paths, or over all with \"longerPaths\":true",
      "  \"traffic\":[{\"from\":\"s1-0\",\"to\":\"s1-2\",\"bps\":5e9},...]",
      "                    a traffic matrix; \"rule\":\"traffic\", then the default,",
      "                    minimises the maximum link utilisation. The answer has",
      "                    the groups of all switches by destination, and a",
      "                    \"report\" on utilisation, stretch and loss of each rule",
      "  With traffic:",
      "  \"maxStretch\":1    maximum length of a path, in shortest paths",
      "  \"maxSkew\":1.5     maximum share of a link, relative to its WCMP share",
      "  \"hedge\":0.2       share of the matrix that is assumed to be spread evenly",
      "  \"slack\":0.02      allowed excess of utilisation for weights nearer to WCMP",
      "  \"actual\":[...]    the traffic that really comes, for an \"actualReport\""
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  jq -c '{fabric:.,from:\"s1-0\",to:\"s1-2\"}' fabric.json | evenweave weights",
      "  {\"from\":\"s1-0\",\"to\":\"s1-2\",",
      "   \"ports\":[{\"port\":1,\"via\":\"s2-0\",\"weight\":1},...]}   (on one line)",
      "",
      "  jq -c '{fabric:.,traffic:[{from:\"s1-0\",to:\"s1-2\",bps:3e6}],maxStretch:2}' \\",
      "    fabric.json | evenweave weights | jq -c '.report[]'"
    })
public final class WeightsTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    Fabric fabric = InputFields.fabric("fabric.", input.get("fabric"));
    String field = input.has("rule") ? "rule" : "strategy";
    String rule = input.path(field).asText();
    if (input.has("longerPaths") && !rule.equals("pair")) {
      throw new BadInputException(
          "longerPaths", "goes with \"rule\":\"pair\"; the rule \"traffic\" takes maxStretch");
    }
    if (input.has("traffic")) {
      return new TrafficResult(fabric, input).answer();
    }
    if (rule.equals("traffic")) {
      throw new BadInputException("traffic", "is missing; the rule \"traffic\" weighs by it");
    }
    if (rule.equals("pair")) {
      PairRule pairRule = InputFields.pairRule(input);
      return input.has("from")
          ? pairs(
              fabric,
              input,
              to -> from -> RoutesJson.pair(fabric, pairRule.routes(fabric, from, to)))
          : allPairs(fabric, pairRule);
    }
    WeightRule weightRule = InputFields.weightRule(input, field);
    return pairs(
        fabric,
        input,
        to -> {
          DestinationRoutes routes = weightRule.routes(fabric, to);
          return from -> RoutesJson.pair(fabric, from, routes);
        });
  }

  private static ObjectNode allPairs(Fabric fabric, PairRule rule) {
    PairText text = new PairText(fabric);
    int[] switches =
        InputFields.switchesWithSubnets(fabric).stream().mapToInt(Integer::intValue).toArray();
    return JsonNodeFactory.instance
        .objectNode()
        .putPOJO(
            "pairs",
            new BothWaysStream(
                switches,
                (one, other) ->
                    rule.routesBothWays(fabric, one, other).stream()
                        .map(text::of)
                        .collect(Collectors.toList())));
  }

  /**
   * @param pairTo by destination and then source, what to say of the pair
   */
  private static ObjectNode pairs(
      Fabric fabric, JsonNode input, IntFunction<IntFunction<ObjectNode>> pairTo) {
    if (input.has("from")) {
      int from = InputFields.switchNumber(fabric, "from", input.get("from"));
      int to = InputFields.switchNumber(fabric, "to", input.get("to"));
      if (from == to) {
        throw new BadInputException("to", "must be another switch than from");
      }
      return pairTo.apply(to).apply(from);
    }
    return JsonNodeFactory.instance
        .objectNode()
        .putPOJO("pairs", new PairStream(InputFields.switchesWithSubnets(fabric), pairTo));
  }
}
