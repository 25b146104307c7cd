package org.evenweave.engine.striping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.expansion.Expansion;
import org.evenweave.striping.expansion.ExpansionTarget;
import org.evenweave.striping.expansion.RewiringStep;
import org.evenweave.striping.expansion.WiredLink;
import org.evenweave.striping.expansion.Wiring;
import org.evenweave.striping.metrics.PairThroughput;
import org.evenweave.striping.metrics.StripingReport;
import org.evenweave.striping.picture.PlanPicture;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.evenweave.wcmp.fabric.FabricException;

/**
 * Which S1 and S2 switches to wire, what it achieves, and how to grow it, for the {@code stripe}
 * tool and for REST.
 */
public final class StripingAnswer {
  private StripingAnswer() {}

  /**
   * Computes a plan, a comparison or an expansion.
   *
   * @param input valid by {@code docs/schema/stripe.json}
   * @throws IllegalArgumentException with the field that does not fit the others, and what would
   */
  public static ObjectNode to(JsonNode input) {
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
    boolean isCabled = input.path("cables").asBoolean();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    describe(report.plan(), report.throughput(), answer);
    if (isCabled) {
      addCables(Wiring.of(report.plan()), answer);
    }
    if (input.path("picture").asBoolean()) {
      answer.put("svg", picture(report, size));
    }
    if (input.has("addS1") || input.has("addS2")) {
      answer.set("expansion", expansion(report.plan(), target(size, input), kind, isCabled));
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
      throw new FabricException("picture", e.getMessage() + "; leave it out");
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
      throw new FabricException(field, e.getMessage());
    }
  }

  private static void describe(StripingPlan plan, PairThroughput links, ObjectNode answer) {
    ArrayNode matrix = answer.putArray("matrix");
    for (int[] row : plan.matrix()) {
      ArrayNode counts = matrix.addArray();
      for (int count : row) {
        counts.add(count);
      }
    }
    putThroughput(links, answer);
  }

  private static ObjectNode putThroughput(PairThroughput links, ObjectNode node) {
    return node.putObject("throughput")
        .put("min", links.minLinks())
        .put("mean", links.meanLinks())
        .put("max", links.maxLinks());
  }

  private static void addCables(Wiring wiring, ObjectNode answer) {
    ArrayNode cables = answer.putArray("cables");
    for (WiredLink link : wiring.links()) {
      cables
          .addObject()
          .put("a", "s1-" + link.s1() + "/" + link.s1Port())
          .put("b", "s2-" + link.s2() + "/" + link.s2Port());
    }
  }

  /** What a technician does to a fabric that is wired port by port in the order of the matrix. */
  private static ObjectNode expansion(
      StripingPlan present, StripingParameters target, StripingKind kind, boolean isCabled) {
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
    if (isCabled) {
      addCables(expansion.wiring(), answer);
    }
    return answer;
  }
}
