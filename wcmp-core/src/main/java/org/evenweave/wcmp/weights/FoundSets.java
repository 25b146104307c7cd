package org.evenweave.wcmp.weights;

/**
 * Sets of nodes that were once worth a cut, the latest of them, with their ratios in the network as
 * it is now. A ratio is computed again when a member's supply or links have changed, of its members
 * alone: the capacity of open links within each set is kept up to date.
 */
final class FoundSets {
  /** Sets to remember. With 8, 16 or 32, searches go wrong equally often in random graphs. */
  private static final int MOST = 16;

  private final OpenNetwork network;
  private final int[][] members = new int[MOST][];
  private final int[] size = new int[MOST];
  private final double[] ratio = new double[MOST];

  /** The capacity of open links, in both directions, between members of each set. */
  private final double[] within = new double[MOST];

  /** Of each node, a bit for each set that it is a member of. */
  private final int[] setsOf;

  /** A bit for each set whose ratio has to be computed again. */
  private int outdated;

  private final boolean[] isMember;
  private int count;

  FoundSets(OpenNetwork network) {
    this.network = network;
    isMember = new boolean[network.nodes];
    setsOf = new int[network.nodes];
  }

  /** Remembers a set instead of the oldest, unless it is there. */
  void add(int[] set, int count) {
    if (count == 1 || isThere(set, count)) {
      return;
    }
    int i = this.count++ % MOST;
    if (members[i] == null) {
      members[i] = new int[network.nodes];
    }
    for (int m = 0; m < size[i]; m++) {
      setsOf[members[i][m]] &= ~(1 << i);
    }
    System.arraycopy(set, 0, members[i], 0, count);
    size[i] = count;
    outdated |= 1 << i;
    within[i] = 0;
    for (int m = 0; m < count; m++) {
      int n = set[m];
      setsOf[n] |= 1 << i;
      for (int k = network.first[n]; k < network.end[n]; k++) {
        int arc = network.arcAt[k];
        if ((setsOf[network.head[arc]] >> i & 1) != 0) {
          // Each link once, from the member that comes later.
          within[i] += network.capacity[arc] + network.capacity[arc ^ 1];
        }
      }
    }
  }

  /** Takes into account that the latest cut has been closed. */
  void closed() {
    change(-1);
  }

  /** Takes into account that the latest cut is about to be taken back. */
  void reopening() {
    change(1);
  }

  private void change(int sign) {
    int cut = network.cuts() - 1;
    for (int i = network.linkBegin(cut); i < network.linkEnd(cut); i++) {
      int link = network.link(i);
      int one = setsOf[network.from[link]];
      int other = setsOf[network.to[link]];
      outdated |= one | other;
      for (int both = one & other; both != 0; both &= both - 1) {
        within[Integer.numberOfTrailingZeros(both)] +=
            sign * (network.capacity[2 * link] + network.capacity[2 * link + 1]);
      }
    }
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
      if ((outdated >> i & 1) != 0) {
        ratio[i] = currentRatio(i);
      }
      if (ratio[i] > highest) {
        highest = ratio[i];
        best = i;
      }
    }
    outdated = 0;
    return best;
  }

  /** The members of a set; only the first {@link #size} count. */
  int[] members(int i) {
    return members[i];
  }

  int size(int i) {
    return size[i];
  }

  private double currentRatio(int i) {
    double supply = 0;
    double magnitude = 0;
    double out = -within[i];
    double in = -within[i];
    for (int m = 0; m < size[i]; m++) {
      int n = members[i][m];
      supply += network.supply[n];
      magnitude += network.moved[n];
      out += network.out[n];
      in += network.in[n];
    }
    return OpenNetwork.ratio(Math.abs(supply), magnitude, supply > 0 ? out : in);
  }
}
