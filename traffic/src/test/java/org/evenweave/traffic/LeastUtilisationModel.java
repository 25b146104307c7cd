package org.evenweave.traffic;

import java.util.Arrays;
import java.util.List;

/**
 * The least maximum link utilisation, enclosed from both sides without a linear program.
 *
 * <p>From above by a flow: Frank and Wolfe's method on a smooth maximum of utilisations, which
 * sends everything over what is shortest when every edge costs by how full it is, a little at a
 * time. From below by weak duality: whatever edges cost, u times the cost of all capacity is at
 * least what all demands cost on their shortest paths.
 */
final class LeastUtilisationModel {
  private static final int ROUNDS = 10_000;

  /**
   * How sharp the smooth maximum is. Its error is the logarithm of the edges over this, and its
   * curvature, which makes for slow progress, is this: 100 came out best.
   */
  private static final double SHARPNESS = 100;

  private final Links links;
  double above = Double.MAX_VALUE;
  double below;

  LeastUtilisationModel(Links links, List<Target> targets) {
    this.links = links;
    double[] load = new double[links.count];
    for (int round = 0; round < ROUNDS; round++) {
      double[] cost = costs(load);
      double capacityCost = 0;
      for (int e = 0; e < links.count; e++) {
        capacityCost += cost[e] * links.capacityBps[e];
      }
      double[] shortest = new double[links.count];
      double demandCost = 0;
      for (Target target : targets) {
        demandCost += sendShortest(target, cost, shortest);
      }
      below = Math.max(below, demandCost / capacityCost);
      double step = 2.0 / (round + 2);
      for (int e = 0; e < links.count; e++) {
        load[e] += step * (shortest[e] - load[e]);
      }
      above = Math.min(above, utilisation(load));
    }
  }

  private double utilisation(double[] load) {
    double max = 0;
    for (int e = 0; e < load.length; e++) {
      max = Math.max(max, load[e] / links.capacityBps[e]);
    }
    return max;
  }

  private double[] costs(double[] load) {
    double max = utilisation(load);
    double[] cost = new double[load.length];
    for (int e = 0; e < load.length; e++) {
      double relative = max == 0 ? 1 : load[e] / links.capacityBps[e] / max;
      cost[e] = Math.exp(SHARPNESS * (relative - 1)) / links.capacityBps[e];
    }
    return cost;
  }

  /** Adds the load and returns the cost. */
  private double sendShortest(Target target, double[] cost, double[] load) {
    double[] distance = new double[links.nodes];
    int[] via = new int[links.nodes];
    Arrays.fill(distance, Double.MAX_VALUE);
    distance[target.destination] = 0;
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int e = 0; e < links.count; e++) {
        double through = cost[e] + distance[links.to[e]];
        if (target.isUsable(e) && through < distance[links.from[e]]) {
          distance[links.from[e]] = through;
          via[links.from[e]] = e;
          changed = true;
        }
      }
    }
    double total = 0;
    for (int s = 0; s < links.nodes; s++) {
      if (target.demandBps[s] > 0) {
        total += target.demandBps[s] * distance[s];
        for (int at = s; at != target.destination; at = links.to[via[at]]) {
          load[via[at]] += target.demandBps[s];
        }
      }
    }
    return total;
  }
}
