package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.topology.Topologies;

class RoutesTableTest {
  /** Capacities up to 100 Gb/s and up to 8 switches keep all weights exact, far below 2^62. */
  @Property(tries = 300)
  void onAnyGraphTheTableIsWhatTheFormulaSays(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(max = 20) int links,
      @ForAll long seed) {
    assertMatchesTheFormula(Fabrics.random(new SplittableRandom(seed), switches, links), rule);
  }

  /** Few capacities on few switches: many equivalent destinations. */
  @Property(tries = 300)
  void withManyEquivalentDestinationsTheTableIsWhatTheFormulaSays(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 7) int s1,
      @ForAll @IntRange(min = 1, max = 3) int s2,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    assertMatchesTheFormula(Fabrics.clos(Fabrics.uplinks(random, s1, s2, 0, 2)), rule);
  }

  @Example
  void onPublishedTopologiesTheTableIsWhatTheFormulaSays() {
    List<Fabric> fabrics =
        List.of(
            FatTree.of(4, 1_000_000_000L),
            Topologies.threeStageClos(2, 2, 2, 2, 2),
            Topologies.flattenedButterfly(3, 3),
            Topologies.hyperX(2, 3, 2),
            Topologies.jellyfish(10, 3, 5));
    for (Fabric fabric : fabrics) {
      for (WeightRule rule : WeightRule.values()) {
        assertMatchesTheFormula(fabric, rule);
        assertMatchesTheFormula(fabric.withLinksDown(0, fabric.linkCount() - 1), rule);
      }
    }
  }

  private static void assertMatchesTheFormula(Fabric fabric, WeightRule rule) {
    int[] all = IntStream.range(0, fabric.switchCount()).toArray();
    RoutesTable table = RoutesTable.compute(fabric, rule, all);
    assertArrayEquals(all, table.destinations());
    for (int d : all) {
      PlainRoutes plain = new PlainRoutes(fabric, d);
      DestinationRoutes routes = table.to(d);
      assertEquals(d, routes.destination());
      for (int s : all) {
        assertEquals(plain.hops[s], routes.hops(s));
        Map<Integer, BigInteger> group = new TreeMap<>();
        for (int i = 0; i < routes.memberCount(s); i++) {
          group.put(routes.arc(s, i), BigInteger.valueOf(routes.weight(s, i)));
        }
        assertEquals(plain.group(s, rule), group, () -> "switch " + s + " towards " + d);
      }
    }
  }

  @Example
  void switchesWithSubnetsAreTheDestinations() {
    RoutesTable table = RoutesTable.compute(Fabrics.figure32(), WeightRule.EFFECTIVE_CAPACITY);
    assertArrayEquals(new int[] {0, 1, 2}, table.destinations());
    assertArrayEquals(new long[] {1, 1, 2, 2}, table.to(2).weights(0));
    assertThrows(IllegalArgumentException.class, () -> table.to(3));
    assertThrows(
        IllegalArgumentException.class,
        () -> RoutesTable.compute(table.fabric(), table.rule(), 0, 6));
  }

  @Example
  void aFatTreeIsComputedOncePerPodAndSharesItsGroups() {
    RoutesTable table = RoutesTable.compute(FatTree.of(8, 1), WeightRule.EFFECTIVE_CAPACITY);
    assertEquals(32, table.destinations().length);
    assertEquals(8, table.classCount());
    int elsewhere = table.fabric().indexOf("edge-7-0");
    assertSame(table.to(0).group(elsewhere), table.to(1).group(elsewhere));
    assertSame(table.to(0).group(elsewhere), table.to(24).group(elsewhere));
  }
}
