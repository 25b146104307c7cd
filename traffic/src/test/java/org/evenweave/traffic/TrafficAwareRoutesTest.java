package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

class TrafficAwareRoutesTest {
  private static final double GBPS = 1e9;

  /**
   * Integer weights take shares to within a millionth of what a switch has, at each of up to seven
   * hops; a link may have a hundredth of the capacity of those before it.
   */
  private static final double ROUNDING = 1e-3;

  /** The solver's tolerance, relative to a utilisation near one. */
  private static final double SOLVER = 1e-5;

  /** Trusts the matrix in everything. */
  private static final TrafficOptions EXACT =
      TrafficOptions.DEFAULT.withMaxSkew(Double.POSITIVE_INFINITY).withHedgeShare(0).withSlack(0);

  /** 20 Gb/s from 0 to 1 in a full mesh of 10 Gb/s links. */
  @Example
  void aHotSpotInAMeshGoesAroundOverAllOthers() {
    Fabric mesh = Topologies.hyperX(1, 5);
    double[][] bps = new double[5][5];
    bps[0][1] = 20 * GBPS;
    TrafficMatrix matrix = TrafficMatrix.of(new int[] {0, 1, 2, 3, 4}, bps);
    TrafficAwareRoutes direct = TrafficAwareRoutes.compute(mesh, matrix, EXACT);
    assertEquals(2, direct.load(matrix).maxUtilisation(), 2 * SOLVER);
    assertEquals(2, direct.boundUtilisation(), 2 * SOLVER);
    TrafficAwareRoutes around =
        TrafficAwareRoutes.compute(mesh, matrix, EXACT.withMaxStretch(Ratio.of(2, 1)));
    assertArrayEquals(new long[] {1, 1, 1, 1}, around.to(1).weights(0));
    assertEquals(0.5, around.load(matrix).maxUtilisation(), SOLVER);
    // A quarter takes one link, the rest two.
    assertEquals(1.75, around.load(matrix).meanStretch(), SOLVER);
    assertEquals(2.0, around.load(matrix).maxStretch());
    assertArrayEquals(new int[] {1}, around.changedDestinations());
  }

  /** Two S1 switches send to a third; S2 switch 1 has half the capacity towards it. */
  @Example
  void trafficThatMeetsFurtherDownIsSplitByWhatIsThere() {
    Fabric fabric = Fabrics.clos(new int[][] {{1, 1}, {1, 1}, {2, 1}});
    double[][] bps = {{0, 0, 15 * GBPS}, {0, 0, 15 * GBPS}, {0, 0, 0}};
    TrafficMatrix matrix = TrafficMatrix.of(new int[] {0, 1, 2}, bps);
    RoutesTable wcmp = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    // Each alone could use both uplinks fully, so WCMP splits evenly: 15 Gb/s on the single link.
    assertEquals(1.5, RoutingLoad.of(wcmp, matrix).maxUtilisation(), SOLVER);
    TrafficAwareRoutes routes = TrafficAwareRoutes.compute(fabric, matrix, EXACT);
    assertEquals(1.0, routes.load(matrix).maxUtilisation(), SOLVER);
    long[] first = routes.to(2).weights(0);
    long[] second = routes.to(2).weights(1);
    assertArrayEquals(new long[] {2, 1}, first);
    assertArrayEquals(new long[] {2, 1}, second);
  }

  @Example
  void whereTheMatrixDemandsNothingElseWcmpStays() {
    Fabric fabric = FatTree.of(4, 10_000_000_000L).withLinksDown(1, 20);
    RoutesTable wcmp = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    int[] endpoints = wcmp.destinations();
    double[][] bps = new double[endpoints.length][endpoints.length];
    bps[7][0] = 5 * GBPS;
    TrafficMatrix matrix = TrafficMatrix.of(endpoints, bps);
    TrafficAwareRoutes routes = TrafficAwareRoutes.compute(fabric, matrix, TrafficOptions.DEFAULT);
    // Only the way from edge-3-1 to edge-0-0 is busy, and it has nothing better than WCMP.
    for (int d : routes.changedDestinations()) {
      assertEquals(0, d);
    }
    double[][] none = new double[endpoints.length][endpoints.length];
    TrafficAwareRoutes idle =
        TrafficAwareRoutes.compute(
            fabric, TrafficMatrix.of(endpoints, none), TrafficOptions.DEFAULT);
    assertEquals(0, idle.changedDestinations().length);
    assertEquals(0.0, idle.boundUtilisation());
    assertSame(wcmp.to(3).group(0).getClass(), idle.to(3).group(0).getClass());
    assertThrows(IllegalArgumentException.class, () -> idle.to(fabric.indexOf("core-0")));
  }

