package org.evenweave.traffic;

import org.evenweave.wcmp.weights.DestinationRoutes;

/** One destination of the program: who sends to it, and which edges its traffic may take. */
final class Target {
  final int destination;

  /** Shortest paths to it, with WCMP weights. */
  final DestinationRoutes wcmp;

  /** What each switch itself sends to it, in bps; 0 where there is no path. */
  final double[] demandBps;

  /** The most links that a path from each switch may take; 0 where there is no path. */
  final int[] hopLimit;

  private final Links links;

  Target(Links links, DestinationRoutes wcmp, double[] demandBps, TrafficOptions options) {
    this.links = links;
    this.destination = wcmp.destination();
    this.wcmp = wcmp;
    this.demandBps = demandBps;
    hopLimit = new int[links.nodes];
    for (int s = 0; s < links.nodes; s++) {
      hopLimit[s] = options.hopLimit(Math.max(0, wcmp.hops(s)));
    }
  }

  /** Whether the edge is on a shortest path. */
  boolean isShortest(int edge) {
    return wcmp.hops(links.to[edge]) == wcmp.hops(links.from[edge]) - 1
        && wcmp.hops(links.to[edge]) >= 0;
  }

  /** Whether some path that takes the edge first keeps the limit. */
  boolean isUsable(int edge) {
    return links.from[edge] != destination
        && wcmp.hops(links.from[edge]) > 0
        && wcmp.hops(links.to[edge]) < hopLimit[links.from[edge]];
  }
}
