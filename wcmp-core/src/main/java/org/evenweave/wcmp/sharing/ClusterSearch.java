package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.List;

/**
 * Improves the worst cluster again and again, until nothing does or the work is too much. A member
 * of the worst cluster moves to another one whose overlap then stays above that of the worst; or
 * two other clusters whose union does become one, and the worst becomes two. Each step makes the
 * worst cluster smaller and no cluster as bad as it, so the search ends.
 */
final class ClusterSearch {
  private final NextHopShares shares;
  private final int groups;
  private final List<Cluster> clusters;

  /** Destinations that no cluster took. */
  private final List<Integer> alone = new ArrayList<>();

  /** Shares that may still be looked at. */
  private long work;

  private ClusterSearch(NextHopShares shares, int groups, List<Cluster> clusters, long work) {
    this.shares = shares;
    this.groups = groups;
    this.clusters = clusters;
    this.work = work;
  }

  /**
   * From the first destinations of a traversal as one cluster each.
   *
   * @param work the most shares to look at while improving
   */
  static Clustering from(NextHopShares shares, int groups, FarthestFirst order, long work) {
    List<Cluster> clusters = new ArrayList<>();
    boolean[] placed = new boolean[shares.size()];
    for (int k = 0; k < Math.min(groups, order.count()); k++) {
      Cluster cluster = new Cluster(shares);
      cluster.add(order.at(k));
      placed[order.at(k)] = true;
      clusters.add(cluster);
    }
    ClusterSearch search = new ClusterSearch(shares, groups, clusters, work);
    for (int d = 0; d < placed.length; d++) {
      if (!placed[d]) {
        search.place(d, order.nearest(d));
      }
    }
    return search.improved();
  }

  /** From a clustering that is there already; destinations that are alone join clusters. */
  static Clustering from(NextHopShares shares, int groups, Clustering start, long work) {
    ClusterSearch search = new ClusterSearch(shares, groups, start.toClusters(shares), work);
    for (int d = 0; d < shares.size(); d++) {
      if (start.clusterOf(d) == Clustering.ALONE) {
        search.place(d, 0);
      }
    }
    return search.improved();
  }

  /** Adds a destination where it costs least, or to a cluster of its own. */
  private void place(int d, int preferred) {
    Cluster best = null;
    double most = Cluster.IMPOSSIBLE;
    if (clusters.size() < groups) {
      best = new Cluster(shares);
      most = 1;
    }
    for (int i = 0; i < clusters.size() && most < 1; i++) {
      Cluster cluster = clusters.get((preferred + i) % clusters.size());
      double overlap = cluster.overlapWith(d);
      if (overlap > most) {
        most = overlap;
        best = cluster;
      }
    }
    if (best == null) {
      alone.add(d);
      return;
    }
    if (best.size() == 0) {
      clusters.add(best);
    }
    best.add(d);
  }

  private Clustering improved() {
    serveAlone();
    while (work > 0 && improveWorst()) {}
    return new Clustering(shares, clusters);
  }

  /** Merges clusters for as long as that makes room for destinations that none takes. */
  private void serveAlone() {
    while (!alone.isEmpty() && work > 0) {
      Cluster[] pair = bestMerge(null, 0);
      if (pair == null) {
        return;
      }
      pair[0].addAll(pair[1]);
      clusters.remove(pair[1]);
      List<Integer> left = new ArrayList<>(alone);
      alone.clear();
      left.forEach(d -> place(d, 0));
      if (alone.size() >= left.size()) {
        return;
      }
    }
  }

  private boolean improveWorst() {
    Cluster worst = clusters.get(0);
    for (Cluster cluster : clusters) {
      worst = cluster.overlap() < worst.overlap() ? cluster : worst;
    }
    if (worst.size() < 2) {
      return false;
    }
    if (clusters.size() < groups) {
      split(worst);
      return true;
    }
    return moveFrom(worst) || mergeForSplitOf(worst);
  }

  /** Moves the member whose leaving helps most, of those that another cluster can take. */
  private boolean moveFrom(Cluster worst) {
    double[] without = worst.overlapsWithout();
    Cluster to = null;
    int mover = -1;
    double bestWithout = 0;
    double bestThere = 0;
    double floor = worst.overlap() * (1 + GroupSharing.TOLERANCE);
    for (int i = 0; i < without.length; i++) {
      if (without[i] < bestWithout) {
        continue;
      }
      int d = worst.member(i);
      for (Cluster cluster : clusters) {
        double there = cluster == worst ? 0 : cluster.overlapWith(d);
        if (there > floor && (without[i] > bestWithout || there > bestThere)) {
          to = cluster;
          mover = d;
          bestWithout = without[i];
          bestThere = there;
        }
      }
      work -= (long) clusters.size() * shares.ports(d).length;
    }
    if (to == null) {
      return false;
    }
    worst.remove(mover);
    to.add(mover);
    return true;
  }

  private boolean mergeForSplitOf(Cluster worst) {
    Cluster[] pair = bestMerge(worst, worst.overlap() * (1 + GroupSharing.TOLERANCE));
    if (pair == null) {
      return false;
    }
    pair[0].addAll(pair[1]);
    clusters.remove(pair[1]);
    split(worst);
    return true;
  }

  /**
   * The two clusters, other than one, whose union has the largest overlap above a floor; null if
   * none has.
   */
  private Cluster[] bestMerge(Cluster except, double floor) {
    Cluster[] best = null;
    double most = floor;
    for (int i = 0; i < clusters.size(); i++) {
      Cluster a = clusters.get(i);
      // A union overlaps no more than its parts.
      if (a == except || a.overlap() <= most) {
        continue;
      }
      for (int j = i + 1; j < clusters.size(); j++) {
        Cluster b = clusters.get(j);
        if (b != except && b.overlap() > most) {
          double overlap = a.overlapWith(b);
          if (overlap > most) {
            most = overlap;
            best = new Cluster[] {a, b};
          }
        }
      }
      work -= (long) (clusters.size() - i) * shares.ports(a.member(0)).length;
    }
    return best;
  }

  /** Splits a cluster around two members that overlap little. */
  private void split(Cluster cluster) {
    int[] members = cluster.members();
    int first = farthestFrom(members, members[0]);
    int second = farthestFrom(members, first);
    Cluster other = new Cluster(shares);
    other.add(second);
    cluster.reset(first);
    for (int d : members) {
      if (d != first && d != second) {
        Cluster to = other.overlapWith(d) > cluster.overlapWith(d) ? other : cluster;
        to.add(d);
      }
    }
    clusters.add(other);
  }

  private int farthestFrom(int[] members, int from) {
    int farthest = members[0] == from ? members[1] : members[0];
    double least = 2;
    for (int d : members) {
      double overlap = d == from ? 2 : shares.overlap(from, d);
      if (overlap < least) {
        least = overlap;
        farthest = d;
      }
    }
    return farthest;
  }
}
