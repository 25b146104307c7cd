package org.evenweave.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.traffic.RoutingLoad;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Routes and weights for a given traffic matrix: least maximum link utilisation (MLU), over longer
 * paths too if allowed, hedged against a wrong matrix. This is what Tewari 2015, section 6.2.1,
 * leaves to future work: "account for traffic hot-spots" and "support non-shortest path routing".
 *
 * <p><b>Steps.</b> {@link TrafficPlan} has the details.
 *
 * <ol>
 *   <li><em>Optimum.</em> {@link FlowProgram} finds the least MLU over all edges that any path
 *       within the stretch limit may use. No routes within that limit do better: {@link
 *       #boundUtilisation}.
 *   <li><em>No loops.</em> {@link LoopFreeOrder} orders the switches, for each destination, along
 *       that flow, and the program is solved again over the edges that lead down.
 *   <li><em>Back to WCMP.</em> {@link NearestToWcmp} trades up to a slack of utilisation for groups
 *       that are nearer to WCMP's, or WCMP's themselves.
 *   <li><em>Integers.</em> {@link SplitWeights}. What is reported is measured on the integers.
 * </ol>
 *
 * <p><b>Hedges.</b> A linear program trusts its matrix to the last bit: where it does not matter
 * for the maximum it puts all on one path, and any error lands there. Three things stand against
 * it.
 *
 * <ul>
 *   <li><em>Skew.</em> On every shortest path, the shares that switches give to the path's links
 *       multiply to at most r = {@link TrafficOptions#maxSkew} times what they do in WCMP. So of
 *       any pair's traffic, a link gets at most r times what WCMP gives it, and summed over pairs:
 *       with shortest paths only, whatever the traffic, <em>the MLU is at most r times WCMP's</em>.
 *       The matrix can be entirely wrong.
 *   <li><em>Blend.</em> What is optimised for is B = (1 - h) T + h G: the given matrix T and G,
 *       gravity with the same total. Loads are linear in the matrix, so whatever demands come, over
 *       longer paths too, if none is more than k times that of B the MLU is at most k times what
 *       was planned for B; for T itself k = 1 / (1 - h). G has all pairs, so none was not planned
 *       for.
 *   <li><em>Nearness to WCMP</em>, as above.
 * </ul>
 *
 * <p>The oblivious ratio, the worst over all matrices against the optimum for each, would be the
 * stronger promise, but it is not linear in splits per destination. A ratio to WCMP is, it is what
 * an operator risks by leaving WCMP, and it holds by construction.
 *
 * <p><b>Cost.</b> The linear program rules: a second for dozens of switches, ten or twenty for a
 * hundred. It is meant for the pace of traffic matrices (minutes), not of failures; after a
 * failure, WCMP's weights are there at once.
 *
 * <p>Destination-based: every switch has one group per destination, for all sources, so these
 * routes need no more groups than WCMP does. Immutable.
 */
public final class TrafficAwareRoutes {
  private final Fabric fabric;
  private final DestinationRoutes[] routesOfTarget;
  private final RoutesTable wcmp;
  private final double plannedUtilisation;
  private final double boundUtilisation;

  private TrafficAwareRoutes(
      Fabric fabric,
      DestinationRoutes[] routesOfTarget,
      RoutesTable wcmp,
      double plannedUtilisation,
      double boundUtilisation) {
    this.fabric = fabric;
    this.routesOfTarget = routesOfTarget;
    this.wcmp = wcmp;
    this.plannedUtilisation = plannedUtilisation;
    this.boundUtilisation = boundUtilisation;
  }

  /**
   * @param matrix demands between switches of {@code fabric}; those without a path are left out
   * @throws IllegalStateException if the solver fails
   */
  public static TrafficAwareRoutes compute(
      Fabric fabric, TrafficMatrix matrix, TrafficOptions options) {
    RoutesTable wcmp =
        RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY, matrix.endpoints());
    TrafficMatrix blend = blend(fabric, matrix, options);
    double wcmpUtilisation = RoutingLoad.of(wcmp, blend).maxUtilisation();
    if (wcmpUtilisation == 0) {
      DestinationRoutes[] same =
          Arrays.stream(matrix.endpoints()).mapToObj(wcmp::to).toArray(DestinationRoutes[]::new);
      return new TrafficAwareRoutes(fabric, same, wcmp, 0, 0);
    }
    Links links = new Links(fabric);
    List<Target> targets = new ArrayList<>();
    for (int j = 0; j < blend.endpointCount(); j++) {
      DestinationRoutes routes = wcmp.to(blend.endpoint(j));
      double[] demandBps = new double[links.nodes];
      for (int i = 0; i < blend.endpointCount(); i++) {
        boolean hasPath = routes.hops(blend.endpoint(i)) > 0;
        demandBps[blend.endpoint(i)] = hasPath ? blend.demandBps(i, j) : 0;
      }
      targets.add(new Target(links, routes, demandBps, options));
    }
    TrafficPlan plan = new TrafficPlan(fabric, links, targets, wcmpUtilisation, options);
    return new TrafficAwareRoutes(
        fabric, plan.routes(), wcmp, plan.plannedUtilisation(), plan.boundUtilisation());
  }

  /** The matrix that weights are optimised for. */
  public static TrafficMatrix blend(Fabric fabric, TrafficMatrix matrix, TrafficOptions options) {
    TrafficMatrix gravity = TrafficMatrix.gravity(fabric, matrix.endpoints(), matrix.totalBps());
    return matrix.blendedWith(gravity, options.hedgeShare());
  }

  /**
   * The routes to one endpoint of the matrix.
   *
   * @param destination a switch number
   */
  public DestinationRoutes to(int destination) {
    int index = Arrays.binarySearch(wcmp.destinations(), destination);
    if (index < 0) {
      throw new IllegalArgumentException(
          "switch " + destination + " is not an endpoint of the matrix");
    }
    return routesOfTarget[index];
  }

  /** The endpoints whose routes are other than WCMP's, rising. */
  public int[] changedDestinations() {
    int[] destinations = wcmp.destinations();
    return IntStream.range(0, destinations.length)
        .filter(t -> differs(routesOfTarget[t], wcmp.to(destinations[t])))
        .map(t -> destinations[t])
        .toArray();
  }

  private boolean differs(DestinationRoutes a, DestinationRoutes b) {
    return IntStream.range(0, fabric.switchCount()).anyMatch(s -> !a.group(s).equals(b.group(s)));
  }

  /** What these routes do with a matrix over the same endpoints. */
  public RoutingLoad load(TrafficMatrix matrix) {
    return RoutingLoad.of(fabric, this::to, matrix);
  }

  /** The MLU that was planned for the {@linkplain #blend blend}, slack included. */
  public double plannedUtilisation() {
    return plannedUtilisation;
  }

  /** The least MLU that any routes within the stretch limit can have for the blend. */
  public double boundUtilisation() {
    return boundUtilisation;
  }
}
