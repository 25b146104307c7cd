package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.expansion.Expansion;
import org.evenweave.striping.expansion.ExpansionTarget;
import org.evenweave.striping.expansion.RewiringStep;
import org.evenweave.striping.expansion.Wiring;
import org.evenweave.striping.metrics.PairThroughput;
import org.evenweave.striping.metrics.StripingReport;
import org.evenweave.striping.picture.PlanPicture;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import picocli.CommandLine.Command;

/** {@code evenweave stripe}: which S1 and S2 switches to wire, what it achieves, how to grow it. */
@Command(
    name = "stripe",
    description = {
      "Plans the links between the S1 and S2 switches of a fabric.",
      "Reads one JSON object per line and answers each with one line: in \"matrix\"",
      "rows are S1 switches, columns S2 switches; \"throughput\" is that of the pairs",
      "of S1 switches. Both are in links. \"kind\" is \"rotation\" or \"group\", or",
      "\"compare\" for the throughput of each, with its distribution over the pairs.",
      "",
      "Optional fields:",
      "  \"picture\":true        the answer's \"svg\" is a picture of the plan",
      "  \"addS1\":n, \"addS2\":n  switches to add to the fabric once it is wired; the",
      "                        answer's \"expansion\" says which cables to move"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  echo '{\"kind\":\"group\",\"s1\":4,\"s2\":4,\"uplinks\":6,\"downlinks\":6}' |",
      "    evenweave stripe",
      "  {\"matrix\":[[2,2,1,1],[2,2,1,1],[1,1,2,2],[1,1,2,2]],",
      "   \"throughput\":{\"min\":4,\"mean\":4.666666666666667,\"max\":6}}   (on one line)"
    })
public final class StripeTool extends OfflineTool {
  @Override
  JsonNode answer(JsonNode input) {
    StripingParameters size =
        StripingParameters.of(
            input.get("s1").intValue(),
            input.get("s2").intValue(),
            input.get("uplinks").intValue(),
            input.get("downlinks").intValue());
    if (input.get("kind").textValue().equals("compare")) {
      return comparison(size);
    }
    StripingKind kind = StripingKind.labelled(input.get("kind").textValue());
    StripingReport report = StripingReport.of(kind, size);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    describe(report.plan(), report.throughput(), answer);
    if (input.path("picture").asBoolean()) {
      answer.put("svg", picture(report, size));
    }
    if (input.has("addS1") || input.has("addS2")) {
      answer.set("expansion", expansion(report.plan(), target(size, input), kind));
    }
    return answer;
  }

  private static ObjectNode comparison(StripingParameters size) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode rows = answer.putArray("comparison");
    for (StripingReport report : StripingReport.comparison(size)) {
      PairThroughput links = report.throughput();
      ObjectNode row = rows.addObject().put("kind", report.kind().label());
      ArrayNode distribution =
          putThroughput(links, row)
              .put("standardDeviation", links.standardDeviationLinks())
              .putArray("distribution");
      links
          .histogram()
          .forEach(
              (value, pairs) -> distribution.addObject().put("links", value).put("pairs", pairs));
      row.put("fullThroughputPairs", links.fullThroughputPairs())
          .put("repairedEntries", report.repairedEntries());
    }
    return answer;
  }

  private static String picture(StripingReport report, StripingParameters size) {
    try {
      return PlanPicture.svg(report.plan(), report.kind().label() + " striping, " + size);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("picture", e.getMessage() + "; leave it out");
    }
  }

  private static StripingParameters target(StripingParameters present, JsonNode input) {
    String field = input.has("addS1") ? "addS1" : "addS2";
    int count = input.get(field).intValue();
    try {
      return field.equals("addS1")
          ? ExpansionTarget.addS1(present, count)
          : ExpansionTarget.addS2(present, count);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(field, e.getMessage());
    }
  }

  private static void describe(StripingPlan plan, PairThroughput links, ObjectNode answer) {
    answer.putPOJO("matrix", plan.matrix());
    putThroughput(links, answer);
  }

  private static ObjectNode putThroughput(PairThroughput links, ObjectNode node) {
    return node.putObject("throughput")
        .put("min", links.minLinks())
        .put("mean", links.meanLinks())
        .put("max", links.maxLinks());
  }

  /** What a technician does to a fabric that is wired port by port in the order of the matrix. */
  private static ObjectNode expansion(
      StripingPlan present, StripingParameters target, StripingKind kind) {
    Expansion expansion = Expansion.plan(Wiring.of(present), target, kind);
    ObjectNode answer =
        JsonNodeFactory.instance
            .objectNode()
            .put("s1", target.s1Count())
            .put("s2", target.s2Count())
            .put("uplinks", target.uplinks())
            .put("downlinks", target.downlinks());
    describe(expansion.plan(), PairThroughput.of(expansion.plan()), answer);
    answer.put("cablesMoved", expansion.linksMoved());
    ArrayNode steps = answer.putArray("steps");
    for (RewiringStep step : expansion.steps()) {
      steps.add(step.toString());
    }
    return answer;
  }
}
