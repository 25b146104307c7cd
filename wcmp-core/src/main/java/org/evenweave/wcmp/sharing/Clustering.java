package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The assignment of destinations to shared groups, or to a plain rule. */
final class Clustering {
  /** Of a destination that no group serves. */
  static final int ALONE = -1;

  private final int[] clusterOf;
  private final int clusters;
  private final int alone;
  private final double overlap;

  Clustering(NextHopShares shares, List<Cluster> clusters) {
    clusterOf = new int[shares.size()];
    Arrays.fill(clusterOf, ALONE);
    int count = 0;
    int served = 0;
    double least = 1;
    for (Cluster cluster : clusters) {
      if (cluster.size() > 0) {
        for (int i = 0; i < cluster.size(); i++) {
          clusterOf[cluster.member(i)] = count;
        }
        served += cluster.size();
        least = Math.min(least, cluster.overlap());
        count++;
      }
    }
    this.clusters = count;
    alone = shares.size() - served;
    overlap = least;
  }

  int clusterOf(int d) {
    return clusterOf[d];
  }

  int[] clusterOf() {
    return clusterOf.clone();
  }

  /** How many destinations no group serves. */
  int alone() {
    return alone;
  }

  /** The least overlap of any cluster: 1 over the worst oversubscription. */
  double overlap() {
    return overlap;
  }

  /** Whether it serves more destinations, or as many with a larger overlap. */
  boolean isBetterThan(Clustering other) {
    return alone != other.alone
        ? alone < other.alone
        : overlap > other.overlap * (1 + GroupSharing.TOLERANCE);
  }

  /** The clusters as such, to be changed. */
  List<Cluster> toClusters(NextHopShares shares) {
    List<Cluster> list = new ArrayList<>();
    for (int c = 0; c < clusters; c++) {
      list.add(new Cluster(shares));
    }
    for (int d = 0; d < clusterOf.length; d++) {
      if (clusterOf[d] != ALONE) {
        list.get(clusterOf[d]).add(d);
      }
    }
    return list;
  }
}
