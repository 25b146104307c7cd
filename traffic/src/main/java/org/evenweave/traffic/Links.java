package org.evenweave.traffic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;

/**
 * The directed edges of a fabric for a linear program: parallel links that are up are one edge, for
 * they share in proportion to their capacities.
 */
final class Links {
  final int nodes;
  final int count;
  final int[] from;
  final int[] to;
  final double[] capacityBps;

  /** The edge that leads back. */
  final int[] reverse;

  /** The edges that leave each node. */
  final int[][] out;

  /** The arcs of each edge, by rising port. */
  final int[][] arcs;

  Links(Fabric fabric) {
    nodes = fabric.switchCount();
    int[] newFrom = new int[fabric.arcCount()];
    int[] newTo = new int[fabric.arcCount()];
    double[] newCapacityBps = new double[fabric.arcCount()];
    int[][] newArcs = new int[fabric.arcCount()][0];
    out = new int[nodes][];
    int edges = 0;
    for (int s = 0; s < nodes; s++) {
      int first = edges;
      Map<Integer, Integer> edgeTo = new HashMap<>();
      for (int i = 0; i < fabric.outDegree(s); i++) {
        int arc = fabric.outArc(s, i);
        Integer edge = edgeTo.putIfAbsent(fabric.to(arc), edges);
        if (edge == null) {
          edge = edges++;
          newFrom[edge] = s;
          newTo[edge] = fabric.to(arc);
        }
        newCapacityBps[edge] += fabric.capacityBps(arc);
        newArcs[edge] = Arrays.copyOf(newArcs[edge], newArcs[edge].length + 1);
        newArcs[edge][newArcs[edge].length - 1] = arc;
      }
      out[s] = new int[edges - first];
      Arrays.setAll(out[s], i -> first + i);
    }
    count = edges;
    from = Arrays.copyOf(newFrom, count);
    to = Arrays.copyOf(newTo, count);
    capacityBps = Arrays.copyOf(newCapacityBps, count);
    arcs = Arrays.copyOf(newArcs, count);
    reverse = new int[count];
    for (int edge = 0; edge < count; edge++) {
      for (int back : out[to[edge]]) {
        if (to[back] == from[edge]) {
          reverse[edge] = back;
        }
      }
    }
  }
}
