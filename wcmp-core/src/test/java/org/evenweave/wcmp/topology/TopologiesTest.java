package org.evenweave.wcmp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class TopologiesTest {
  @Test
  void aFatTreeHasTheSizesOfItsPaper() {
    assertEquals("20 switches, 32 links, 8 subnets", FatTree.of(4, 1).toString());
    assertEquals(16, FatTree.servers(4));
    assertEquals("6845 switches, 202612 links, 2738 subnets", FatTree.of(74, 1).toString());
    assertEquals(101_306, FatTree.servers(74));
    assertThrows(IllegalArgumentException.class, () -> FatTree.of(5, 1));
  }

  @Test
  void everySwitchOfAFatTreeUsesAllItsPorts() {
    Fabric fabric = FatTree.of(6, 1);
    for (int s = 0; s < fabric.switchCount(); s++) {
      assertEquals(fabric.stage(s) == 1 ? 3 : 6, fabric.outDegree(s));
    }
  }

  @Test
  void aFatTreeIsFourHopsWideAndUsesEveryUplink() {
    Fabric fabric = FatTree.of(4, 1);
    DestinationRoutes routes = WeightRule.EFFECTIVE_CAPACITY.routes(fabric, 0);
    assertEquals(4, routes.hops(fabric.indexOf("edge-3-1")));
    assertEquals(2, routes.hops(fabric.indexOf("edge-0-1")));
    assertEquals(2, routes.memberCount(fabric.indexOf("edge-3-1")));
  }

  @Test
  void aThreeStageClosHasParallelLinksOnlyAbove() {
    Fabric fabric = Topologies.threeStageClos(2, 3, 2, 2, 2);
    assertEquals("12 switches, 28 links, 6 subnets", fabric.toString());
    assertEquals(2, fabric.outDegree(fabric.indexOf("s1-0")));
    assertEquals(8, fabric.outDegree(fabric.indexOf("s3-0")));
  }

  @Test
  void aFlattenedButterflyHasTheDiameterOfItsDimensions() {
    Fabric fabric = Topologies.flattenedButterfly(4, 3);
    assertEquals("16 switches, 48 links, 16 subnets", fabric.toString());
    assertEquals(2, diameter(fabric));
    assertEquals("24 switches, 144 links, 24 subnets", Topologies.hyperX(2, 4, 3, 2).toString());
    assertEquals(3, diameter(Topologies.hyperX(2, 4, 3, 2)));
  }

  @Test
  void aJellyfishIsRegularConnectedAndWithoutParallelLinks() {
    Fabric fabric = Topologies.jellyfish(20, 5, 7);
    for (int s = 0; s < 20; s++) {
      int own = s;
      assertEquals(5, fabric.outDegree(s));
      assertEquals(
          5, IntStream.range(0, 5).map(i -> fabric.to(fabric.outArc(own, i))).distinct().count());
    }
    assertEquals(
        0, Arrays.stream(hopsTo(fabric, 0)).filter(hops -> hops < 0).count(), "unreachable");
  }

  private static int diameter(Fabric fabric) {
    return IntStream.range(0, fabric.switchCount())
        .flatMap(d -> Arrays.stream(hopsTo(fabric, d)))
        .max()
        .getAsInt();
  }

  private static int[] hopsTo(Fabric fabric, int destination) {
    DestinationRoutes routes = WeightRule.EQUAL.routes(fabric, destination);
    return IntStream.range(0, fabric.switchCount()).map(routes::hops).toArray();
  }
}
