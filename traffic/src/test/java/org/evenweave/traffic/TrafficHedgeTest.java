package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
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

/** What is promised when the matrix is wrong. */
class TrafficHedgeTest {
  private static final double GBPS = 1e9;

  /**
   * Integer weights take shares to within a millionth of what a switch has, at each of up to seven
   * hops; a link may have a hundredth of the capacity of those before it.
   */
  private static final double ROUNDING = 1e-3;

  /** Nothing above k times the blend, so nothing above k times the plan. */
  @Property(tries = 60)
  void aMatrixThatIsWrongByAFactorIsServedWithinThatFactor(
      @ForAll @IntRange(min = 2, max = 4) int halfStretches, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Topologies.jellyfish(10, 4, seed);
    TrafficMatrix matrix = Matrices.random(random, 10);
    TrafficOptions options =
        TrafficOptions.DEFAULT.withMaxStretch(Ratio.of(halfStretches, 2)).withHedgeShare(0.25);
    TrafficAwareRoutes routes = TrafficAwareRoutes.compute(fabric, matrix, options);
    TrafficMatrix blend = TrafficAwareRoutes.blend(fabric, matrix, options);
    TrafficMatrix truth = Matrices.random(random, 10);
    double factor = 0;
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 10; j++) {
        if (i != j) {
          factor = Math.max(factor, truth.demandBps(i, j) / blend.demandBps(i, j));
        }
      }
    }
    assertTrue(
        routes.load(truth).maxUtilisation()
            <= factor * routes.plannedUtilisation() * (1 + ROUNDING));
    assertTrue(
        routes.load(matrix).maxUtilisation()
            <= routes.plannedUtilisation() / 0.75 * (1 + ROUNDING));
  }

  /** Whatever the traffic, also if a single pair has it all. */
  @Property(tries = 60)
  void withShortestPathsNoMatrixIsServedWorseThanMaxSkewTimesWcmp(
      @ForAll @IntRange(min = 2, max = 6) int halfSkews, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric =
        random.nextBoolean()
            ? Topologies.jellyfish(10, 4, seed)
            : FatTree.of(4, 10_000_000_000L).withLinksDown(random.nextInt(32));
    RoutesTable wcmp = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
    int[] endpoints = wcmp.destinations();
    TrafficAwareRoutes routes =
        TrafficAwareRoutes.compute(
            fabric,
            Matrices.hotSpots(random, endpoints),
            TrafficOptions.DEFAULT.withMaxSkew(halfSkews / 2.0));
    for (int i = 0; i < 20; i++) {
      double[][] bps = new double[endpoints.length][endpoints.length];
      int pairs = random.nextInt(1, 6);
      for (int pair = 0; pair < pairs; pair++) {
        int from = random.nextInt(endpoints.length);
        int to = random.nextInt(endpoints.length);
        bps[from][to] = from == to ? 0 : random.nextDouble() * GBPS;
      }
      TrafficMatrix truth = TrafficMatrix.of(endpoints, bps);
      assertTrue(
          routes.load(truth).maxUtilisation()
              <= halfSkews / 2.0 * RoutingLoad.of(wcmp, truth).maxUtilisation() * (1 + ROUNDING));
    }
    if (halfSkews == 2) {
      assertEquals(0, changes(fabric, routes, wcmp, ROUNDING), "skew 1 is WCMP");
    }
  }

  /** How many shares differ by more than this. */
  private static long changes(
      Fabric fabric, TrafficAwareRoutes routes, RoutesTable wcmp, double tolerance) {
    long count = 0;
    for (int d : wcmp.destinations()) {
      for (int s = 0; s < fabric.switchCount(); s++) {
        double[] own = shares(routes.to(d), s);
        double[] before = shares(wcmp.to(d), s);
        assertEquals(before.length, own.length);
        for (int i = 0; i < own.length; i++) {
          count += Math.abs(own[i] - before[i]) > tolerance ? 1 : 0;
        }
      }
    }
    return count;
  }

  private static double[] shares(DestinationRoutes routes, int s) {
    double size = Arrays.stream(routes.weights(s)).sum();
    return Arrays.stream(routes.weights(s)).mapToDouble(weight -> weight / size).toArray();
  }

  /**
   * What the hedges cost and what they are for, as measured on forty fabrics: where the matrix is
   * right to within 30 %, hedged weights win over WCMP in the mean; where demands are off by a
   * factor of 0 to 2 and three of them between other pairs, they lose less in the worst case than
   * weights that trust the matrix.
   */
  @Example
  void hedgedWeightsAreNeverMuchWorseThanWcmpUnderAPerturbedMatrix() {
    SplittableRandom random = new SplittableRandom(20150101);
    double nearMean = 0;
    double worstHedged = 0;
    double worstTrusting = 0;
    int fabrics = 40;
    for (int n = 0; n < fabrics; n++) {
      int[][] uplinks = Fabrics.uplinks(random, 8, 4, 1, 2);
      Fabric fabric =
          n % 2 == 0 ? Topologies.jellyfish(12, 4, random.nextLong()) : Fabrics.clos(uplinks);
      RoutesTable wcmp = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
      TrafficMatrix matrix = Matrices.hotSpots(random, wcmp.destinations());
      TrafficAwareRoutes hedged =
          TrafficAwareRoutes.compute(fabric, matrix, TrafficOptions.DEFAULT);
      TrafficAwareRoutes trusting =
          TrafficAwareRoutes.compute(
              fabric,
              matrix,
              TrafficOptions.DEFAULT
                  .withMaxSkew(Double.POSITIVE_INFINITY)
                  .withHedgeShare(0)
                  .withSlack(0));
      TrafficMatrix near = Matrices.perturbed(random, matrix, 0.3, 0);
      nearMean +=
          hedged.load(near).maxUtilisation()
              / RoutingLoad.of(wcmp, near).maxUtilisation()
              / fabrics;
      TrafficMatrix far = Matrices.perturbed(random, matrix, 1, 3);
      double reference = RoutingLoad.of(wcmp, far).maxUtilisation();
      worstHedged = Math.max(worstHedged, hedged.load(far).maxUtilisation() / reference);
      worstTrusting = Math.max(worstTrusting, trusting.load(far).maxUtilisation() / reference);
    }
    System.out.printf(
        Locale.ROOT,
        "MLU over WCMP's: near %.3f in the mean; far: hedged %.3f, trusting %.3f at worst%n",
        nearMean,
        worstHedged,
        worstTrusting);
    assertTrue(nearMean < 1);
    assertTrue(worstHedged <= TrafficOptions.DEFAULT.maxSkew() * (1 + ROUNDING));
    assertTrue(worstTrusting > TrafficOptions.DEFAULT.maxSkew());
  }
}
