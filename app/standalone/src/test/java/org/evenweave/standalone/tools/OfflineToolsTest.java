package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the tools answer: worked examples, exactness, and plans that verify. */
class OfflineToolsTest {
  @Test
  void reduceGivesTheSmallestGroupWithinTheLimit() {
    assertEquals(
        "{\"weights\":[1,1,2,3],\"entries\":7,\"oversubscription\":1.1428571428571428}",
        Tools.answer("reduce", "{\"weights\":[2,2,3,5],\"maxOversubscription\":1.15}"));
  }

  /**
   * [1,1] for [2,3] is oversubscribed by exactly 1.25, and [1,1,2,3] for [2,2,3,5] by 8/7; limits
   * are given by less than a double can tell.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[2,3]     | 1.25                           | [1,1]",
        "[2,3]     | 125e-2                         | [1,1]",
        "[2,3]     | 1.2499999999999999999999999999 | [1,2]",
        "[2,2,3,5] | 1.1428571428571428571428571429 | [1,1,2,3]",
        "[2,2,3,5] | 1.1428571428571428571428571428 | [2,2,3,4]",
        "[2.0,3e0] | 1                              | [2,3]"
      })
  void limitsAreExactDecimals(String weights, String limit, String reduced) {
    String line = "{\"weights\":" + weights + ",\"maxOversubscription\":" + limit + "}";
    assertEquals(reduced, Tools.json(Tools.answer("reduce", line)).get("weights").toString());
  }

  /** Two ports with a weight of 2 of 12 have one entry of 5 each, 1.2 of their share. */
  @Test
  void fitSharesTheTableAmongTheGroups() {
    assertEquals(
        "{\"groups\":[[1,1,1,2],[1,4]],\"entries\":10,\"oversubscription\":1.2,"
            + "\"perGroup\":[1.2,1.0]}",
        Tools.answer("fit", "{\"groups\":[[2,2,3,5],[1,4]],\"entries\":10}"));
  }

  @Test
  void fitCountsEqualGroupsOnceIfTheyShare() {
    String groups = "{\"groups\":[[1,4],[1,4],[2,8]],\"entries\":";
    assertEquals(
        "{\"groups\":[[1,4],[1,4],[1,4]],\"entries\":5,\"oversubscription\":1.0,"
            + "\"perGroup\":[1.0,1.0,1.0]}",
        Tools.answer("fit", groups + "5,\"sharing\":true}"));
    assertEquals(
        "entries: 5 are too few; the least sufficient value is 6",
        Tools.error("fit", groups + "5}"));
  }

  /** [3,2] of [5,4]: each port is 2/45 off its share. Worst off by oversubscription is [1,1]. */
  @Test
  void fitMinimisesTheObjectiveAskedFor() {
    String line = "{\"groups\":[[5,4],[1,30]],\"entries\":7,\"objective\":";
    JsonNode l1 = Tools.json(Tools.answer("fit", line + "\"l1\"}"));
    assertEquals("[[1,1],[1,4]]", l1.get("groups").toString());
    assertEquals((1.0 / 9 + 2 * (0.2 - 1.0 / 31)) / 2, l1.get("l1").doubleValue(), 1e-12);
    String even = Tools.answer("fit", line + "\"oversubscription\"}");
    assertEquals(even, Tools.answer("fit", line.replace(",\"objective\":", "}")));
  }

  @Test
  void fitBalancesLinksAcrossGroups() {
    String line =
        "{\"groups\":[[1,2],[2,1]],\"entries\":4,\"demands\":[6,6],\"objective\":\"utilisation\"";
    assertEquals(
        "{\"groups\":[[1,1],[1,1]],\"entries\":4,\"oversubscription\":1.5,\"perGroup\":[1.5,1.5],"
            + "\"l1\":0.3333333333333333,\"utilisation\":1.0,\"idealUtilisation\":1.0}",
        Tools.answer("fit", line + "}"));
    JsonNode wide = Tools.json(Tools.answer("fit", line + ",\"capacities\":[12,12]}"));
    assertEquals(0.5, wide.get("utilisation").doubleValue());
    JsonNode apart =
        Tools.json(
            Tools.answer("fit", line + ",\"ports\":[[1,2],[4,3]],\"capacities\":[6,6,6,6]}"));
    assertEquals(0.5, apart.get("utilisation").doubleValue());
    assertEquals(4.0 / 6, apart.get("idealUtilisation").doubleValue(), 1e-12);
  }

