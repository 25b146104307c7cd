package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.onosproject.ui.topo.Highlights;

class PairSharesTest {
  private static final double LIMIT = 1.05;
  private static final String GREEN = "secondary port-traffic-green";
  private static final String ORANGE = "secondary port-traffic-orange";
  private static final String RED = "secondary port-traffic-red";

  /** From s1-0 to s1-1 with shares that are a little uneven on two parallel links. */
  private static final String PATHS =
      "{'from':'s1-0','to':'s1-1','complete':true,'paths':["
          + "{'links':['s1-0/1-s2-0/1','s2-0/3-s1-1/1'],'idealShare':0.25,'realisedShare':0.25},"
          + "{'links':['s1-0/2-s2-0/2','s2-0/3-s1-1/1'],'idealShare':0.25,'realisedShare':%s},"
          + "{'links':['s1-0/3-s2-1/1','s2-1/2-s1-1/2'],'idealShare':0.5,'realisedShare':%s}]}";

  private static final String GROUPS =
      "[{'switch':'s1-0','destination':'s1-1','ports':["
          + "{'port':1,'idealShare':0.25,'realisedShare':0.25},"
          + "{'port':2,'idealShare':0.25,'realisedShare':%s},"
          + "{'port':3,'idealShare':0.5,'realisedShare':%s}]},"
          + "{'switch':'s1-0','destination':'s1-9','ports':["
          + "{'port':1,'idealShare':0.1,'realisedShare':0.9}]}]";

  private static final String FIRST = "of:0000000000000001/1~of:0000000000000003/1";
  private static final String SECOND = "of:0000000000000001/2~of:0000000000000003/2";
  private static final String THIRD = "of:0000000000000001/3~of:0000000000000004/1";
  private static final String FROM_SPINE = "of:0000000000000002/1~of:0000000000000003/3";
  private static final String FROM_OTHER_SPINE = "of:0000000000000002/2~of:0000000000000004/2";

  private static Map<String, String> drawn(JsonNode paths, List<JsonNode> groups) {
    return drawn(LIMIT, paths, groups);
  }

  private static Map<String, String> drawn(double limit, JsonNode paths, List<JsonNode> groups) {
    Highlights highlights = new Highlights();
    new PairShares(TestFabric.map(), limit).addTo(highlights, paths, groups);
    Map<String, String> drawn = new TreeMap<>();
    highlights
        .links()
        .forEach(link -> drawn.put(link.elementId(), link.label() + "|" + link.cssClasses()));
    return drawn;
  }

  private static Map<String, String> drawn(String second, String third) {
    return drawn(
        TestFabric.json(String.format(Locale.ROOT, PATHS, second, third)),
        TestFabric.rows(String.format(Locale.ROOT, GROUPS, second, third)));
  }

  @Test
  void idealSharesAreGreenAndParallelLinksHaveOneLabel() {
    assertEquals(
        Map.of(
            FIRST, "2 × 25.0%|" + GREEN,
            SECOND, "|" + GREEN,
            THIRD, "50.0%|" + GREEN,
            FROM_SPINE, "50.0%|" + GREEN,
            FROM_OTHER_SPINE, "50.0%|" + GREEN),
        drawn("0.25", "0.5"));
  }

  @Test
  void oversubscriptionIsWrittenAndBeyondTheLimitRed() {
    Map<String, String> drawn = drawn("0.26", "0.49");
    assertEquals("25.0% + 26.0% (1.04)|" + GREEN, drawn.get(FIRST));
    assertEquals("|" + GREEN, drawn.get(SECOND));
    assertEquals("49.0%|" + GREEN, drawn.get(THIRD));
    drawn = drawn("0.3", "0.45");
    assertEquals("25.0% + 30.0% (1.20)|" + GREEN, drawn.get(FIRST));
    assertEquals("|" + RED, drawn.get(SECOND));
    // It gets too much, but what its own switch does is right.
    assertEquals("55.0%|" + GREEN, drawn.get(FROM_SPINE));
  }

  @Test
  void exactlyAtTheLimitIsWithinIt() {
    assertEquals("|" + GREEN, drawn("0.2625", "0.4875").get(SECOND));
  }

  /** 43 of 256 slots instead of a sixth. */
  @Test
  void roundingToSlotsIsGreen() {
    JsonNode paths = TestFabric.json(String.format(Locale.ROOT, PATHS, "0.2520", "0.4980"));
    List<JsonNode> groups = TestFabric.rows(String.format(Locale.ROOT, GROUPS, "0.2520", "0.4980"));
    assertEquals("|" + GREEN, drawn(1, paths, groups).get(SECOND));
  }

  @Test
  void unevenWithinAGenerousLimitIsOrange() {
    JsonNode paths = TestFabric.json(String.format(Locale.ROOT, PATHS, "0.3", "0.45"));
    List<JsonNode> groups = TestFabric.rows(String.format(Locale.ROOT, GROUPS, "0.3", "0.45"));
    assertEquals("|" + ORANGE, drawn(1.5, paths, groups).get(SECOND));
  }

  @Test
  void aLimitOfOneJudgesNothing() {
    JsonNode paths = TestFabric.json(String.format(Locale.ROOT, PATHS, "0.3", "0.45"));
    List<JsonNode> groups = TestFabric.rows(String.format(Locale.ROOT, GROUPS, "0.3", "0.45"));
    assertEquals("|" + ORANGE, drawn(1, paths, groups).get(SECOND));
  }

  @Test
  void theSwitchesBetweenThePairShareItsTraffic() {
    assertEquals(
        Map.of("s2-0", 0.55, "s2-1", 0.45),
        PairShares.through(TestFabric.json(String.format(Locale.ROOT, PATHS, "0.3", "0.45"))));
  }

  @Test
  void linksThatOnosDoesNotKnowAreLeftOut() {
    JsonNode paths =
        TestFabric.json(
            "{'from':'s1-0','to':'s1-1','complete':true,'paths':["
                + "{'links':['s1-0/9-s2-0/9','s2-0/3-s1-1/1'],'idealShare':1,'realisedShare':1}]}");
    assertEquals(Map.of(FROM_SPINE, "100.0%|" + GREEN), drawn(paths, List.of()));
  }

  @Test
  void sharesOfSomeOfThePathsAreNotDrawn() {
    JsonNode paths =
        TestFabric.json(String.format(Locale.ROOT, PATHS, "0.25", "0.5").replace("true", "false"));
    assertEquals(Map.of(), drawn(paths, List.of()));
  }
}
