package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.IdealGroup;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The group-striped fabrics of Figure 3.12 (Tewari 2015, section 3.7.3) on switches with replicated
 * entries: what {@code plan} installs is what {@code fit} makes of their groups.
 */
class Figure312PlanTest {
  private static final int TABLE_ENTRIES = 4096;

  static Stream<Arguments> fabrics() {
    return Stream.of(96, 192)
        .flatMap(uplinks -> Stream.of(5, 7, 12, 16, 19).map(s1 -> Arguments.of(s1, uplinks)));
  }

  private static Fabric fabric(int s1Count, int uplinks) {
    int downlinks = uplinks / 3;
    int s2Count = s1Count * uplinks / downlinks;
    StripingPlan plan =
        StripingKind.GROUP.plan(StripingParameters.of(s1Count, s2Count, uplinks, downlinks));
    FabricBuilder builder = new FabricBuilder();
    for (int s1 = 0; s1 < s1Count; s1++) {
      builder.addSwitch("s1-" + s1, 1, TABLE_ENTRIES);
      builder.addSubnet("s1-" + s1, Ipv4Prefix.of(10 << 24 | s1 << 8, 24));
    }
    int[] s1Port = new int[s1Count];
    for (int s2 = 0; s2 < s2Count; s2++) {
      builder.addSwitch("s2-" + s2, 2, TABLE_ENTRIES);
      int s2Port = 0;
      for (int s1 = 0; s1 < s1Count; s1++) {
        for (int link = 0; link < plan.links(s1, s2); link++) {
          SwitchPort below = new SwitchPort("s1-" + s1, ++s1Port[s1]);
          builder.addLink(below, new SwitchPort("s2-" + s2, ++s2Port), 10_000_000_000L);
        }
      }
    }
    return builder.build();
  }

  private static JsonNode plan(Fabric fabric, String limit) {
    ObjectNode json = FabricJson.write(fabric);
    json.get("switches")
        .forEach(
            node -> ((ObjectNode) node).put("table", TABLE_ENTRIES).put("target", "replicated"));
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("fabric", json);
    return Tools.json(
        Tools.answer(
            "plan",
            line.toString().replaceFirst("\\{", "{\"maxOversubscription\":" + limit + ",")));
  }

  /** The distinct groups of a switch with several next hops. */
  private static List<IdealGroup> groups(Fabric fabric, RoutesTable routes, int s) {
    Set<IdealGroup> groups = new LinkedHashSet<>();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      IdealGroup group = routes.to(fabric.subnetSwitch(i)).group(s);
      if (group.memberCount() > 1) {
        groups.add(group);
      }
    }
    return new ArrayList<>(groups);
  }

  private static JsonNode fit(List<IdealGroup> groups) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    ArrayNode weights = line.putArray("groups");
    groups.forEach(group -> weights.addPOJO(group.weights()));
    return Tools.json(Tools.answer("fit", line.put("entries", TABLE_ENTRIES).toString()));
  }

  private static Set<String> described(JsonNode stateOfSwitch) {
    Set<String> described = new TreeSet<>();
    for (JsonNode group : stateOfSwitch.get("groups")) {
      List<String> weights = new ArrayList<>();
      for (int i = 0; i < group.get("ports").size(); i++) {
        weights.add(group.path("weights").path(i).asText("1"));
      }
      described.add(group.get("ports") + " " + weights);
    }
    return described;
  }

  private static Set<String> described(Fabric fabric, List<IdealGroup> groups, JsonNode fitted) {
    Set<String> described = new TreeSet<>();
    for (int g = 0; g < groups.size(); g++) {
      int[] ports = groups.get(g).ports(fabric);
      List<String> weights = new ArrayList<>();
      fitted.at("/groups/" + g).forEach(weight -> weights.add(weight.asText()));
      String portList =
          IntStream.of(ports).mapToObj(String::valueOf).reduce((a, b) -> a + "," + b).get();
      described.add("[" + portList + "] " + weights);
    }
    return described;
  }

  @ParameterizedTest
  @MethodSource("fabrics")
  void aPlanIsTheFittingEntryForEntry(int s1Count, int uplinks) {
    Fabric fabric = fabric(s1Count, uplinks);
    JsonNode plan = plan(fabric, "1");
    RoutesTable routes = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    for (int s = 0; s < fabric.switchCount(); s++) {
      List<IdealGroup> groups = groups(fabric, routes, s);
      JsonNode summary = plan.get("summary").get(s);
      if (groups.isEmpty()) {
        assertEquals(0, summary.get("entries").asInt());
        continue;
      }
      JsonNode fitted = fit(groups);
      assertEquals(fitted.get("entries").asInt(), summary.get("entries").asInt());
      assertEquals(
          fitted.get("oversubscription").asDouble(),
          summary.get("oversubscription").asDouble(),
          1e-12);
      assertEquals(described(fabric, groups, fitted), described(plan.at("/state/switches/" + s)));
    }
    assertTrue(Tools.answer("verify", plan.toString()).contains("\"ok\":true"));
  }

  @Test
  void equalLinksTakeOneEntryEach() {
    JsonNode summary = plan(fabric(16, 192), "1").at("/summary/0");
    assertEquals(192, summary.get("entries").asInt());
    assertEquals(1.0, summary.get("oversubscription").asDouble());
  }

  /** Each group alone is the smallest within the limit, as the table holds all of them. */
  @Test
  void aLimitTakesTheEntriesOfTheReduction() {
    Fabric fabric = fabric(19, 96);
    RoutesTable routes = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    JsonNode plan = plan(fabric, "1.1");
    int reduced = 0;
    for (IdealGroup group : groups(fabric, routes, 0)) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.putPOJO("weights", group.weights());
      String text = line.put("maxOversubscription", 1.1).toString();
      reduced += Tools.json(Tools.answer("reduce", text)).get("entries").asInt();
    }
    assertTrue(reduced <= TABLE_ENTRIES);
    assertEquals(reduced, plan.at("/summary/0/entries").asInt());
    assertTrue(plan.at("/summary/0/oversubscription").asDouble() <= 1.1);
  }
}
