package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.topology.Topologies;

class PairRuleTest {
  private static final Ratio ZERO = Ratio.of(0, 1);

  @Example
  void figure32WeighsUplinksOneOneTwoTwo() {
    Fabric fabric = Fabrics.figure32();
    PairRoutes pair = PairRule.SHORTEST_PATHS.routes(fabric, 0, 2);
    assertArrayEquals(new long[] {1, 1, 2, 2}, pair.routes().weights(0));
    assertEquals(30_000_000_000L, pair.maxFlowBps());
    assertEquals(0, pair.source());
    assertEquals(2, pair.destination());
  }

  /** No two S2 switches share a bottleneck, so looking at each alone is enough. */
  @Property(tries = 200)
  void inATwoStageClosTheSourceWeighsAsByEffectiveCapacity(
      @ForAll @IntRange(min = 2, max = 5) int s1,
      @ForAll @IntRange(min = 1, max = 5) int s2,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.clos(Fabrics.uplinks(random, s1, s2, 1, 5));
    assertEquals(
        WeightRule.EFFECTIVE_CAPACITY.routes(fabric, 1).group(0),
        PairRule.SHORTEST_PATHS.routes(fabric, 0, 1).routes().group(0));
  }

  /** Two of three next hops share 10 Gb/s further down; each alone looks as good as the third. */
  @Example
  void aBottleneckThatNextHopsShareIsSeen() {
    FabricBuilder builder = new FabricBuilder();
    for (String id : new String[] {"s", "a", "b", "c", "m", "n", "d"}) {
      builder.addSwitch(id, 1, Fabric.UNLIMITED);
    }
    builder.addLink("s/1", "a/1", 10).addLink("s/2", "b/1", 10).addLink("s/3", "c/1", 10);
    builder.addLink("a/2", "m/1", 10).addLink("b/2", "m/2", 10).addLink("c/2", "n/1", 10);
    builder.addLink("m/3", "d/1", 10).addLink("n/2", "d/2", 10);
    Fabric fabric = builder.build();
    int d = fabric.indexOf("d");
    assertArrayEquals(
        new long[] {1, 1, 1}, WeightRule.EFFECTIVE_CAPACITY.routes(fabric, d).weights(0));
    PairRoutes pair = PairRule.SHORTEST_PATHS.routes(fabric, 0, d);
    assertArrayEquals(new long[] {1, 1, 2}, pair.routes().weights(0));
    assertEquals(20, pair.maxFlowBps());
  }