  /** Seven entries are enough to make one of the groups exact: the one in demand. */
  @Test
  void fitHoldsAGroupOfMoreDemandToLessExcess() {
    String groups = "{\"groups\":[[1,4],[1,3]],\"entries\":7,\"demands\":";
    assertEquals(
        "[[1,2],[1,3]]",
        Tools.json(Tools.answer("fit", groups + "[1,9]}")).get("groups").toString());
    assertEquals(
        "[[1,4],[1,1]]",
        Tools.json(Tools.answer("fit", groups + "[9,1]}")).get("groups").toString());
  }

  @Test
  void fitLeavesTinyPortsOutAndReportsTheLoss() {
    assertEquals(
        "{\"groups\":[[1,0]],\"entries\":1,\"oversubscription\":1.01,\"perGroup\":[1.01],"
            + "\"capacityLost\":[0.009900990099009901]}",
        Tools.answer(
            "fit", "{\"groups\":[[100,1]],\"entries\":5,\"leaveOut\":\"auto\",\"minNextHops\":1}"));
  }

  @Test
  void reduceLeavesOutWhatMakesTheGroupSmaller() {
    String group = "{\"weights\":[1,400,400,400],\"maxOversubscription\":1.05";
    assertEquals(1144, Tools.json(Tools.answer("reduce", group + "}")).get("entries").intValue());
    String expected =
        "{\"weights\":[0,1,1,1],\"entries\":3,\"oversubscription\":1.0008333333333332}";
    assertEquals(expected, Tools.answer("reduce", group + ",\"leaveOut\":\"auto\"}"));
    assertEquals(
        expected, Tools.answer("reduce", group + ",\"leaveOut\":\"auto\",\"minNextHops\":1}"));
    assertEquals(
        "{\"weights\":[1,2],\"entries\":3,\"oversubscription\":1.0}",
        Tools.answer(
            "reduce",
            "{\"weights\":[3,6],\"maxOversubscription\":1.2,\"leaveOut\":\"auto\",\"minNextHops\":2}"));
  }

  @Test
  void reduceFindsTheFewestPortsOfASwitchThatHasWeightsAsNumbers() {
    String group = "{\"weights\":[1,400,401,400],\"maxOversubscription\":";
    String target = ",\"target\":\"native\",\"limits\":{\"maxWeight\":63,\"maxTotalWeight\":128}";
    assertEquals(
        "{\"weights\":[0,1,1,1],\"entries\":3,\"oversubscription\":1.0016666666666667}",
        Tools.answer("reduce", group + "1.05" + target + ",\"leaveOut\":\"auto\"}"));
    assertEquals(
        "{\"error\":\"maxOversubscription: the least oversubscription of such weights is"
            + " 9.390625; raise it or limits\",\"line\":1}",
        Tools.answer("reduce", group + "1.05" + target + "}"));
    assertEquals(
        "{\"weights\":[1,400,401,400],\"entries\":4,\"oversubscription\":1.0}",
        Tools.answer("reduce", group + "1,\"target\":\"native\"}"));
  }

  @Test
  void fitCountsAnEntryForEachPortOfASwitchThatHasWeightsAsNumbers() {
    String groups = "{\"groups\":[[1000,1001,997],[1,400]],\"target\":\"native\",\"entries\":";
    assertEquals(
        "{\"groups\":[[1000,1001,997],[1,400]],\"entries\":5,\"oversubscription\":1.0,"
            + "\"perGroup\":[1.0,1.0]}",
        Tools.answer("fit", groups + "5}"));
    assertEquals(
        "[[1,1,1],[0,1]]",
        Tools.json(
                Tools.answer(
                    "fit",
                    groups
                        + "4,\"leaveOut\":\"auto\",\"minNextHops\":1,\"limits\":{\"maxWeight\":7}}"))
            .get("groups")
            .toString());
  }

