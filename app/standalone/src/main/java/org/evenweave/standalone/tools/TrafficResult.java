package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.evenweave.traffic.SolverUnavailableException;
import org.evenweave.traffic.TrafficAwareRoutes;
import org.evenweave.traffic.TrafficOptions;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRoutes;
import org.evenweave.wcmp.weights.PairRule;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The answer of {@code weights} where the input has a traffic matrix: the groups of all switches by
 * one rule, and what that rule and others do with the matrix.
 *
 * <p>Loads are measured on the integer weights of the answer, in doubles with a relative error
 * below 1e-12 ({@link RoutingLoad}).
 */
final class TrafficResult {
  private final Fabric fabric;
  private final JsonNode input;
  private final MatrixReader matrices;
  private final TrafficMatrix matrix;

  /** By rule, what it does with a matrix; in the order of the report. */
  private final Map<String, Function<TrafficMatrix, RoutingLoad>> loadOf = new LinkedHashMap<>();

  TrafficResult(Fabric fabric, JsonNode input) {
    this.fabric = fabric;
    this.input = input;
    matrices = new MatrixReader(fabric, input, "traffic", "actual");
    matrix = matrices.matrix("traffic");
  }

  ObjectNode answer() {
    Map<String, IntFunction<DestinationRoutes>> routesOf = new LinkedHashMap<>();
    TrafficAwareRoutes trafficAware = trafficAware();
    routesOf.put("traffic", trafficAware::to);
    for (WeightRule rule :
        List.of(WeightRule.EFFECTIVE_CAPACITY, WeightRule.MAXIMUM_FLOW, WeightRule.EQUAL)) {
      RoutesTable table = RoutesTable.compute(fabric, rule, matrix.endpoints());
      routesOf.put(rule.strategyName(), table::to);
    }
    String best = leastUtilised(routesOf);
    routesOf.put("traffic", routesOf.get(best));
    routesOf.forEach(
        (rule, routes) -> loadOf.put(rule, demands -> RoutingLoad.of(fabric, routes, demands)));
    String asked = input.path("rule").asText("traffic");
    boolean isChosen = asked.equals(WeightRule.AUTOMATIC.strategyName());
    String rule = isChosen ? WeightRule.AUTOMATIC.in(fabric).strategyName() : asked;
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("rule", rule);
    if (rule.equals("traffic") && !best.equals("traffic")) {
      answer.put("weightsOf", best);
    }
    if (rule.equals("pair")) {
      putPairs(answer);
    } else {
      ArrayNode destinations = answer.putArray("destinations");
      for (int d : matrix.endpoints()) {
        destinations.add(RoutesJson.destination(fabric, routesOf.get(rule).apply(d)));
      }
    }
    putReport("report", matrix, answer);
    if (input.has("actual")) {
      putReport("actualReport", matrices.matrix("actual"), answer);
    }
    return answer;
  }

  /**
   * The rule whose fullest link is least used by the matrix as it is given; the first of them. The
   * program's own weights are for a hedged matrix and within limits, which may cost more than the
   * others have.
   */
  private String leastUtilised(Map<String, IntFunction<DestinationRoutes>> routesOf) {
    String best = null;
    double least = Double.POSITIVE_INFINITY;
    for (Map.Entry<String, IntFunction<DestinationRoutes>> candidate : routesOf.entrySet()) {
      double utilisation = RoutingLoad.of(fabric, candidate.getValue(), matrix).maxUtilisation();
      if (best == null || utilisation < least) {
        best = candidate.getKey();
        least = utilisation;
      }
    }
    return best;
  }

  private TrafficAwareRoutes trafficAware() {
    TrafficOptions options = TrafficOptions.DEFAULT;
    if (input.has("maxStretch")) {
      options = options.withMaxStretch(InputFields.ratio("maxStretch", input.get("maxStretch")));
    }
    if (input.has("maxSkew")) {
      options = options.withMaxSkew(input.get("maxSkew").doubleValue());
    }
    if (input.has("hedge")) {
      options = options.withHedgeShare(input.get("hedge").doubleValue());
    }
    if (input.has("slack")) {
      options = options.withSlack(input.get("slack").doubleValue());
    }
    try {
      return TrafficAwareRoutes.compute(fabric, matrix, options);
    } catch (SolverUnavailableException e) {
      throw new BadInputException("traffic", e.getMessage());
    } catch (IllegalStateException e) {
      throw new BadInputException(
          "traffic",
          e.getMessage()
              + ": the solver cannot tell capacities or rates so far apart; bring them nearer");
    }
  }

  private void putPairs(ObjectNode answer) {
    PairRule rule = InputFields.pairRule(input);
    List<PairRoutes> pairs = rule.allRoutes(fabric, matrix.endpoints());
    ArrayNode list = answer.putArray("pairs");
    pairs.forEach(pair -> list.add(RoutesJson.pair(fabric, pair)));
    loadOf.put("pair", demands -> RoutingLoad.ofPairs(fabric, pairs, demands));
  }

  private void putReport(String field, TrafficMatrix demands, ObjectNode answer) {
    ArrayNode report = answer.putArray(field);
    loadOf.forEach(
        (rule, loadWith) -> {
          RoutingLoad load = loadWith.apply(demands);
          report
              .addObject()
              .put("rule", rule)
              .put("maxUtilisation", load.maxUtilisation())
              .put("meanStretch", load.meanStretch())
              .put("maxStretch", load.maxStretch())
              .put("lostBps", load.lostBps());
        });
  }
}
