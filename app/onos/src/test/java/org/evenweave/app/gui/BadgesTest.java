package org.evenweave.app.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.NodeBadge;

class BadgesTest {
  private static final String ALL_INSTALLED =
      "[{'switch':'s1-0','destination':'s1-1','state':'installed'}]";

  private static Map<String, String> badges(String switches, String groups, String... reasons) {
    Highlights highlights = new Highlights();
    new Badges(TestFabric.map())
        .addTo(
            highlights,
            Map.of("s2-0", 2 / 3.0, "s2-1", 1 / 3.0),
            TestFabric.rows(switches),
            TestFabric.rows(groups),
            List.of(reasons));
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
  void switchesBetweenThePairHaveTheirShareOfItsCapacity() {
    assertEquals(
        Map.of(
            TestFabric.SPINE,
            "i 67 66.7% of the pair's capacity; 24 of 1024 multipath table entries",
            TestFabric.OTHER_SPINE,
            "i 33 33.3% of the pair's capacity; 300 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':1024,'entries':2},"
                + "{'switch':'s1-1','table':1024,'entries':0},"
                + "{'switch':'s2-0','table':1024,'entries':24},"
                + "{'switch':'s2-1','entries':300},"
                + "{'switch':'not-in-onos','table':8,'entries':1}]",
            ALL_INSTALLED));
  }

  @Test
  void aNearlyFullTableStandsOutEverywhere() {
    assertEquals(
        Map.of(
            TestFabric.LEFT, "w T90 9 of 10 multipath table entries",
            TestFabric.SPINE, "w T100 1024 of 1024 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':10,'entries':9},"
                + "{'switch':'s1-1','table':10,'entries':8},"
                + "{'switch':'s2-0','table':1024,'entries':1024}]",
            ALL_INSTALLED,
            ""));
  }

  @Test
  void portsThatGroupsLeaveOutAreCountedAndNamed() {
    assertEquals(
        Map.of(
            TestFabric.LEFT,
            "i -2 256 multipath table entries; no packets for port 4, 0.20% of a group's capacity:"
                + " w; no packets for port 7, 0.10% of a group's capacity: v",
            TestFabric.SPINE,
            "i 67 66.7% of the pair's capacity; 24 multipath table entries;"
                + " no packets for port 1, 12% of a group's capacity: u"),
        badges(
            "[{'switch':'s1-0','entries':256,'groups':[{'leftOut':[{'port':7,'share':0.001,'why':'v'},"
                + "{'port':4,'share':0.001,'why':'v'}]},"
                + "{'leftOut':[{'port':4,'share':0.002,'why':'w'}]},{}]},"
                + "{'switch':'s2-0','entries':24,'groups':[{'leftOut':[{'port':1,'share':0.12,'why':'u'}]}]}]",
            ALL_INSTALLED));
  }

  @Test
  void groupsThatWaitAreCounted() {
    assertEquals(
        Map.of(TestFabric.LEFT, "w … 2 groups wait for confirmation"),
        badges(
            "[{'switch':'s1-0','table':8,'entries':4},{'switch':'s1-1','table':8,'entries':4}]",
            "[{'switch':'s1-0','destination':'s1-1','state':'pending'},"
                + "{'switch':'s1-0','destination':'s1-2','state':'pending'},"
                + "{'switch':'s1-1','destination':'s1-0','state':'installed'}]"));
  }

  @Test
  void aSwitchThatIsMissingOrHasAMissingLinkSaysSo() {
    assertEquals(
        Map.of(
            TestFabric.LEFT, "e ! s1-0 is not connected",
            TestFabric.RIGHT, "e ! link s1-1/3-s2-0/9 is down: s2-0 has no port 9",
            TestFabric.SPINE, "e ! link s1-1/3-s2-0/9 is down: s2-0 has no port 9"),
        badges(
            "[{'switch':'s1-1','table':8,'entries':4},{'switch':'s2-0','table':8,'entries':0}]",
            ALL_INSTALLED,
            "s1-0 is not connected",
            "link s1-1/3-s2-0/9 is down: s2-0 has no port 9"));
  }

  @Test
  void aFailingSwitchSaysWhyWhicheverOfItsNamesIsUsed() {
    assertEquals(
        Map.of(
            TestFabric.LEFT,
            "e ! s1-0: no answer within 5 s",
            TestFabric.RIGHT,
            "e ! of:0000000000000002: group 3 was refused",
            TestFabric.SPINE,
            "i 67 66.7% of the pair's capacity; 0 of 8 multipath table entries"),
        badges(
            "[{'switch':'s1-0','table':8,'entries':4},{'switch':'s1-1','table':8,'entries':4},"
                + "{'switch':'s2-0','table':8,'entries':0}]",
            "[{'switch':'s1-0','destination':'s1-1','state':'pending'}]",
            "s1-0: no answer within 5 s",
            "of:0000000000000002: group 3 was refused"));
  }
}