  @Test
  void fitHoldsEveryGroupToItsLimitOfEntries() {
    assertEquals(
        "{\"groups\":[[1,1,3],[1,3]],\"entries\":9,\"oversubscription\":1.2,\"perGroup\":[1.2,1.0]}",
        Tools.answer(
            "fit", "{\"groups\":[[2,3,5],[1,3]],\"entries\":20,\"limits\":{\"groupEntries\":5}}"));
  }

  /** Three uplinks of 400 Gb/s and one of 1 Gb/s. */
  @Test
  void planLeavesASlowUplinkOutWhereOneEntryIsMoreThanItsShare() {
    assertEquals(4.6914, slowUplink("", "ovs"), 1e-4);
    String auto = ",\"leaveOut\":\"auto\"";
    assertEquals(1.0087, slowUplink(auto, "ovs"), 1e-4);
    assertEquals(1.0008, slowUplink(auto, "replicated"), 1e-4);
    // In enough slots the slow port has its share.
    assertTrue(slowUplink(auto, "ovs-large") < 1.0001);
  }

  @Test
  void planSharesAsManyGroupsAsASwitchCanHave() {
    String links =
        "[{\"a\":\"a/1\",\"b\":\"x/1\",\"bps\":10},{\"a\":\"a/2\",\"b\":\"y/1\",\"bps\":10},"
            + "{\"a\":\"a/3\",\"b\":\"z/1\",\"bps\":10},{\"a\":\"b/1\",\"b\":\"x/2\",\"bps\":10},"
            + "{\"a\":\"b/2\",\"b\":\"y/2\",\"bps\":10},{\"a\":\"b/3\",\"b\":\"z/2\",\"bps\":10},"
            + "{\"a\":\"c/1\",\"b\":\"x/3\",\"bps\":10},{\"a\":\"c/2\",\"b\":\"y/3\",\"bps\":10}]";
    String switches =
        "[{\"id\":\"a\",\"stage\":1,\"target\":\"replicated\",\"limits\":{\"groups\":1}},"
            + "{\"id\":\"b\",\"stage\":1},{\"id\":\"c\",\"stage\":1},{\"id\":\"x\",\"stage\":2},"
            + "{\"id\":\"y\",\"stage\":2},{\"id\":\"z\",\"stage\":2}]";
    String subnets =
        "[{\"switch\":\"b\",\"prefix\":\"10.0.1.0/24\"},{\"switch\":\"c\",\"prefix\":\"10.0.2.0/24\"}]";
    String fabric =
        "{\"switches\":" + switches + ",\"links\":" + links + ",\"subnets\":" + subnets + "}";
    // b is behind three spines and c behind two of them: one group of these two serves both.
    assertEquals(
        "{\"switch\":\"a\",\"target\":\"replicated\",\"flows\":2,\"groups\":1,\"entries\":2,"
            + "\"limits\":{\"groups\":1},\"oversubscription\":1.5,"
            + "\"sharing\":{\"oversubscription\":1.5,\"leastOversubscription\":1.5},"
            + "\"unusedShare\":0.3333333333333333,\"leftOut\":[{\"port\":3,\"share\":0.3333333333333333,\"why\":\"destinations"
            + " that share the group do not all have it\"}]}",
        Tools.json(Tools.answer("plan", fabric)).get("summary").get(0).toString());
  }

