package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.topology.Topologies;
import org.junit.jupiter.api.Test;

/** Weights by a traffic matrix and by pair. */
class TrafficWeightsTest {
  /** Of sums of products of doubles, a few for each link. */
  private static final double ROUNDING = 1e-9;

  /** The solver's tolerance, relative to a utilisation near one. */
  private static final double SOLVER = 1e-5;

  /** Trusts the matrix in everything. */
  private static final String TRUSTING = "'hedge':0,'slack':0,'maxSkew':1e9";

  private static JsonNode ask(Fabric fabric, String fields) {
    return ask(FabricJson.write(fabric), fields);
  }

  private static JsonNode ask(JsonNode fabric, String fields) {
    String line = "{'fabric':" + fabric + "," + fields + "}";
    JsonNode answer = Tools.json(Tools.answer("weights", line.replace('\'', '"')));
    assertTrue(!answer.has("error"), answer.toString());
    return answer;
  }

  /** 20 Gb/s from s0 to s1 in a full mesh of 10 Gb/s links; then a matrix that is wrong. */
  @Test
  void aHotSpotGoesAroundAsFarAsTheStretchLimitLets() {
    Fabric mesh = Topologies.hyperX(1, 5);
    String traffic = "'traffic':[{'from':'s0','to':'s1','bps':2e10}]," + TRUSTING;
    JsonNode direct = ask(mesh, traffic);
    assertEquals("traffic", direct.get("rule").asText());
    assertEquals(2, utilisation(direct, "report", "traffic"), 2 * SOLVER);
    JsonNode around =
        ask(mesh, traffic + ",'maxStretch':2,'actual':[{'from':'s2','to':'s1','bps':1e10}]");
    assertEquals(0.5, utilisation(around, "report", "traffic"), SOLVER);
    assertEquals(2, utilisation(around, "report", "wcmp"), ROUNDING);
    assertEquals(2, utilisation(around, "report", "ecmp"), ROUNDING);
    JsonNode row = around.get("report").get(0);
    // A quarter takes one link, the rest two.
    assertEquals(1.75, row.get("meanStretch").asDouble(), SOLVER);
    assertEquals(2.0, row.get("maxStretch").asDouble());
    assertEquals(1, utilisation(around, "actualReport", "wcmp"), ROUNDING);
  }

  @Test
  void trafficWithoutAPathIsReportedAsLost() {
    ObjectNode fabric = FabricJson.write(Fabrics.figure32());
    for (int i = 0; i < 4; i++) {
      ((ArrayNode) fabric.get("links")).remove(0);
    }
    JsonNode answer =
        ask(
            fabric,
            "'traffic':[{'from':'s1-0','to':'s1-2','bps':7},{'from':'s1-1','to':'s1-2','bps':5}]");
    for (JsonNode row : answer.get("report")) {
      assertEquals(7.0, row.get("lostBps").asDouble(), row.toString());
    }
  }

  @Test
  void aRuleWithoutTrafficIsAStrategyByAnotherName() {
    String fabric = "{\"fabric\":" + FabricJson.write(Fabrics.figure32());
    assertEquals(
        Tools.answer("weights", fabric + "}"),
        Tools.answer("weights", fabric + ",\"rule\":\"wcmp\"}"));
    assertEquals(
        Tools.answer("weights", fabric + ",\"strategy\":\"ecmp\"}"),
        Tools.answer("weights", fabric + ",\"rule\":\"ecmp\"}"));
  }

  /** Over shortest paths 30 Gb/s fit; the fourth uplink needs a detour by the other S1 switch. */
  @Test
  void pairsAreWeighedByMaximumFlow() {
    String pair = "'rule':'pair','from':'s1-0','to':'s1-2'";
    JsonNode shortest = ask(Fabrics.figure32(), pair);
    assertEquals(30_000_000_000L, shortest.get("maxFlowBps").asLong());
    assertEquals(3, shortest.get("groups").size());
    JsonNode longer = ask(Fabrics.figure32(), pair + ",'longerPaths':true");
    assertEquals(40_000_000_000L, longer.get("maxFlowBps").asLong());
    JsonNode all = ask(Fabrics.figure32(), "'rule':'pair'");
    assertEquals(6, all.get("pairs").size());
    assertTrue(all.get("pairs").toString().contains(shortest.toString()));
  }

