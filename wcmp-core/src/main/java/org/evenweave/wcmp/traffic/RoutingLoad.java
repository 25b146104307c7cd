package org.evenweave.wcmp.traffic;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.PairRoutes;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * The effect of routes on a traffic matrix: the load of every link, and path lengths.
 *
 * <p><b>Computation.</b> For each destination, demand is pushed from the farthest switches inwards;
 * every switch splits what it has got by its group's weights. Members lead to switches with fewer
 * hops, so a switch has got everything when its turn comes. O(members) per destination. Sums and
 * products of non-negative doubles, at most a few thousand deep: the relative error is below 1e-12.
 */
public final class RoutingLoad {
  private final Fabric fabric;
  private final double[] loadBps;
  private double lostBps;
  private double carriedBps;
  private double stretchTimesBps;
  private double maxStretch = 1;

  private RoutingLoad(Fabric fabric) {
    this.fabric = fabric;
    loadBps = new double[fabric.arcCount()];
  }

  /**
   * @param routesTo the routes to a switch number; called once for each endpoint that any switch
   *     sends to
   */
  public static RoutingLoad of(
      Fabric fabric, IntFunction<DestinationRoutes> routesTo, TrafficMatrix matrix) {
    RoutingLoad result = new RoutingLoad(fabric);
    RoutesTable shortest = RoutesTable.compute(fabric, WeightRule.EQUAL, matrix.endpoints());
    double[] pendingBps = new double[fabric.switchCount()];
    for (int j = 0; j < matrix.endpointCount(); j++) {
      boolean wanted = false;
      for (int i = 0; i < matrix.endpointCount(); i++) {
        pendingBps[matrix.endpoint(i)] = matrix.demandBps(i, j);
        wanted |= matrix.demandBps(i, j) > 0;
      }
      if (wanted) {
        int destination = matrix.endpoint(j);
        DestinationRoutes routes = routesTo.apply(destination);
        int[] nearestFirst = nearestFirst(routes, fabric.switchCount());
        result.measureStretch(routes, nearestFirst, shortest.to(destination), pendingBps);
        result.push(routes, nearestFirst, pendingBps);
      }
    }
    return result;
  }

  /**
   * The same where every pair of switches has routes of its own.
   *
   * @param pairs at most one for each source and destination; a demand without one is lost
   */
  public static RoutingLoad ofPairs(
      Fabric fabric, Iterable<PairRoutes> pairs, TrafficMatrix matrix) {
    RoutingLoad result = new RoutingLoad(fabric);
    int[] endpoints = matrix.endpoints();
    RoutesTable shortest = RoutesTable.compute(fabric, WeightRule.EQUAL, endpoints);
    double[][] unroutedBps = new double[endpoints.length][endpoints.length];
    for (int i = 0; i < endpoints.length; i++) {
      int from = i;
      Arrays.setAll(unroutedBps[i], j -> matrix.demandBps(from, j));
    }
    double[] pendingBps = new double[fabric.switchCount()];
    for (PairRoutes pair : pairs) {
      int i = Arrays.binarySearch(endpoints, pair.source());
      int j = Arrays.binarySearch(endpoints, pair.destination());
      double bps = i < 0 || j < 0 ? 0 : unroutedBps[i][j];
      if (bps > 0) {
        unroutedBps[i][j] = 0;
        DestinationRoutes routes = pair.routes();
        int[] nearestFirst = nearestFirst(routes, fabric.switchCount());
        pendingBps[pair.source()] = bps;
        result.measureStretch(routes, nearestFirst, shortest.to(pair.destination()), pendingBps);
        result.push(routes, nearestFirst, pendingBps);
      }
    }
    result.lostBps += Arrays.stream(unroutedBps).flatMapToDouble(Arrays::stream).sum();
    return result;
  }

  /** The same with the routes of a table. */
  public static RoutingLoad of(RoutesTable table, TrafficMatrix matrix) {
    return of(table.fabric(), table::to, matrix);
  }

  /** Switches that reach the destination, by rising hops: a counting sort. */
  private static int[] nearestFirst(DestinationRoutes routes, int switchCount) {
    int[] end = new int[switchCount + 1];
    for (int s = 0; s < switchCount; s++) {
      end[routes.hops(s) + 1]++;
    }
    end[0] = 0;
    for (int level = 1; level <= switchCount; level++) {
      end[level] += end[level - 1];
    }
    int[] sorted = new int[end[switchCount]];
    for (int s = switchCount - 1; s >= 0; s--) {
      if (routes.hops(s) >= 0) {
        sorted[--end[routes.hops(s) + 1]] = s;
      }
    }
    return sorted;
  }

  private void measureStretch(
      DestinationRoutes routes,
      int[] nearestFirst,
      DestinationRoutes shortest,
      double[] demandBps) {
    double[] meanHops = new double[demandBps.length];
    for (int s : nearestFirst) {
      double size = size(routes, s);
      for (int i = 0; i < routes.memberCount(s); i++) {
        double share = routes.weight(s, i) / size;
        meanHops[s] += share * (1 + meanHops[fabric.to(routes.arc(s, i))]);
      }
      if (demandBps[s] > 0) {
        stretchTimesBps += demandBps[s] * meanHops[s] / shortest.hops(s);
        maxStretch = Math.max(maxStretch, (double) routes.hops(s) / shortest.hops(s));
      }
    }
  }

  /** Empties {@code pendingBps} too. */
  private void push(DestinationRoutes routes, int[] nearestFirst, double[] pendingBps) {
    for (int n = nearestFirst.length - 1; n > 0; n--) {
      int s = nearestFirst[n];
      double bps = pendingBps[s];
      pendingBps[s] = 0;
      if (bps > 0) {
        double size = size(routes, s);
        for (int i = 0; i < routes.memberCount(s); i++) {
          double share = bps * routes.weight(s, i) / size;
          loadBps[routes.arc(s, i)] += share;
          pendingBps[fabric.to(routes.arc(s, i))] += share;
        }
      }
    }
    carriedBps += pendingBps[routes.destination()];
    pendingBps[routes.destination()] = 0;
    for (int s = 0; s < pendingBps.length; s++) {
      lostBps += pendingBps[s];
      pendingBps[s] = 0;
    }
  }

  private static double size(DestinationRoutes routes, int s) {
    double size = 0;
    for (int i = 0; i < routes.memberCount(s); i++) {
      size += routes.weight(s, i);
    }
    return size;
  }

  /** The load of a link in one direction, in bits per second. */
  public double loadBps(int arc) {
    return loadBps[arc];
  }

  /** Load over capacity of a link in one direction; above 1 if it is overloaded. */
  public double utilisation(int arc) {
    return loadBps[arc] / fabric.capacityBps(arc);
  }

  /** The maximum link utilisation (MLU); 0 if there is no traffic. */
  public double maxUtilisation() {
    double max = 0;
    for (int arc = 0; arc < loadBps.length; arc++) {
      max = Math.max(max, utilisation(arc));
    }
    return max;
  }

  /** Demand for which there is no path, in bits per second. It is in no other figure. */
  public double lostBps() {
    return lostBps;
  }

  /**
   * Links on a packet's way over links on a shortest path, in the mean over all traffic that has a
   * path; 1 if there is none.
   */
  public double meanStretch() {
    return carriedBps == 0 ? 1 : stretchTimesBps / carriedBps;
  }

  /** The same for the longest way that any packet may take. */
  public double maxStretch() {
    return maxStretch;
  }
}
