package org.evenweave.wcmp.sharing;

import java.util.Arrays;

/**
 * Gonzalez' farthest-first traversal: each next destination is one that overlaps least with those
 * before it ("Clustering to minimize the maximum intercluster distance", Theoretical Computer
 * Science 38, 1985). The first G + 1 of them overlap by at most the last one's overlap in pairs;
 * two of them share a group if there are G groups, which proves a bound.
 */
final class FarthestFirst {
  /** More than any overlap. */
  private static final double VISITED = 2;

  private final int[] order;
  private final double[] overlaps;
  private final int[] nearest;

  /**
   * @param start the first destination
   * @param count how many to visit, at least 1, at most all
   */
  FarthestFirst(NextHopShares shares, int start, int count) {
    order = new int[count];
    overlaps = new double[count];
    nearest = new int[shares.size()];
    double[] overlap = new double[shares.size()];
    Arrays.fill(overlap, -1);
    int next = start;
    for (int k = 0; k < count; k++) {
      order[k] = next;
      overlaps[k] = Math.max(overlap[next], 0);
      overlap[next] = VISITED;
      nearest[next] = k;
      int farthest = -1;
      for (int d = 0; d < overlap.length; d++) {
        if (overlap[d] < 1) {
          double with = shares.overlap(next, d);
          if (with > overlap[d]) {
            overlap[d] = with;
            nearest[d] = k;
          }
        }
        if (farthest < 0 || overlap[d] < overlap[farthest]) {
          farthest = d;
        }
      }
      next = farthest;
    }
  }

  /** The k-th destination visited. */
  int at(int k) {
    return order[k];
  }

  /** The largest overlap of the k-th destination with one visited before it; k from 1. */
  double overlapAt(int k) {
    return overlaps[k];
  }

  /** Which of the destinations visited one overlaps most with, by its place in the order. */
  int nearest(int d) {
    return nearest[d];
  }

  int count() {
    return order.length;
  }
}