  /** One destination: the least MLU is the worst ratio of demand to capacity over all cuts. */
  @Property(tries = 60)
  void towardsOneDestinationTheBoundIsTheTightestCut(
      @ForAll @IntRange(min = 2, max = 7) int switches,
      @ForAll @IntRange(min = 1, max = 16) int links,
      @ForAll @IntRange(min = 2, max = 6) int halfStretches,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    double[][] bps = new double[switches][switches];
    for (int s = 1; s < switches; s++) {
      bps[s][0] = random.nextInt(3) * random.nextInt(1, 50) * GBPS;
    }
    TrafficMatrix matrix = TrafficMatrix.of(IntStream.range(0, switches).toArray(), bps);
    TrafficOptions options = EXACT.withMaxStretch(Ratio.of(halfStretches, 2));
    double bound = TrafficAwareRoutes.compute(fabric, matrix, options).boundUtilisation();
    Links edges = new Links(fabric);
    Target target = targets(fabric, edges, matrix, options).get(0);
    double worst = 0;
    for (int set = 2; set < 1 << switches; set += 2) {
      double demand = 0;
      double capacity = 0;
      for (int s = 0; s < switches; s++) {
        demand += (set >> s & 1) * target.demandBps[s];
      }
      for (int e = 0; e < edges.count; e++) {
        boolean leaves = (set >> edges.from[e] & 1) == 1 && (set >> edges.to[e] & 1) == 0;
        capacity += leaves && target.isUsable(e) ? edges.capacityBps[e] : 0;
      }
      worst = demand == 0 ? worst : Math.max(worst, demand / capacity);
    }
    assertEquals(worst, bound, worst * SOLVER);
  }

  @Property(tries = 25)
  void theBoundIsWhatFlowsReachAndDualityAllows(
      @ForAll @IntRange(min = 3, max = 7) int switches,
      @ForAll @IntRange(min = 4, max = 16) int links,
      @ForAll @IntRange(min = 2, max = 4) int halfStretches,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    TrafficMatrix matrix = Matrices.random(random, switches);
    TrafficOptions options = EXACT.withMaxStretch(Ratio.of(halfStretches, 2));
    double bound = TrafficAwareRoutes.compute(fabric, matrix, options).boundUtilisation();
    Links edges = new Links(fabric);
    LeastUtilisationModel model =
        new LeastUtilisationModel(edges, targets(fabric, edges, matrix, options));
    assertTrue(bound <= model.above * (1 + SOLVER), bound + " > " + model.above);
    assertTrue(bound >= model.below * (1 - SOLVER), bound + " < " + model.below);
    // The model's own precision; else the two lines above might hold for anything.
    assertTrue(model.above <= model.below * 1.03, model.above + " >> " + model.below);
  }

  @Property(tries = 150)
  void routesKeepTheStretchLimitAndTheUtilisationThatWasPlanned(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll @IntRange(min = 2, max = 6) int halfStretches,
      @ForAll @IntRange(min = 2, max = 5) int halfSkews,
      @ForAll @IntRange(max = 2) int hedgeFifths,
      @ForAll @IntRange(max = 2) int slackFiftieths,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    TrafficMatrix matrix = Matrices.random(random, switches);
    TrafficOptions options =
        TrafficOptions.DEFAULT
            .withMaxStretch(Ratio.of(halfStretches, 2))
            .withMaxSkew(halfSkews < 5 ? halfSkews / 2.0 : Double.POSITIVE_INFINITY)
            .withHedgeShare(hedgeFifths / 5.0)
            .withSlack(slackFiftieths / 50.0);
    TrafficAwareRoutes routes = TrafficAwareRoutes.compute(fabric, matrix, options);
    TrafficMatrix blend = TrafficAwareRoutes.blend(fabric, matrix, options);
    RoutesTable wcmp =
        RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY, matrix.endpoints());
    for (int d = 0; d < switches; d++) {
      DestinationRoutes to = routes.to(d);
      for (int s = 0; s < switches; s++) {
        int shortest = wcmp.to(d).hops(s);
        assertTrue(to.hops(s) <= options.hopLimit(Math.max(0, shortest)), "a detour too long");
        assertEquals(shortest > 0, to.memberCount(s) > 0);
      }
    }
    RoutingLoad own = routes.load(blend);
    RoutingLoad before = RoutingLoad.of(wcmp, blend);
    assertTrue(own.maxUtilisation() <= routes.plannedUtilisation() * (1 + ROUNDING));
    assertTrue(own.maxUtilisation() >= routes.boundUtilisation() * (1 - SOLVER));
    assertTrue(
        routes.plannedUtilisation()
            <= before.maxUtilisation() * (1 + options.slack()) * (1 + SOLVER));
    assertEquals(before.lostBps(), own.lostBps(), before.lostBps() * SOLVER);
  }

  private static List<Target> targets(
      Fabric fabric, Links links, TrafficMatrix matrix, TrafficOptions options) {
    List<Target> targets = new ArrayList<>();
    for (int j = 0; j < matrix.endpointCount(); j++) {
      int to = j;
      DestinationRoutes routes = WeightRule.EFFECTIVE_CAPACITY.routes(fabric, j);
      double[] demandBps =
          IntStream.range(0, links.nodes)
              .mapToDouble(i -> routes.hops(i) > 0 ? matrix.demandBps(i, to) : 0)
              .toArray();
      targets.add(new Target(links, routes, demandBps, options));
    }
    return targets;
  }
}