  private static double slowUplink(String options, String target) {
    StringBuilder links = new StringBuilder();
    StringBuilder switches = new StringBuilder();
    for (int spine = 1; spine <= 4; spine++) {
      String bps = spine == 4 ? "1000000000" : "400000000000";
      links.append(spine == 1 ? "" : ",");
      links.append(
          "{\"a\":\"s1-0/" + spine + "\",\"b\":\"s2-" + spine + "/1\",\"bps\":" + bps + "}");
      links.append(",{\"a\":\"s1-1/" + spine + "\",\"b\":\"s2-" + spine + "/2\",");
      links.append("\"bps\":400000000000}");
      switches.append(",{\"id\":\"s2-" + spine + "\",\"stage\":2}");
    }
    String table = target.equals("replicated") ? ",\"table\":16" : "";
    JsonNode plan =
        Tools.json(
            Tools.answer(
                "plan",
                "{\"switches\":[{\"id\":\"s1-0\",\"stage\":1,\"target\":\""
                    + target
                    + "\""
                    + table
                    + "},{\"id\":\"s1-1\",\"stage\":1}"
                    + switches
                    + "],\"links\":["
                    + links
                    + "],\"subnets\":[{\"switch\":\"s1-0\",\"prefix\":\"10.0.0.0/24\"},"
                    + "{\"switch\":\"s1-1\",\"prefix\":\"10.0.1.0/24\"}]"
                    + options
                    + "}"));
    JsonNode row = plan.get("summary").get(0);
    // What the plan leaves out is no violation, and its worst share is what the summary says.
    double worst = 1;
    for (JsonNode each : plan.get("summary")) {
      worst = Math.max(worst, each.get("oversubscription").doubleValue());
    }
    ((ObjectNode) plan).put("maxOversubscription", worst + 1e-9);
    assertEquals("{\"ok\":true}", Tools.answer("verify", plan.toString()));
    boolean isLeftOut = !options.isEmpty() && !target.equals("ovs-large");
    int slots = target.equals("replicated") ? 3 : 256;
    String why =
        slots == 3
            ? "one entry, 1/3 of the packets, would be 400 times"
            : "one entry, 1/256 of the packets, would be 4.69 times";
    String share = Double.toString(1 / 1201.0);
    assertEquals(
        isLeftOut ? "[{\"port\":4,\"share\":" + share + ",\"why\":\"" + why + " its share\"}]" : "",
        row.path("leftOut").toString());
    assertEquals(isLeftOut ? 1 / 1201.0 : 0, row.path("unusedShare").asDouble());
    return row.get("oversubscription").doubleValue();
  }

  @Test
  void stripePlansTheGroupStripingOfTheDissertation() {
    assertEquals(
        "{\"matrix\":[[2,2,1,1,1,1],[2,2,1,1,1,1],[1,1,2,2,1,1],[1,1,2,2,1,1],[1,1,1,1,2,2],"
            + "[1,1,1,1,2,2]],\"throughput\":{\"min\":6,\"mean\":6.4,\"max\":8}}",
        Tools.answer(
            "stripe", "{\"kind\":\"group\",\"s1\":6,\"s2\":6,\"uplinks\":8,\"downlinks\":8}"));
  }

  /** The example of section 3.4.1: the same mean, but group striping serves three pairs fully. */
  @Test
  void stripeComparesRotationWithGroup() {
    JsonNode rows =
        Tools.json(
                Tools.answer(
                    "stripe",
                    "{\"kind\":\"compare\",\"s1\":6,\"s2\":6,\"uplinks\":8,\"downlinks\":8}"))
            .get("comparison");
    assertEquals("rotation", rows.get(0).get("kind").asText());
    assertEquals(
        "{\"kind\":\"group\",\"throughput\":{\"min\":6,\"mean\":6.4,\"max\":8,"
            + "\"standardDeviation\":0.8,\"distribution\":[{\"links\":6,\"pairs\":12},"
            + "{\"links\":8,\"pairs\":3}]},\"fullThroughputPairs\":3,\"repairedEntries\":0}",
        rows.get(1).toString());
    assertEquals(6.4, rows.get(0).get("throughput").get("mean").asDouble());
    assertEquals(7, rows.get(0).get("throughput").get("max").asInt());
    assertEquals(2, rows.size());
  }

  @Test
  void stripeDrawsAndExpandsWhatItPlanned() {
    String size = "{\"kind\":\"rotation\",\"s1\":4,\"s2\":4,\"uplinks\":6,\"downlinks\":6";
    JsonNode answer = Tools.json(Tools.answer("stripe", size + ",\"picture\":true,\"addS2\":2}"));
    assertTrue(answer.get("svg").asText().contains("<svg"));
    JsonNode expansion = answer.get("expansion");
    assertEquals("[1,1,1,1,1,1]", expansion.get("matrix").get(0).toString());
    assertEquals(8, expansion.get("cablesMoved").asInt());
    assertEquals(
        "move s1-0 port 4 from s2-2 port 2 to s2-4 port 1", expansion.get("steps").get(0).asText());
    assertTrue(Tools.error("stripe", size + ",\"addS2\":1}").startsWith("addS2: "));
  }