  /** The groups of the answer, followed packet by packet as a switch would, from JSON alone. */
  @Property(tries = 60)
  void theReportIsWhatTheGroupsOfTheAnswerDo(
      @ForAll @IntRange(max = 4) int rule,
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(min = 1, max = 12) int links,
      @ForAll @IntRange(min = 2, max = 4) int halfStretches,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    String name = new String[] {"traffic", "wcmp", "ecmp", "pair", "maxflow"}[rule];
    ArrayNode planned = matrix(random, fabric);
    ArrayNode actual = matrix(random, fabric);
    JsonNode answer =
        ask(
            fabric,
            "'rule':'"
                + name
                + "','maxStretch':"
                + halfStretches / 2.0
                + ",'traffic':"
                + planned
                + ",'actual':"
                + actual);
    assertReported(fabric, answer, planned, row(answer, "report", name));
    assertReported(fabric, answer, actual, row(answer, "actualReport", name));
    double maxStretch = row(answer, "report", name).get("maxStretch").asDouble();
    assertTrue(maxStretch <= Math.max(1, name.equals("traffic") ? halfStretches / 2.0 : 1));
  }

  /** Hedges and limits make no answer worse than what could be had without the matrix. */
  @Property(tries = 60)
  void noOtherRuleHasALowerMaximumUtilisation(
      @ForAll @IntRange(min = 2, max = 4) int stages,
      @ForAll @IntRange(max = 10) int hedgeTenths,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.staged(random, stages);
    ArrayNode matrix = matrix(random, fabric);
    JsonNode answer =
        ask(fabric, "'hedge':" + hedgeTenths / 10.0 + ",'maxSkew':1.2,'traffic':" + matrix);
    double own = utilisation(answer, "report", "traffic");
    for (JsonNode row : answer.get("report")) {
      assertTrue(own <= row.get("maxUtilisation").asDouble(), answer::toString);
    }
    if (answer.has("weightsOf")) {
      assertEquals(utilisation(answer, "report", answer.get("weightsOf").asText()), own);
    }
    assertReported(fabric, answer, matrix, row(answer, "report", "traffic"));
  }

  /**
   * Rates and capacities from 1 Mb/s to 1 Tb/s are all answered. From 1 to 10^18 b/s is more than
   * any solver in doubles can tell apart, but then the error says so.
   */
  @Property(tries = 200)
  void whateverTheMagnitudesThereIsAnAnswerOrAnErrorThatNamesTheField(
      @ForAll boolean wild,
      @ForAll @IntRange(min = 3, max = 7) int switches,
      @ForAll @IntRange(min = 2, max = 16) int links,
      @ForAll @IntRange(min = 2, max = 4) int halfStretches,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    ObjectNode json = FabricJson.write(fabric);
    json.get("links").forEach(link -> ((ObjectNode) link).put("bps", bps(random, wild)));
    ArrayNode matrix = matrix(random, fabric);
    matrix.forEach(demand -> ((ObjectNode) demand).put("bps", bps(random, wild)));
    String line =
        "{'fabric':" + json + ",'traffic':" + matrix + ",'maxStretch':" + halfStretches / 2.0 + "}";
    String text = Tools.answer("weights", line.replace('\'', '"'));
    JsonNode answer = Tools.json(text);
    if (answer.has("error")) {
      assertTrue(wild && answer.get("error").asText().startsWith("traffic: "), text);
    } else {
      double lost = row(answer, "report", "wcmp").get("lostBps").asDouble();
      assertEquals(lost, row(answer, "report", "traffic").get("lostBps").asDouble(), text);
    }
  }

