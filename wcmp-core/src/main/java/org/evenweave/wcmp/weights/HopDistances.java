package org.evenweave.wcmp.weights;

import java.util.Arrays;
import org.evenweave.wcmp.fabric.Fabric;

/** Breadth-first distances to one destination, and the order in which they were found. */
final class HopDistances {
  /** Hops to the destination, -1 where there is no path. */
  final int[] hops;

  /** The switches that reach the destination, nearest first. */
  final int[] nearestFirst;

  /** Takes O(switches + links). */
  HopDistances(Fabric fabric, int destination) {
    hops = new int[fabric.switchCount()];
    Arrays.fill(hops, -1);
    int[] queue = new int[fabric.switchCount()];
    int tail = 0;
    queue[tail++] = destination;
    hops[destination] = 0;
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      for (int i = 0; i < fabric.outDegree(s); i++) {
        int neighbour = fabric.to(fabric.outArc(s, i));
        if (hops[neighbour] < 0) {
          hops[neighbour] = hops[s] + 1;
          queue[tail++] = neighbour;
        }
      }
    }
    nearestFirst = Arrays.copyOf(queue, tail);
  }
}
