package org.evenweave.wcmp.weights;

import static org.evenweave.wcmp.weights.WeightRule.EFFECTIVE_CAPACITY;
import static org.evenweave.wcmp.weights.WeightRule.EQUAL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.junit.jupiter.api.Test;

class WeightRuleTest {
  @Test
  void figure32WeighsUplinksOneOneTwoTwo() {
    Fabric fabric = Fabrics.figure32();
    DestinationRoutes routes = EFFECTIVE_CAPACITY.routes(fabric, fabric.indexOf("s1-2"));
    int s10 = fabric.indexOf("s1-0");
    assertArrayEquals(new long[] {1, 1, 2, 2}, routes.weights(s10));
    assertArrayEquals(new int[] {1, 2, 3, 4}, routes.ports(fabric, s10));
    assertEquals(2, routes.hops(s10));
    assertArrayEquals(new long[] {1, 1}, routes.weights(fabric.indexOf("s2-2")));
    assertEquals(0, routes.memberCount(fabric.indexOf("s1-2")));
  }

  @Test
  void ecmpWeighsThemAlike() {
    Fabric fabric = Fabrics.figure32();
    DestinationRoutes routes = EQUAL.routes(fabric, fabric.indexOf("s1-2"));
    assertArrayEquals(new long[] {1, 1, 1, 1}, routes.weights(fabric.indexOf("s1-0")));
  }

  /** The paper's rule: an uplink's effective capacity is 1, or downlinks/uplinks where fewer. */
  @Property
  void inATwoStageClosAnUplinkWeighsMinOfOneAndDownlinksOverUplinks(
      @ForAll @IntRange(min = 2, max = 5) int s1,
      @ForAll @IntRange(min = 1, max = 5) int s2,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] uplinks = Fabrics.uplinks(random, s1, s2, 1, 6);
    Fabric fabric = Fabrics.clos(uplinks);
    for (int to = 0; to < s1; to++) {
      DestinationRoutes routes = EFFECTIVE_CAPACITY.routes(fabric, to);
      for (int from = 0; from < s1; from++) {
        for (int i = 0; from != to && i < routes.memberCount(from); i++) {
          for (int j = 0; j < routes.memberCount(from); j++) {
            int ki = fabric.to(routes.arc(from, i)) - s1;
            int kj = fabric.to(routes.arc(from, j)) - s1;
            long effectiveI = Math.min(uplinks[from][ki], uplinks[to][ki]);
            long effectiveJ = Math.min(uplinks[from][kj], uplinks[to][kj]);
            assertEquals(
                routes.weight(from, i) * effectiveJ * uplinks[from][ki],
                routes.weight(from, j) * effectiveI * uplinks[from][kj]);
          }
        }
      }
    }
  }

  @Property
  void onAnyGraphRoutesLeadNearerAndWeightsArePositiveWithoutCommonDivisor(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 10) int switches,
      @ForAll @IntRange(max = 30) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    for (int destination = 0; destination < switches; destination++) {
      DestinationRoutes routes = rule.routes(fabric, destination);
      for (int s = 0; s < switches; s++) {
        assertEquals(routes.hops(s) > 0, routes.memberCount(s) > 0);
        BigInteger divisor = BigInteger.ZERO;
        for (int i = 0; i < routes.memberCount(s); i++) {
          assertEquals(routes.hops(s) - 1, routes.hops(fabric.to(routes.arc(s, i))));
          assertTrue(routes.weight(s, i) > 0);
          divisor = divisor.gcd(BigInteger.valueOf(routes.weight(s, i)));
        }
        assertTrue(routes.memberCount(s) == 0 || divisor.equals(BigInteger.ONE));
      }
    }
  }

  @Test
  void aThirdStageBottleneckShowsInTheWeights() {
    // s has 10G to each of a and b; a reaches d over 10G, b over two hops worth only 5G in all.
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("s", 1, Fabric.UNLIMITED)
            .addSwitch("a", 2, Fabric.UNLIMITED)
            .addSwitch("b", 2, Fabric.UNLIMITED)
            .addSwitch("c", 3, Fabric.UNLIMITED)
            .addSwitch("e", 3, Fabric.UNLIMITED)
            .addSwitch("d", 1, Fabric.UNLIMITED)
            .addLink("s/1", "a/1", 10)
            .addLink("s/2", "b/1", 10)
            .addLink("a/2", "c/1", 10)
            .addLink("b/2", "e/1", 10)
            .addLink("c/2", "d/1", 10)
            .addLink("e/2", "d/2", 5)
            .build();
    DestinationRoutes routes = EFFECTIVE_CAPACITY.routes(fabric, fabric.indexOf("d"));
    assertArrayEquals(new long[] {2, 1}, routes.weights(fabric.indexOf("s")));
  }

  @Test
  void hugeUnrelatedCapacitiesStillGivePositiveWeights() {
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("s", 1, Fabric.UNLIMITED).addSwitch("d", 1, Fabric.UNLIMITED);
    long[] capacities = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1};
    for (int i = 0; i < capacities.length; i++) {
      builder.addLink("s/" + (i + 1), "d/" + (i + 1), capacities[i]);
    }
    DestinationRoutes routes = EFFECTIVE_CAPACITY.routes(builder.build(), 1);
    assertEquals(3, routes.memberCount(0));
    assertEquals(1, routes.weight(0, 2));
    assertTrue(routes.weight(0, 0) >= routes.weight(0, 1));
    assertTrue(routes.weight(0, 1) > 1L << 60);
  }
}
