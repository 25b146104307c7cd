package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a few destinations into clusters by branch and bound. Destinations come in farthest-first
 * order, so that those that cannot share are decided first; each joins a cluster that is open,
 * opens one, or is left alone. A branch ends where it serves no more destinations, with no more
 * overlap, than the best division known.
 */
final class ExactSharing {
  /** Branches to look at; more take longer than an event may. */
  private static final int MOST_BRANCHES = 200_000;

  private final NextHopShares shares;
  private final int groups;
  private final int[] order;
  private final List<Cluster> open = new ArrayList<>();
  private Clustering best;
  private int branches;

  /**
   * @param start the best division known
   */
  ExactSharing(NextHopShares shares, int groups, Clustering start) {
    this.shares = shares;
    this.groups = groups;
    best = start;
    FarthestFirst farthest = new FarthestFirst(shares, 0, shares.size());
    order = new int[shares.size()];
    for (int k = 0; k < order.length; k++) {
      order[k] = farthest.at(k);
    }
    search(0, 0, 1);
  }

  Clustering best() {
    return best;
  }

  /** Whether no branch was cut off for want of time. */
  boolean isExact() {
    return branches < MOST_BRANCHES;
  }

  private boolean mayImprove(int alone, double overlap) {
    return alone < best.alone()
        || (alone == best.alone() && overlap > best.overlap() * (1 + GroupSharing.TOLERANCE));
  }

  private void search(int k, int alone, double overlap) {
    if (!mayImprove(alone, overlap) || branches >= MOST_BRANCHES) {
      return;
    }
    branches++;
    if (k == order.length) {
      best = new Clustering(shares, open);
      return;
    }
    int d = order[k];
    for (int i = 0; i < open.size(); i++) {
      Cluster cluster = open.get(i);
      double with = cluster.overlapWith(d);
      if (with > 0) {
        cluster.add(d);
        search(k + 1, alone, Math.min(overlap, with));
        cluster.remove(d);
      }
    }
    if (open.size() < groups) {
      Cluster own = new Cluster(shares);
      own.add(d);
      open.add(own);
      search(k + 1, alone, overlap);
      open.remove(own);
    }
    search(k + 1, alone + 1, overlap);
  }
}
