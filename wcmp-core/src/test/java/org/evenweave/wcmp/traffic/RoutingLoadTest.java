package org.evenweave.wcmp.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.topology.Topologies;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRoutes;
import org.evenweave.wcmp.weights.PairRule;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

class RoutingLoadTest {
  /** A few roundings per link and switch; see {@link RoutingLoad}. */
  private static final double ROUNDING = 1e-12;

  /** Every path one by one, with exact fractions. */
  private static final class AllPaths {
    final Fabric fabric;
    final Ratio[] load;
    Ratio lost = Ratio.of(0, 1);
    Ratio stretchTimesBps = Ratio.of(0, 1);
    Ratio carried = Ratio.of(0, 1);
    double maxStretch = 1;

    AllPaths(Fabric fabric) {
      this.fabric = fabric;
      load = new Ratio[fabric.arcCount()];
      Arrays.fill(load, Ratio.of(0, 1));
    }

    void follow(DestinationRoutes routes, int s, Ratio bps, int length, int shortest) {
      if (s == routes.destination()) {
        carried = carried.plus(bps);
        stretchTimesBps = stretchTimesBps.plus(bps.times(Ratio.of(length, shortest)));
        maxStretch = Math.max(maxStretch, (double) length / shortest);
      } else if (routes.memberCount(s) == 0) {
        lost = lost.plus(bps);
      } else {
        long size = Arrays.stream(routes.weights(s)).sum();
        for (int i = 0; i < routes.memberCount(s); i++) {
          Ratio share = bps.times(Ratio.of(routes.weight(s, i), size));
          int arc = routes.arc(s, i);
          load[arc] = load[arc].plus(share);
          follow(routes, fabric.to(arc), share, length + 1, shortest);
        }
      }
    }
  }

  @Property(tries = 200)
  void loadAndStretchAreThoseOfAllPathsFollowedOneByOne(
      @ForAll WeightRule rule,
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(max = 14) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    int[] all = IntStream.range(0, switches).toArray();
    assertSameAsAllPaths(
        fabric, randomMatrix(random, all), RoutesTable.compute(fabric, rule, all)::to);
  }

  /** One source and destination, over all paths, some longer than others. */
  @Property(tries = 200)
  void longerPathsAreMeasuredToo(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(max = 14) int links,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    TrafficMatrix matrix = TrafficMatrix.of(new int[] {0, 1}, new double[][] {{0, 48}, {0, 0}});
    assertSameAsAllPaths(fabric, matrix, d -> PairRule.ALL_PATHS.routes(fabric, 0, 1).routes());
  }

  /** Every pair its own routes; what goes to switch 0 has none and is lost. */
  @Property(tries = 200)
  void routesOfPairsAreFollowedEachForItsOwnDemand(
      @ForAll PairRule rule,
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(max = 12) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    TrafficMatrix matrix = randomMatrix(random, IntStream.range(0, switches).toArray());
    AllPaths model = new AllPaths(fabric);
    List<PairRoutes> pairs = new ArrayList<>();
    for (int j = 0; j < switches; j++) {
      for (int i = 0; i < switches; i++) {
        Ratio bps = Ratio.of((long) matrix.demandBps(i, j), 1);
        if (j == 0) {
          model.lost = model.lost.plus(bps);
        } else if (i != j) {
          PairRoutes pair = rule.routes(fabric, i, j);
          pairs.add(pair);
          if (matrix.demandBps(i, j) > 0) {
            int shortest = WeightRule.EQUAL.routes(fabric, j).hops(i);
            model.follow(pair.routes(), i, bps, 0, shortest);
          }
        }
      }
    }
    assertSame(model, RoutingLoad.ofPairs(fabric, pairs, matrix));
  }