  private static long bps(SplittableRandom random, boolean wild) {
    double decades = wild ? 18 * random.nextDouble() : 6 + 6 * random.nextDouble();
    return (long) Math.pow(10, decades);
  }

  private static void assertReported(
      Fabric fabric, JsonNode answer, ArrayNode matrix, JsonNode row) {
    double[] load = new double[fabric.arcCount()];
    double lost = 0;
    for (JsonNode demand : matrix) {
      Map<String, JsonNode> ports = portsOf(answer, demand);
      lost +=
          send(
              fabric,
              ports,
              demand.get("from").asText(),
              demand,
              demand.get("bps").asDouble(),
              load);
    }
    double max = 0;
    for (int arc = 0; arc < load.length; arc++) {
      max = Math.max(max, load[arc] / fabric.capacityBps(arc));
    }
    assertEquals(max, row.get("maxUtilisation").asDouble(), max * ROUNDING);
    assertEquals(lost, row.get("lostBps").asDouble(), lost * ROUNDING);
  }

  /** By switch, its ports for a demand. */
  private static Map<String, JsonNode> portsOf(JsonNode answer, JsonNode demand) {
    Map<String, JsonNode> ports = new HashMap<>();
    boolean byPair = answer.has("pairs");
    for (JsonNode routes : answer.get(byPair ? "pairs" : "destinations")) {
      if (routes.get("to").equals(demand.get("to"))
          && (!byPair || routes.get("from").equals(demand.get("from")))) {
        routes.get("groups").forEach(g -> ports.put(g.get("switch").asText(), g.get("ports")));
        if (byPair && !routes.get("ports").isEmpty()) {
          ports.put(routes.get("from").asText(), routes.get("ports"));
        }
      }
    }
    return ports;
  }

  /** Returns what is lost. */
  private static double send(
      Fabric fabric,
      Map<String, JsonNode> portsOf,
      String from,
      JsonNode demand,
      double bps,
      double[] load) {
    if (from.equals(demand.get("to").asText())) {
      return 0;
    }
    if (!portsOf.containsKey(from)) {
      return bps;
    }
    double size = 0;
    for (JsonNode port : portsOf.get(from)) {
      size += port.get("weight").asDouble();
    }
    double lost = 0;
    for (JsonNode port : portsOf.get(from)) {
      double share = bps * port.get("weight").asDouble() / size;
      load[arc(fabric, new SwitchPort(from, port.get("port").asInt()))] += share;
      lost += send(fabric, portsOf, port.get("via").asText(), demand, share, load);
    }
    return lost;
  }

  private static int arc(Fabric fabric, SwitchPort end) {
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      if (fabric.end(arc).equals(end)) {
        return arc;
      }
    }
    throw new AssertionError("no port " + end);
  }

  private static ArrayNode matrix(SplittableRandom random, Fabric fabric) {
    ArrayNode matrix = JsonNodeFactory.instance.arrayNode();
    TreeSet<String> seen = new TreeSet<>();
    for (int i = 0; i < 6; i++) {
      String from = fabric.switchId(random.nextInt(fabric.switchCount()));
      String to = fabric.switchId(random.nextInt(fabric.switchCount()));
      if (!from.equals(to) && seen.add(from + " " + to)) {
        ObjectNode demand = matrix.addObject().put("from", from).put("to", to);
        demand.put("bps", random.nextInt(3) == 0 ? 0 : random.nextLong(1, 20_000_000_000L));
      }
    }
    if (matrix.isEmpty()) {
      matrix
          .addObject()
          .put("from", fabric.switchId(0))
          .put("to", fabric.switchId(1))
          .put("bps", 1);
    }
    return matrix;
  }

  private static JsonNode row(JsonNode answer, String report, String rule) {
    for (JsonNode row : answer.get(report)) {
      if (row.get("rule").asText().equals(rule)) {
        return row;
      }
    }
    throw new AssertionError(report + " without " + rule + ": " + answer);
  }

  private static double utilisation(JsonNode answer, String report, String rule) {
    return row(answer, report, rule).get("maxUtilisation").asDouble();
  }
}