  /** Figure 3.2: two links to s2-0, which has but one to s1-2, weigh half each. */
  @Test
  void weightsAreThoseOfFigure32() {
    String fabric = FabricJson.write(Fabrics.figure32()).toString();
    assertEquals(
        "{\"from\":\"s1-0\",\"to\":\"s1-2\",\"ports\":["
            + "{\"port\":1,\"via\":\"s2-0\",\"weight\":1},{\"port\":2,\"via\":\"s2-0\",\"weight\":1},"
            + "{\"port\":3,\"via\":\"s2-1\",\"weight\":2},{\"port\":4,\"via\":\"s2-2\",\"weight\":2}]}",
        Tools.answer("weights", "{\"fabric\":" + fabric + ",\"from\":\"s1-0\",\"to\":\"s1-2\"}"));
    JsonNode pairs = Tools.json(Tools.answer("weights", "{\"fabric\":" + fabric + "}"));
    assertEquals(6, pairs.get("pairs").size());
    for (JsonNode pair : pairs.get("pairs")) {
      String line =
          "{\"fabric\":" + fabric + ",\"from\":" + pair.get("from") + ",\"to\":" + pair.get("to");
      assertEquals(pair.toString(), Tools.answer("weights", line + "}"));
    }
    assertFalse(
        Tools.answer("weights", "{\"fabric\":" + fabric + ",\"strategy\":\"ecmp\"}")
            .contains("\"weight\":2"));
  }

  /** s1-1 has no uplink but to s2-0, so s1-0 leaves that to it. */
  @Test
  void weightsByMaximumFlowLeaveTheSharedNextHopToTheSourceWithoutAnother() {
    String fabric = FabricJson.write(Fabrics.clos(new int[][] {{1, 1}, {1, 0}, {1, 1}})).toString();
    String pair = "{\"fabric\":" + fabric + ",\"from\":\"s1-0\",\"to\":\"s1-2\"";
    String ports = "{\"from\":\"s1-0\",\"to\":\"s1-2\",\"ports\":[{\"port\":2,\"via\":\"s2-1\"";
    String answer = Tools.answer("weights", pair + ",\"strategy\":\"maxflow\"}");
    assertEquals(ports + ",\"weight\":1}]}", answer);
    assertEquals(answer, Tools.answer("weights", pair + ",\"rule\":\"maxflow\"}"));
  }

  @Test
  void aPairWithoutAPathHasNoPorts() {
    String fabric =
        "{\"switches\":[{\"id\":\"a\",\"stage\":1},{\"id\":\"b\",\"stage\":1}],\"links\":[]}";
    assertEquals(
        "{\"from\":\"a\",\"to\":\"b\",\"ports\":[]}",
        Tools.answer("weights", "{\"fabric\":" + fabric + ",\"from\":\"a\",\"to\":\"b\"}"));
  }

  @Test
  void aPlanWithRulesForPairsVerifiesUntilOneLeadsBack() {
    ObjectNode fabric = FabricJson.write(Fabrics.sharedBottleneck());
    String plan = Tools.answer("plan", fabric.put("strategy", "pair").toString());
    String rule = "{\"match\":\"10.0.2.0/24 from 10.0.0.0/24\",\"action\":\"dec_ttl,output:5\"}";
    assertTrue(plan.contains(rule), plan);
    assertEquals("{\"ok\":true}", Tools.answer("verify", plan));
    String back = Tools.answer("verify", plan.replace(rule, rule.replace("output:5", "output:1")));
    assertTrue(back.contains("\"kind\":\"loop\""), back);
  }

