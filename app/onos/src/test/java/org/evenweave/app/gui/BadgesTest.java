package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.NodeBadge;

class BadgesTest {
  private static final String ALL_INSTALLED =
      "[{'switch':'s1-0','destination':'s1-1','state':'installed'}]";

  private static Map<String, String> badges(String switches, String groups, String problem) {
    Highlights highlights = new Highlights();
    new Badges(TestFabric.map())
        .addTo(highlights, TestFabric.rows(switches), TestFabric.rows(groups), problem);
    Map<String, String> badges = new TreeMap<>();
    highlights
        .devices()
        .forEach(
            device -> {
              NodeBadge badge = device.badge();
              badges.put(
                  device.elementId(),
                  badge.status().code() + " " + badge.text() + " " + badge.message());
            });
    return badges;
  }

  @Test
  void tablesInUseAreCountedUpwardsAndNearlyFullOnesStandOut() {
    assertEquals(
        Map.of(
            TestFabric.LEFT, "i 1 2 of 1024 multipath table entries",
            TestFabric.RIGHT, "i 0 0 of 1024 multipath table entries",
            TestFabric.SPINE, "w 100 1024 of 1024 multipath table entries",
            TestFabric.OTHER_SPINE, "i ∞ 300 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':1024,'entries':2},"
                + "{'switch':'s1-1','table':1024,'entries':0},"
                + "{'switch':'s2-0','table':1024,'entries':1024},"
                + "{'switch':'s2-1','entries':300},"
                + "{'switch':'not-in-onos','table':8,'entries':1}]",
            ALL_INSTALLED,
            ""));
  }

  @Test
  void groupsThatWaitAreCounted() {
    assertEquals(
        Map.of(
            TestFabric.LEFT, "w … 2 groups wait for confirmation",
            TestFabric.RIGHT, "i 50 4 of 8 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':8,'entries':4},{'switch':'s1-1','table':8,'entries':4}]",
            "[{'switch':'s1-0','destination':'s1-1','state':'pending'},"
                + "{'switch':'s1-0','destination':'s1-2','state':'pending'},"
                + "{'switch':'s1-1','destination':'s1-0','state':'installed'}]",
            ""));
  }

  @Test
  void aFailingSwitchSaysWhyWhicheverOfItsNamesIsUsed() {
    assertEquals(
        Map.of(
            TestFabric.LEFT, "e ! s1-0: no answer within 5 s",
            TestFabric.RIGHT, "e ! of:0000000000000002: group 3 was refused",
            TestFabric.SPINE, "i 0 0 of 8 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':8,'entries':4},{'switch':'s1-1','table':8,'entries':4},"
                + "{'switch':'s2-0','table':8,'entries':0}]",
            "[{'switch':'s1-0','destination':'s1-1','state':'pending'}]",
            "s1-0: no answer within 5 s; of:0000000000000002: group 3 was refused"));
  }
}
