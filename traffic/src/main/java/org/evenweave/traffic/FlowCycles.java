package org.evenweave.traffic;

import java.util.Arrays;

/**
 * Removes cycles from a flow. A linear program may return circulations on links that are not the
 * busiest; they only add load, so removing them does not worsen the objective.
 */
final class FlowCycles {
  private static final int NEW = 0;
  private static final int ON_PATH = 1;
  private static final int DONE = 2;

  private final Links links;
  private final double[] flow;
  private final int[] state;
  private final int[] path;

  private FlowCycles(Links links, double[] flow) {
    this.links = links;
    this.flow = flow;
    state = new int[links.nodes];
    path = new int[links.nodes];
  }

  /**
   * Cancels cycles until none is left; each takes away an edge's whole flow, so there are at most
   * as many as edges.
   *
   * @param flow by edge; what is at most {@code noise} becomes 0
   */
  static void cancel(Links links, double[] flow, double noise) {
    for (int edge = 0; edge < flow.length; edge++) {
      flow[edge] = flow[edge] > noise ? flow[edge] : 0;
    }
    FlowCycles cycles = new FlowCycles(links, flow);
    while (cycles.cancelOne()) {
      Arrays.fill(cycles.state, NEW);
    }
  }

  private boolean cancelOne() {
    for (int start = 0; start < links.nodes; start++) {
      if (state[start] == NEW && visit(start, 0)) {
        return true;
      }
    }
    return false;
  }

  /** Depth first, at most as deep as there are switches; true if a cycle was met and cancelled. */
  private boolean visit(int s, int depth) {
    state[s] = ON_PATH;
    for (int edge : links.out[s]) {
      if (flow[edge] > 0) {
        path[depth] = edge;
        int next = links.to[edge];
        if (state[next] == ON_PATH) {
          cancelCycle(next, depth);
          return true;
        }
        if (state[next] == NEW && visit(next, depth + 1)) {
          return true;
        }
      }
    }
    state[s] = DONE;
    return false;
  }

  /** The cycle is the end of the path, from the edge that leaves {@code start}. */
  private void cancelCycle(int start, int depth) {
    int first = depth;
    while (links.from[path[first]] != start) {
      first--;
    }
    double least = Double.MAX_VALUE;
    for (int i = first; i <= depth; i++) {
      least = Math.min(least, flow[path[i]]);
    }
    for (int i = first; i <= depth; i++) {
      flow[path[i]] -= least;
    }
  }
}
