package org.evenweave.wcmp.weights;

/**
 * Sets of nodes that were once worth a cut, the latest of them, with their ratios in the network as
 * it is now. A ratio is computed anew when a member's supply or links have changed.
 */
final class FoundSets {
  /** Sets to remember. With 8, 16 or 32, searches go wrong equally often in random graphs. */
  private static final int MOST = 16;

  private final OpenNetwork network;
  private final int[][] members = new int[MOST][];
  private final int[] size = new int[MOST];
  private final double[] ratio = new double[MOST];

  /** The number of the network's change that each ratio takes into account. */
  private final long[] asOf = new long[MOST];

  private final boolean[] isMember;
  private int count;

  FoundSets(OpenNetwork network) {
    this.network = network;
    isMember = new boolean[network.nodes];
  }

  /** Remembers a set in place of the oldest, unless it is there. */
  void add(int[] set, int count) {
    if (count == 1 || isThere(set, count)) {
      return;
    }
    int i = this.count++ % MOST;
    if (members[i] == null) {
      members[i] = new int[network.nodes];
    }
    System.arraycopy(set, 0, members[i], 0, count);
    size[i] = count;
    asOf[i] = -1;
  }

  private boolean isThere(int[] set, int count) {
    mark(set, count, true);
    boolean found = false;
    for (int i = 0; i < Math.min(this.count, MOST) && !found; i++) {
      found = size[i] == count;
      for (int m = 0; m < count && found; m++) {
        found = isMember[members[i][m]];
      }
    }
    mark(set, count, false);
    return found;
  }

  private void mark(int[] set, int count, boolean mark) {
    for (int m = 0; m < count; m++) {
      isMember[set[m]] = mark;
    }
  }

  /** The set of the greatest ratio above a given one, or -1. */
  int best(double above) {
    int best = -1;
    double highest = above;
    for (int i = 0; i < Math.min(count, MOST); i++) {
      if (isOutdated(i)) {
        ratio[i] = ratio(members[i], size[i]);
        asOf[i] = network.changes();
      }
      if (ratio[i] > highest) {
        highest = ratio[i];
        best = i;
      }
    }
    return best;
  }

  /** The members of a set; only the first {@link #size} count. */
  int[] members(int i) {
    return members[i];
  }

  int size(int i) {
    return size[i];
  }

  private boolean isOutdated(int i) {
    for (int m = 0; m < size[i]; m++) {
      if (network.changed[members[i][m]] > asOf[i]) {
        return true;
      }
    }
    return false;
  }

  private double ratio(int[] set, int count) {
    double supply = 0;
    double magnitude = 0;
    double out = 0;
    double in = 0;
    mark(set, count, true);
    for (int m = 0; m < count; m++) {
      int n = set[m];
      supply += network.supply[n];
      magnitude += network.moved[n];
      out += network.out[n];
      in += network.in[n];
      for (int k = network.first[n]; k < network.first[n + 1]; k++) {
        int l = network.linkAt[k];
        if (!network.closed[l] && isMember[network.from[l]] && isMember[network.to[l]]) {
          // Seen from both ends, and each time from one.
          out -= network.from[l] == n ? network.there[l] : network.back[l];
          in -= network.from[l] == n ? network.back[l] : network.there[l];
        }
      }
    }
    mark(set, count, false);
    return OpenNetwork.ratio(Math.abs(supply), magnitude, supply > 0 ? out : in);
  }
}
