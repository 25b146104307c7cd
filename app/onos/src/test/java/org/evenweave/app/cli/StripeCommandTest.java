package org.evenweave.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.junit.jupiter.api.Test;

class StripeCommandTest {
  private static final long BPS = 10_000_000_000L;

  /** A fabric whose S1 switch i has {@code matrix[i][k]} links to S2 switch k. */
  private static Fabric fabric(int[][] matrix) {
    FabricBuilder builder = new FabricBuilder();
    int[] downPorts = new int[matrix[0].length];
    for (int k = 0; k < downPorts.length; k++) {
      builder.addSwitch("s2-" + k, 2, Fabric.UNLIMITED);
    }
    for (int i = 0; i < matrix.length; i++) {
      builder.addSwitch("s1-" + i, 1, Fabric.UNLIMITED);
      int upPort = 0;
      for (int k = 0; k < downPorts.length; k++) {
        for (int n = 0; n < matrix[i][k]; n++) {
          builder.addLink("s1-" + i + "/" + ++upPort, "s2-" + k + "/" + ++downPorts[k], BPS);
        }
      }
    }
    return builder.build();
  }

  /** The dissertation's Figure 3.2: each pair has three links in common. */
  @Test
  void theImbalancedFabricIsComparedWithBothPlans() {
    ObjectNode data =
        new FabricStriping(fabric(new int[][] {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}})).toJson();
    List<String> lines = new StripeCommand().lines(data);
    assertEquals("striping=present, minLinks=3, meanLinks=3.0000, maxLinks=3", lines.get(0));
    assertEquals("   switch=s1-0, s2-0=2, s2-1=1, s2-2=1", lines.get(1));
    assertEquals("   switch=s1-2, s2-0=1, s2-1=1, s2-2=2", lines.get(3));
    assertEquals("striping=rotation, minLinks=3, meanLinks=3.0000, maxLinks=3", lines.get(4));
    assertEquals("striping=group, minLinks=3, meanLinks=3.0000, maxLinks=3", lines.get(8));
    assertEquals(
        "verdict: the present striping is as good as any plan: 3 links in common for the worst pair"
            + " of S1 switches, 3.0000 in the mean",
        lines.get(12));
    assertEquals(13, lines.size());
    assertEquals(
        "[\"present\",\"rotation\",\"group\"]", data.get("verdict").get("best").toString());
  }

  /** Each S1 switch is joined with half of the S2 switches: two pairs have nothing in common. */
  @Test
  void aPlanWhoseWorstPairHasMoreLinksInCommonIsBetter() {
    ObjectNode data =
        new FabricStriping(
                fabric(new int[][] {{2, 2, 0, 0}, {2, 2, 0, 0}, {0, 0, 2, 2}, {0, 0, 2, 2}}))
            .toJson();
    List<String> lines = new StripeCommand().lines(data);
    assertEquals(
        "verdict: rotation striping is better than the present one: 4 links in common for the worst"
            + " pair of S1 switches, 4.0000 in the mean, instead of 0 links in common for the worst"
            + " pair of S1 switches, 1.3333 in the mean",
        lines.get(lines.size() - 1));
  }

  @Test
  void pairsThatShareMoreLinksReachMore() {
    ObjectNode data =
        new FabricStriping(
                fabric(new int[][] {{2, 2, 1, 1}, {2, 2, 1, 1}, {1, 1, 2, 2}, {1, 1, 2, 2}}))
            .toJson();
    assertEquals(
        "{\"min\":4,\"mean\":4.666666666666667,\"max\":6}",
        data.get("striping").get(0).get("throughput").toString());
  }

  @Test
  void aFabricWithALinkMissingHasNoPlanButAThroughput() {
    ObjectNode data =
        new FabricStriping(fabric(new int[][] {{2, 1, 1}, {1, 1, 1}, {1, 1, 2}})).toJson();
    assertEquals(1, data.get("striping").size());
    assertEquals(
        "no plan: the switches of a stage must have equally many links, but s1-0 has 4 and s1-1"
            + " has 3",
        data.get("problem").asText());
    assertTrue(new StripeCommand().lines(data).contains(data.get("problem").asText()));
  }

  @Test
  void oneSwitchIsNotStriped() {
    ObjectNode data = new FabricStriping(fabric(new int[][] {{2, 1}})).toJson();
    assertEquals(0, data.get("striping").size());
    assertTrue(data.get("problem").asText().contains("at least two S1 switches"));
  }
}