  @Example
  void aFatTreeSplitsEvenlyEverywhere() {
    Fabric fabric = FatTree.of(6, 10_000_000_000L);
    PairRoutes pair = PairRule.SHORTEST_PATHS.routes(fabric, 0, fabric.indexOf("edge-5-2"));
    DestinationRoutes ecmp = WeightRule.EQUAL.routes(fabric, fabric.indexOf("edge-5-2"));
    int passed = 0;
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (pair.routes().memberCount(s) > 0) {
        assertEquals(ecmp.group(s), pair.routes().group(s));
        passed++;
      }
    }
    assertEquals(1 + 3 + 9 + 3, passed);
    assertEquals(30_000_000_000L, pair.maxFlowBps());
  }

  /** In a full mesh the direct link is the only shortest path; over all paths, all links help. */
  @Example
  void longerPathsAddCapacity() {
    Fabric fabric = Topologies.hyperX(1, 5);
    PairRoutes direct = PairRule.SHORTEST_PATHS.routes(fabric, 0, 1);
    PairRoutes all = PairRule.ALL_PATHS.routes(fabric, 0, 1);
    assertEquals(10_000_000_000L, direct.maxFlowBps());
    assertEquals(40_000_000_000L, all.maxFlowBps());
    assertArrayEquals(new long[] {1, 1, 1, 1}, all.routes().weights(0));
    assertEquals(2, all.routes().hops(0));
  }

  @Example
  void whereThereIsNoPathThereIsNoGroup() {
    Fabric fabric = Fabrics.figure32().withLinksDown(0, 1, 2, 3);
    for (PairRule rule : PairRule.values()) {
      PairRoutes pair = rule.routes(fabric, 0, 2);
      assertEquals(0, pair.maxFlowBps());
      assertEquals(-1, pair.routes().hops(0));
      assertEquals(0, pair.routes().hops(2));
    }
    assertThrows(IllegalArgumentException.class, () -> PairRule.ALL_PATHS.routes(fabric, 2, 2));
  }

  @Property(tries = 400)
  void onAnyGraphTheWeightsCarryTheMinimumCutAndNoOtherFlowIsMoreEven(
      @ForAll PairRule rule,
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(max = 20) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    PairRoutes pair = rule.routes(fabric, 0, 1);
    int[] usable = usableArcs(rule, fabric, 1);
    assertEquals(minimumCutBps(fabric, usable), pair.maxFlowBps());
    Map<Integer, Ratio> utilisation = utilisation(fabric, pair);
    for (Ratio u : utilisation.values()) {
      assertTrue(u.compareTo(Ratio.of(1, 1)) <= 0, "a link is overloaded");
    }
    for (int arc : utilisation.keySet()) {
      assertTrue(Arrays.stream(usable).anyMatch(a -> a == arc), "a path too long");
      assertNothingCanBeMovedToLessUtilisedLinks(fabric, usable, utilisation, arc);
    }
  }

  /** What doubles cannot tell apart is decided in integers. */
  @Property(tries = 100)
  void theFlowIsExactWhereCapacitiesDifferByFourteenOrders(
      @ForAll @IntRange(min = 3, max = 6) int switches, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] capacities = {1, 2, 1_000_003, 99_999_999_999_999L, 100_000_000_000_000L};
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < switches; s++) {
      builder.addSwitch("s" + s, 1, Fabric.UNLIMITED);
    }
    int port = 0;
    for (int a = 0; a < switches; a++) {
      for (int b = a + 1; b < switches; b++) {
        long bps = capacities[random.nextInt(capacities.length)];
        builder.addLink("s" + a + "/" + ++port, "s" + b + "/" + ++port, bps);
      }
    }
    Fabric fabric = builder.build();
    int[] arcs = IntStream.range(0, fabric.arcCount()).toArray();
    BigInteger[] supply = new BigInteger[switches];
    Arrays.fill(supply, BigInteger.ZERO);
    supply[0] = BigInteger.ONE;
    supply[1] = BigInteger.ONE.negate();
    BalancedFlow flow =
        new BalancedFlow(
            Arrays.stream(arcs).map(fabric::from).toArray(),
            Arrays.stream(arcs).map(fabric::to).toArray(),
            Arrays.stream(arcs)
                .mapToObj(arc -> BigInteger.valueOf(fabric.capacityBps(arc)))
                .toArray(BigInteger[]::new),
            supply);
    Map<Integer, Ratio> utilisation = new HashMap<>();
    Ratio[] left = new Ratio[switches];
    Arrays.setAll(left, s -> Ratio.of(supply[s], BigInteger.ONE));
    for (int arc : arcs) {
      Ratio load = flow.utilisation(arc).times(Ratio.of(fabric.capacityBps(arc), 1));
      left[fabric.from(arc)] = left[fabric.from(arc)].minus(load);
      left[fabric.to(arc)] = left[fabric.to(arc)].plus(load);
      if (!load.equals(ZERO)) {
        utilisation.put(arc, flow.utilisation(arc));
      }
    }
    assertTrue(Arrays.stream(left).allMatch(ZERO::equals), "not all arrives");
    for (int arc : utilisation.keySet()) {
      assertNothingCanBeMovedToLessUtilisedLinks(fabric, arcs, utilisation, arc);
    }
  }

  @Property(tries = 100)
  void aLinkThatCarriesEitherWayIsTwoThatCarryOne(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(max = 20) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    int count = fabric.arcCount() / 2;
    BigInteger[] capacity =
        IntStream.range(0, 2 * count)
            .mapToObj(arc -> BigInteger.valueOf(fabric.capacityBps(arc)))
            .toArray(BigInteger[]::new);
    BigInteger[] ofLink =
        IntStream.range(0, count).mapToObj(l -> capacity[2 * l]).toArray(BigInteger[]::new);
    long reached = WeightRule.EQUAL.routes(fabric, 1).hops(0) > 0 ? 1 : 0;
    BigInteger[] supply = new BigInteger[switches];
    Arrays.fill(supply, BigInteger.ZERO);
    supply[0] = BigInteger.valueOf(reached);
    supply[1] = supply[0].negate();
    BalancedFlow oneWay =
        new BalancedFlow(
            IntStream.range(0, 2 * count).map(fabric::from).toArray(),
            IntStream.range(0, 2 * count).map(fabric::to).toArray(),
            capacity,
            supply);
    BalancedFlow eitherWay =
        new BalancedFlow(
            IntStream.range(0, count).map(l -> fabric.from(2 * l)).toArray(),
            IntStream.range(0, count).map(l -> fabric.to(2 * l)).toArray(),
            ofLink,
            ofLink,
            supply);
    for (int l = 0; l < count; l++) {
      Ratio there = oneWay.utilisation(2 * l);
      Ratio back = oneWay.utilisation(2 * l + 1);
      assertEquals(eitherWay.isReversed(l) ? back : there, eitherWay.utilisation(l));
      assertEquals(ZERO, eitherWay.isReversed(l) ? there : back);
    }
  }

  @Property(tries = 100)
  void allPairsAreEachPairInTheOrderOfDestinations(
      @ForAll PairRule rule,
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(max = 15) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    Iterator<PairRoutes> all =
        rule.allRoutes(fabric, IntStream.range(0, switches).toArray()).iterator();
    for (int d = 0; d < switches; d++) {
      for (int s = 0; s < switches; s++) {
        if (s != d) {
          PairRoutes expected = rule.routes(fabric, s, d);
          PairRoutes pair = all.next();
          assertEquals(s, pair.source());
          assertEquals(d, pair.destination());
          assertEquals(expected.maxFlowBps(), pair.maxFlowBps());
          for (int at = 0; at < switches; at++) {
            assertEquals(expected.routes().group(at), pair.routes().group(at));
          }
        }
      }
    }
    assertFalse(all.hasNext());
  }

  private static int[] usableArcs(PairRule rule, Fabric fabric, int destination) {
    int[] hops = new PlainRoutes(fabric, destination).hops;
    return IntStream.range(0, fabric.arcCount())
        .filter(
            arc ->
                rule == PairRule.ALL_PATHS
                    || (hops[fabric.to(arc)] >= 0
                        && hops[fabric.to(arc)] == hops[fabric.from(arc)] - 1))
        .toArray();
  }

  /** The least capacity out of any set of switches with 0 in and 1 out. */
  private static long minimumCutBps(Fabric fabric, int[] arcs) {
    long least = Long.MAX_VALUE;
    for (int set = 1; set < 1 << fabric.switchCount(); set++) {
      int side = set;
      if ((set & 3) == 1) {
        least =
            Math.min(
                least,
                Arrays.stream(arcs)
                    .filter(a -> (side >> fabric.from(a) & 1) == 1)
                    .filter(a -> (side >> fabric.to(a) & 1) == 0)
                    .mapToLong(fabric::capacityBps)
                    .sum());
      }
    }
    return least;
  }

  /** What the groups do to the maximum flow: load over capacity, exactly, of every used arc. */
  private static Map<Integer, Ratio> utilisation(Fabric fabric, PairRoutes pair) {
    DestinationRoutes routes = pair.routes();
    Ratio[] inflow = new Ratio[fabric.switchCount()];
    Arrays.fill(inflow, ZERO);
    inflow[pair.source()] = Ratio.of(pair.maxFlowBps(), 1);
    Map<Integer, Ratio> utilisation = new HashMap<>();
    int[] farthestFirst =
        IntStream.range(0, inflow.length)
            .boxed()
            .sorted((a, b) -> routes.hops(b) - routes.hops(a))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int s : farthestFirst) {
      long size = Arrays.stream(routes.weights(s)).sum();
      for (int i = 0; i < routes.memberCount(s); i++) {
        int arc = routes.arc(s, i);
        Ratio load = inflow[s].times(Ratio.of(routes.weight(s, i), size));
        utilisation.put(arc, load.dividedBy(Ratio.of(fabric.capacityBps(arc), 1)));
        inflow[fabric.to(arc)] = inflow[fabric.to(arc)].plus(load);
      }
    }
    assertEquals(Ratio.of(pair.maxFlowBps(), 1), inflow[pair.destination()]);
    return utilisation;
  }

  /**
   * If some of an arc's flow could go another way on links less utilised than the arc, by adding to
   * these and taking from any, the flow would not be the most even one.
   */
  private static void assertNothingCanBeMovedToLessUtilisedLinks(
      Fabric fabric, int[] usable, Map<Integer, Ratio> utilisation, int arc) {
    boolean[] reached = new boolean[fabric.switchCount()];
    reached[fabric.from(arc)] = true;
    for (boolean grew = true; grew; ) {
      grew = false;
      for (int a : usable) {
        boolean canTakeMore = utilisation.getOrDefault(a, ZERO).compareTo(utilisation.get(arc)) < 0;
        if (canTakeMore && reached[fabric.from(a)] && !reached[fabric.to(a)]) {
          reached[fabric.to(a)] = true;
          grew = true;
        }
        boolean canGiveBack = a != arc && utilisation.containsKey(a);
        if (canGiveBack && reached[fabric.to(a)] && !reached[fabric.from(a)]) {
          reached[fabric.from(a)] = true;
          grew = true;
        }
      }
    }
    assertTrue(!reached[fabric.to(arc)], "a more even flow exists");
  }
}