  private static void assertSameAsAllPaths(
      Fabric fabric, TrafficMatrix matrix, IntFunction<DestinationRoutes> routesTo) {
    AllPaths model = new AllPaths(fabric);
    for (int j = 0; j < matrix.endpointCount(); j++) {
      for (int i = 0; i < matrix.endpointCount(); i++) {
        if (matrix.demandBps(i, j) > 0) {
          int s = matrix.endpoint(i);
          int d = matrix.endpoint(j);
          int shortest = WeightRule.EQUAL.routes(fabric, d).hops(s);
          Ratio bps = Ratio.of((long) matrix.demandBps(i, j), 1);
          model.follow(routesTo.apply(d), s, bps, 0, shortest);
        }
      }
    }
    assertSame(model, RoutingLoad.of(fabric, routesTo, matrix));
  }

  private static void assertSame(AllPaths model, RoutingLoad load) {
    double max = 0;
    for (int arc = 0; arc < model.fabric.arcCount(); arc++) {
      double expected = model.load[arc].toDouble();
      assertEquals(expected, load.loadBps(arc), expected * ROUNDING);
      max = Math.max(max, expected / model.fabric.capacityBps(arc));
    }
    assertEquals(max, load.maxUtilisation(), max * ROUNDING);
    assertEquals(model.lost.toDouble(), load.lostBps(), model.lost.toDouble() * ROUNDING);
    double meanStretch =
        model.carried.numerator().signum() == 0
            ? 1
            : model.stretchTimesBps.dividedBy(model.carried).toDouble();
    assertEquals(meanStretch, load.meanStretch(), meanStretch * ROUNDING);
    assertEquals(model.maxStretch, load.maxStretch());
  }

  /** Whole bits per second, so that the model is exact. */
  private static TrafficMatrix randomMatrix(SplittableRandom random, int[] endpoints) {
    double[][] bps = new double[endpoints.length][endpoints.length];
    for (int i = 0; i < bps.length; i++) {
      for (int j = 0; j < bps.length; j++) {
        bps[i][j] = i == j || random.nextBoolean() ? 0 : random.nextInt(1_000_000);
      }
    }
    return TrafficMatrix.of(endpoints, bps);
  }

  @Example
  void gravityLoadsAllUplinksOfAFatTreeAlike() {
    Fabric fabric = FatTree.of(4, 1000);
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    TrafficMatrix matrix = TrafficMatrix.gravity(fabric, table.destinations(), 16_000);
    RoutingLoad load = RoutingLoad.of(table, matrix);
    // 8 edge switches send 2000 each over 2 uplinks of 1000.
    assertEquals(1, load.maxUtilisation(), ROUNDING);
    assertEquals(16_000, matrix.totalBps(), 16_000 * ROUNDING);
    assertEquals(1, load.meanStretch(), ROUNDING);
    assertEquals(1.0, load.maxStretch());
    assertEquals(0.0, load.lostBps());
  }

  @Example
  void gravityIsByCapacity() {
    Fabric fabric = Topologies.hyperX(1, 3).withCapacityBps(2, 20_000_000_000L);
    // Links 0-1 and 0-2 at 10 Gb/s, 1-2 at 20: masses 20, 30, 30; products 600, 600, 900, twice.
    TrafficMatrix matrix = TrafficMatrix.gravity(fabric, new int[] {0, 1, 2}, 4200);
    assertEquals(600, matrix.demandBps(0, 1), 600 * ROUNDING);
    assertEquals(900, matrix.demandBps(2, 1), 900 * ROUNDING);
    assertEquals(0.0, matrix.demandBps(1, 1));
  }

  @Example
  void trafficWithoutAPathIsLostAndInNoOtherFigure() {
    Fabric fabric = Fabrics.figure32().withLinksDown(0, 1, 2, 3);
    RoutesTable table = RoutesTable.compute(fabric, WeightRule.EQUAL);
    double[][] bps = {{0, 5, 5}, {5, 0, 5}, {5, 5, 0}};
    RoutingLoad load = RoutingLoad.of(table, TrafficMatrix.of(table.destinations(), bps));
    assertEquals(20.0, load.lostBps());
    assertEquals(
        20.0,
        IntStream.range(0, fabric.arcCount()).mapToDouble(load::loadBps).sum(),
        20 * ROUNDING);
    assertEquals(1, load.meanStretch(), ROUNDING);
  }
}
