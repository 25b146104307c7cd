package org.evenweave.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;

/**
 * Finds the flow that {@link TrafficAwareRoutes} turns into routes.
 *
 * <p>Three programs. The first, over all edges within the stretch limit and without limits on
 * shares, bounds what can be reached; its flow may need loops, or detours too long. The second has
 * shortest paths only, which are free of loops as they are. If they fall short of the bound, an
 * order along the first program's flow excludes loops and long detours, and the third is over the
 * edges that lead down in it. It counts only if it is better than shortest paths, so longer paths
 * never make it worse.
 */
final class TrafficPlan {
  /** A gain in utilisation below this is the solver's noise. */
  private static final double LEAST_GAIN = 1e-6;

  private final Fabric fabric;
  private final Links links;
  private final List<Target> targets;
  private final double wcmpUtilisation;
  private final TrafficOptions options;
  private final double boundUtilisation;
  private FlowProgram.Solution solution;
  private List<WcmpReference> references;

  /**
   * @param wcmpUtilisation the MLU that WCMP has for the targets' demands, positive
   */
  TrafficPlan(
      Fabric fabric,
      Links links,
      List<Target> targets,
      double wcmpUtilisation,
      TrafficOptions options) {
    this.fabric = fabric;
    this.links = links;
    this.targets = targets;
    this.wcmpUtilisation = wcmpUtilisation;
    this.options = options;
    FlowProgram.Usable shortest = (t, edge) -> targets.get(t).isShortest(edge);
    references = references(shortest);
    FlowProgram.Solution best =
        solve(shortest, (t, edge) -> targets.get(t).isUsable(edge), Double.POSITIVE_INFINITY);
    boundUtilisation = best.utilisation;
    solution = solve(shortest, shortest, options.maxSkew());
    if (isBetter(best, solution)) {
      useLongerPaths(best);
    }
  }

  private void useLongerPaths(FlowProgram.Solution best) {
    List<LoopFreeOrder> orders = new ArrayList<>();
    for (int t = 0; t < targets.size(); t++) {
      Target target = targets.get(t);
      double noiseBps = Arrays.stream(target.demandBps).sum() * SplitWeights.LEAST_SHARE;
      FlowCycles.cancel(links, best.flowBps[t], noiseBps);
      orders.add(new LoopFreeOrder(links, target, best.flowBps[t]));
    }
    FlowProgram.Usable allowed = (t, edge) -> orders.get(t).allows(edge);
    FlowProgram.Usable start =
        (t, edge) ->
            allowed.test(t, edge) && (targets.get(t).isShortest(edge) || best.flowBps[t][edge] > 0);
    List<WcmpReference> referencesOfShortest = references;
    references = references(allowed);
    FlowProgram.Solution loopFree = solve(start, allowed, options.maxSkew());
    if (isBetter(loopFree, solution)) {
      solution = loopFree;
    } else {
      references = referencesOfShortest;
    }
  }

  private static boolean isBetter(FlowProgram.Solution a, FlowProgram.Solution b) {
    return a.utilisation < b.utilisation * (1 - LEAST_GAIN);
  }

  private FlowProgram.Solution solve(
      FlowProgram.Usable start, FlowProgram.Usable usable, double maxSkew) {
    double[][] shareLimit =
        references.stream()
            .map(reference -> reference.shareLimits(links, maxSkew))
            .toArray(double[][]::new);
    try (FlowProgram program =
        new FlowProgram(links, targets, wcmpUtilisation, start, shareLimit)) {
      return program.solve(usable);
    }
  }

  private List<WcmpReference> references(FlowProgram.Usable allowed) {
    List<WcmpReference> result = new ArrayList<>();
    for (int t = 0; t < targets.size(); t++) {
      int own = t;
      IntPredicate ofTarget = edge -> allowed.test(own, edge);
      result.add(new WcmpReference(links, targets.get(t), ofTarget));
    }
    return result;
  }

  double boundUtilisation() {
    return boundUtilisation;
  }

  double plannedUtilisation() {
    return solution.utilisation * (1 + options.slack());
  }

  /** The routes, aligned with the targets. */
  DestinationRoutes[] routes() {
    double[] nearness = NearestToWcmp.shares(links, targets, solution, references, options.slack());
    DestinationRoutes[] routes = new DestinationRoutes[targets.size()];
    for (int t = 0; t < routes.length; t++) {
      boolean isWcmp = references.get(t).isWcmp && nearness[t] > 1 - SplitWeights.LEAST_SHARE;
      routes[t] =
          isWcmp
              ? targets.get(t).wcmp
              : split(targets.get(t), solution.flowBps[t], references.get(t), nearness[t]);
    }
    return routes;
  }

  private DestinationRoutes split(
      Target target, double[] flowBps, WcmpReference reference, double nearness) {
    int[][] members = new int[links.nodes][0];
    long[][] weights = new long[links.nodes][0];
    double[] shareLimit = reference.shareLimits(links, options.maxSkew());
    for (int s = 0; s < links.nodes; s++) {
      int[] edges = links.out[s];
      if (target.wcmp.hops(s) > 0) {
        double[] shares = new double[edges.length];
        double outBps = 0;
        for (int i = 0; i < edges.length; i++) {
          double ownBps = flowBps[edges[i]];
          shares[i] = ownBps + nearness * (reference.flowBps[edges[i]] - ownBps);
          outBps += shares[i];
        }
        for (int i = 0; i < edges.length; i++) {
          // A switch that has no traffic for this destination keeps WCMP's split.
          shares[i] = outBps > 0 ? shares[i] / outBps : reference.share[edges[i]];
        }
        limit(shares, edges, shareLimit);
        SplitWeights.spread(
            fabric, links, s, edges, SplitWeights.wholeNumbers(shares), members, weights);
      }
    }
    return DestinationRoutes.of(fabric, target.destination, members, weights);
  }

  /**
   * Moves what is above limits to where there is room below them. The program keeps limits to its
   * tolerance, which is much where a switch has hardly any traffic. There is room enough: limits
   * are not below WCMP's shares, which sum to 1.
   */
  private static void limit(double[] shares, int[] edges, double[] shareLimit) {
    double excess = 0;
    double room = 0;
    for (int i = 0; i < edges.length; i++) {
      double below = shareLimit[edges[i]] - shares[i];
      excess += Math.max(0, -below);
      room += Double.isFinite(below) ? Math.max(0, below) : 0;
    }
    for (int i = 0; i < edges.length && excess > 0; i++) {
      double below = shareLimit[edges[i]] - shares[i];
      if (Double.isFinite(below)) {
        shares[i] += below < 0 ? below : below * Math.min(1, excess / room);
      }
    }
  }
}