  /**
   * Any graph: a plan has no fault but pairs without a path, and its worst share is the one that
   * its summary names. 1e-9 is more than the summary's rounding, less than one share of 256.
   */
  @Property(tries = 150)
  void whatIsPlannedVerifies(@ForAll long seed, @ForAll @IntRange(min = 2, max = 8) int switches) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, switches + random.nextInt(3 * switches));
    String plan = Tools.answer("plan", FabricJson.write(fabric).toString());
    ObjectNode input = (ObjectNode) Tools.json(plan);
    double worst = 1;
    for (JsonNode row : input.get("summary")) {
      worst = Math.max(worst, row.get("oversubscription").asDouble());
    }
    assertOnlyUnreachable(Tools.json(Tools.answer("verify", plan)));
    input.put("maxOversubscription", worst + 1e-9);
    assertOnlyUnreachable(Tools.json(Tools.answer("verify", input.toString())));
    if (worst > 1) {
      input.put("maxOversubscription", worst - 1e-9);
      assertTrue(Tools.answer("verify", input.toString()).contains("\"kind\":\"share\""));
    }
  }

  private static void assertOnlyUnreachable(JsonNode verdict) {
    assertTrue(verdict.has("ok"), verdict.toString());
    assertEquals(verdict.get("ok").asBoolean(), !verdict.has("violations"));
    for (JsonNode violation : verdict.path("violations")) {
      assertEquals("unreachable", violation.get("kind").asText(), violation.toString());
    }
  }

  @Test
  void planTakesALimitInsideAndBesideTheFabric() {
    JsonNode example = Tools.json(Tools.examples("plan").get(1));
    ObjectNode file = (ObjectNode) example.get("fabric").deepCopy();
    file.set("strategy", example.get("strategy"));
    file.set("maxOversubscription", example.get("maxOversubscription"));
    String limited = Tools.answer("plan", example.toString());
    assertEquals(limited, Tools.answer("plan", file.toString()));
    assertEquals(example.get("fabric"), Tools.json(limited).get("fabric"));

    String text = example.get("fabric").toString();
    int[] entries = new int[2];
    for (int i = 0; i < 2; i++) {
      String line = "{\"fabric\":" + text + ",\"maxOversubscription\":" + (1 + i) + "}";
      JsonNode summary = Tools.json(Tools.answer("plan", line)).at("/summary/0");
      assertTrue(summary.get("oversubscription").asDouble() <= 1 + i);
      entries[i] = summary.get("entries").asInt();
    }
    assertTrue(entries[1] < entries[0], entries[1] + " entries, " + entries[0] + " exactly");
  }

  @Test
  void planTellsEachSwitchsTableUse() {
    JsonNode plan = Tools.json(Tools.answer("plan", Tools.examples("plan").get(0)));
    assertEquals(
        "{\"switch\":\"s1-0\",\"target\":\"ovs\",\"flows\":3,\"groups\":1,\"entries\":256,\"table\":1024,"
            + "\"oversubscription\":1.0}",
        plan.get("summary").get(0).toString());
    assertEquals(plan.get("fabric").toString(), Tools.examples("plan").get(0));
    assertEquals(256, plan.at("/state/switches/0/groups/0/ports").size());
  }

  @Test
  void planThatDoesNotFitNamesTheSwitch() {
    String fabric = Tools.examples("plan").get(0).replace("\"table\":1024", "\"table\":3");
    assertEquals(
        "switches[0].table: s1-0: its 1 group needs at least 16 multipath table entries, and its"
            + " table has 3; raise it, or omit it if there is no limit",
        Tools.error("plan", fabric));
    assertTrue(
        Tools.error("plan", "{\"fabric\":" + fabric + "}")
            .startsWith("fabric.switches[0].table: "));
  }

  @Test
  void verifyFindsWhatWasBroken() {
    String line = Tools.examples("verify").get(0);
    assertEquals("{\"ok\":true}", Tools.answer("verify", line));
    assertEquals("share", firstKind(line.replace("[1,1,2]", "[1,1,9]")));
    assertEquals("loop", firstKind(line.replace("dec_ttl,output:2", "dec_ttl,output:1")));
    assertEquals("black-hole", firstKind(line.replace("output:3", "output:9")));
    assertEquals("table-overflow", firstKind(line.replace("\"table\":1024", "\"table\":3")));
    ObjectNode noPath = (ObjectNode) Tools.json(line);
    ((ArrayNode) noPath.at("/fabric/links")).removeAll();
    assertTrue(Tools.answer("verify", noPath.toString()).contains("unreachable"));
  }

  /** 500,000 bytes take 500 us at 8 Gb/s; what a week carries is not planned for again. */
  @Test
  void scheduleGoesOnFromWeekToWeek() {
    String config =
        "\"config\":{\"hosts\":[\"h0\",\"h1\"],\"periodNs\":1000000,\"nightNs\":20000,"
            + "\"guardNs\":1000,\"circuitBps\":8000000000},";
    String waiting = "\"reports\":[{\"from\":\"h0\",\"to\":\"h1\",\"queuedBytes\":500000}]}";
    String first = Tools.answer("schedule", "{" + config + waiting);
    assertEquals(500_000, carriedNs(first), first);
    assertEquals(22_000, Tools.json(first).get("nightNs").asLong());
    assertEquals(0, carriedNs(Tools.answer("schedule", "{" + waiting)));
    assertEquals(500_000, carriedNs(Tools.answer("schedule", "{" + waiting)));
    assertEquals(500_000, carriedNs(Tools.answer("schedule", "{" + config + waiting)));
  }

  @Test
  void scheduleGoesOnAsIfALineThatIsWrongWereNotThere() {
    String reports = "\"reports\":[{\"from\":\"h0\",\"to\":\"h1\",\"queuedBytes\":500000}]}";
    String line = "{\"config\":{\"hosts\":[\"h0\",\"h1\"],\"periodNs\":%d}," + reports;
    String first = Tools.answer("schedule", String.format(Locale.ROOT, line, 10_000_000));
    assertEquals(10_000_000, Tools.json(first).get("weekNs").asLong(), first);
    String wrong = String.format(Locale.ROOT, line, 20_000_000).replace("h1\",\"q", "h2\",\"q");
    assertTrue(Tools.error("schedule", wrong).startsWith("reports[0].to: no host"), wrong);
    String next = Tools.answer("schedule", "{" + reports);
    assertEquals(10_000_000, Tools.json(next).get("weekNs").asLong(), next);
  }

  /** Two racks of four: as many paths are enough for no link to carry two circuits of a day. */
  @Test
  void scheduleShowsPathsBetweenRacks() {
    StringBuilder reports = new StringBuilder();
    for (int pair = 0; pair < 64; pair++) {
      if (pair / 8 != pair % 8) {
        reports
            .append(pair == 1 ? "" : ",")
            .append(
                String.format(
                    Locale.ROOT,
                    "{\"from\":\"h%d\",\"to\":\"h%d\",\"queuedBytes\":%d}",
                    pair / 8,
                    pair % 8,
                    1_000 + 977 * pair % 5_000));
      }
    }
    JsonNode week =
        Tools.json(
            Tools.answer(
                "schedule",
                "{\"config\":{\"hosts\":[\"h0\",\"h1\",\"h2\",\"h3\",\"h4\",\"h5\",\"h6\",\"h7\"],"
                    + "\"racks\":{\"hostsPerRack\":4,\"paths\":4}},\"reports\":["
                    + reports
                    + "]}"));
    int between = 0;
    for (JsonNode day : week.get("days")) {
      Set<String> links = new HashSet<>();
      for (JsonNode circuit : day.get("circuits")) {
        int from = circuit.get("from").asText().charAt(1) - '0';
        int to = circuit.get("to").asText().charAt(1) - '0';
        assertEquals(from / 4 != to / 4, circuit.has("path"), circuit.toString());
        if (circuit.has("path")) {
          int path = circuit.get("path").asInt();
          assertTrue(path >= 0 && path < 4, circuit.toString());
          assertTrue(links.add("up " + from / 4 + " " + path), day.toString());
          assertTrue(links.add("down " + to / 4 + " " + path), day.toString());
          between++;
        }
      }
    }
    assertTrue(between >= 32, "every pair between the racks: " + between);
  }

  private static long carriedNs(String week) {
    long sum = 0;
    for (JsonNode day : Tools.json(week).get("days")) {
      if (day.get("circuits").toString().contains("{\"from\":\"h0\",\"to\":\"h1\"}")) {
        sum += day.get("durationNs").asLong();
      }
    }
    return sum;
  }

  private static String firstKind(String line) {
    return Tools.json(Tools.answer("verify", line)).at("/violations/0/kind").asText();
  }
}
