package org.evenweave.wcmp.weights;

/** The routes of packets from one switch to another; see {@link PairRule}. Immutable. */
public final class PairRoutes {
  private final int source;
  private final DestinationRoutes routes;
  private final long maxFlowBps;

  PairRoutes(int source, DestinationRoutes routes, long maxFlowBps) {
    this.source = source;
    this.routes = routes;
    this.maxFlowBps = maxFlowBps;
  }

  public int source() {
    return source;
  }

  public int destination() {
    return routes.destination();
  }

  /**
   * The groups, for packets from the source alone. Only switches that the flow passes have one;
   * none has if there is no path.
   */
  public DestinationRoutes routes() {
    return routes;
  }

  /**
   * What can go from source to destination when nothing else does, in bits per second: with these
   * weights that much fits. 2^63 - 1 if it is more, 0 if there is no path.
   */
  public long maxFlowBps() {
    return maxFlowBps;
  }
}
