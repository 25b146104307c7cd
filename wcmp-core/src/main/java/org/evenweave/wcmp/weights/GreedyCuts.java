package org.evenweave.wcmp.weights;

import java.util.Arrays;

/**
 * Guesses, in doubles, the cuts that stop the most even flow, one after the other: sets of nodes
 * that fill all links out of them equally and get nothing in, or the reverse.
 *
 * <p><b>Algorithm.</b> The set with the greatest ratio of what it sends to the capacity out of it,
 * or of what it takes to the capacity into it, is searched for without a maximum flow: from the
 * node with the greatest ratio on, by adding and removing single nodes as long as the ratio rises.
 * Its links are closed, and the next set is searched for. A ratio must not be higher than that of
 * an earlier cut at one of the set's nodes ({@link ProvenCuts}). If it is, the earlier cut was not
 * the one to begin with: it is taken back with all that came later, and the search goes on from
 * there. The sets found on the way, and the best that can be made of the two, are remembered, and
 * taken when their ratio is greater than what the search from a single node finds.
 *
 * <p>A search that does not end, for one in fifty pairs of a random graph of 100 switches, begins
 * again and looks from many nodes for each set, of which it takes the best. Then one in two
 * thousand is left.
 *
 * <p>That is a guess, as a set may be missed of which every part has a lower ratio. The caller
 * proves the answer.
 *
 * <p><b>Cost.</b> A few operations for each link at a set's nodes, and for each set O(nodes) to
 * find where to begin.
 */
final class GreedyCuts {
  /** Doubles that differ by less are taken for equal; the proof decides. */
  private static final double NEAR = 1e-9;

  /**
   * More sets than this for each node are taken for a search that does not end. In random graphs of
   * 100 nodes, those that end look at 1.6 to 4.5.
   */
  private static final int MOST_PER_NODE = 6;

  /**
   * From how many nodes the second search looks for each set. In random graphs of 100 nodes, 8
   * leave three times as many undecided as 16, and all of them half as many for more time.
   */
  private static final int MANY = 16;

  private static final SetChoice[] CHOICES = SetChoice.values();

  private final OpenNetwork network;

  /** The set that is being looked at, what it sends or takes, and its links' capacity. */
  private final boolean[] isMember;

  private final int[] members;
  private int size;
  private int sign;
  private double setSupply;
  private double setMagnitude;
  private double setCapacity;

  /** The nodes at the other ends of members' links, with the capacity from members and to them. */
  private final int[] near;

  private final boolean[] isNear;
  private final double[] fromSet;
  private final double[] toSet;
  private int nearCount;

  private final FoundSets found;

  /** The nodes that no more is to be climbed from, and the best set that was climbed to. */
  private final boolean[] isReached;

  private final int[] best;
  private int bestSize;

  /** The two sets of which another is made. */
  private final int[] later;

  private final boolean[] isLater;

  private final int[] earlier;
  private int laterSize;
  private int earlierSize;

  GreedyCuts(OpenNetwork network) {
    this.network = network;
    int nodes = network.nodes;
    isMember = new boolean[nodes];
    members = new int[nodes];
    near = new int[nodes];
    isNear = new boolean[nodes];
    fromSet = new double[nodes];
    toSet = new double[nodes];
    found = new FoundSets(network);
    isReached = new boolean[nodes];
    best = new int[nodes];
    later = new int[nodes];
    isLater = new boolean[nodes];
    earlier = new int[nodes];
  }

  /**
   * Closes cuts in the network until nothing is left to send.
   *
   * @return false if that is not reached
   */
  boolean find() {
    if (find(1)) {
      return true;
    }
    while (network.cuts() > 0) {
      reopenLatest();
    }
    return find(MANY);
  }

  /**
   * @param starts how many nodes to climb from for each set
   */
  private boolean find(int starts) {
    int most = MOST_PER_NODE * network.nodes;
    for (int tried = 0; tried < most; tried++) {
      if (!climbFromWorst(starts)) {
        return true;
      }
      lookAtFound();
      int cut = conflict();
      if (cut >= 0) {
        takeBack(cut);
      } else if (ratio() > 0 && ratio() < Double.POSITIVE_INFINITY) {
        network.close(members, size, isMember, sign, ratio());
        found.closed();
      } else {
        return false;
      }
    }
    return false;
  }

  /**
   * Takes the best set that climbing from the worst nodes leads to, each outside of the sets that
   * those before it led to.
   *
   * @return false if no node sends or takes anything
   */
  private boolean climbFromWorst(int starts) {
    Arrays.fill(isReached, false);
    double highest = 0;
    int worst = worstNode();
    boolean any = worst >= 0;
    for (int i = 0; i < starts && worst >= 0; i++) {
      clear();
      add(worst);
      measure();
      climb();
      isReached[worst] = true;
      for (int m = 0; m < size; m++) {
        isReached[members[m]] = true;
      }
      if (ratio() > highest) {
        highest = ratio();
        bestSize = size;
        System.arraycopy(members, 0, best, 0, size);
      }
      worst = starts == 1 ? -1 : worstNode();
    }
    if (ratio() < highest) {
      take(best, bestSize);
    }
    return any;
  }

  /** Takes the best of the sets that were found before, if it is better. */
  private void lookAtFound() {
    int better = found.best(ratio() * (1 + NEAR));
    if (better >= 0) {
      take(found.members(better), found.size(better));
      climb();
    }
  }

  private void take(int[] set, int count) {
    clear();
    for (int i = 0; i < count; i++) {
      add(set[i]);
    }
    measure();
  }

  /**
   * The node with the greatest ratio that is not reached, or -1 if none sends or takes anything.
   */
  private int worstNode() {
    int worst = -1;
    double highest = 0;
    for (int n = 0; n < network.nodes; n++) {
      if (network.ratio[n] > highest && !isReached[n]) {
        highest = network.ratio[n];
        worst = n;
      }
    }
    return worst;
  }

  private double ratio() {
    return OpenNetwork.ratio(sign * setSupply, setMagnitude, setCapacity);
  }

  private void clear() {
    for (int i = 0; i < size; i++) {
      isMember[members[i]] = false;
    }
    size = 0;
  }

  private void add(int node) {
    if (!isMember[node]) {
      isMember[node] = true;
      members[size++] = node;
    }
  }

  private void remove(int node) {
    isMember[node] = false;
    int at = 0;
    while (members[at] != node) {
      at++;
    }
    members[at] = members[--size];
  }

  /** What the set sends and its links carry, and what lies between it and single nodes. */
  private void measure() {
    for (int i = 0; i < nearCount; i++) {
      isNear[near[i]] = false;
      fromSet[near[i]] = 0;
      toSet[near[i]] = 0;
    }
    nearCount = 0;
    setSupply = 0;
    setMagnitude = 0;
    double out = 0;
    double in = 0;
    for (int i = 0; i < size; i++) {
      int n = members[i];
      setSupply += network.supply[n];
      setMagnitude += network.moved[n];
      for (int k = network.first[n]; k < network.end[n]; k++) {
        int arc = network.arcAt[k];
        int other = network.head[arc];
        double outward = network.capacity[arc];
        double inward = network.capacity[arc ^ 1];
        if (!isNear[other]) {
          isNear[other] = true;
          near[nearCount++] = other;
        }
        fromSet[other] += outward;
        toSet[other] += inward;
        if (!isMember[other]) {
          out += outward;
          in += inward;
        }
      }
    }
    sign = setSupply > 0 ? 1 : -1;
    setCapacity = sign > 0 ? out : in;
  }

  /** Adds and removes single nodes while that raises the ratio. */
  private void climb() {
    while (true) {
      double best = ratio() * (1 + NEAR);
      int change = -1;
      for (int i = 0; i < nearCount; i++) {
        int n = near[i];
        // Of a set that sends: all links out of the node, those to members, those from members.
        double all = sign > 0 ? network.out[n] : network.in[n];
        double towards = sign > 0 ? toSet[n] : fromSet[n];
        double away = sign > 0 ? fromSet[n] : toSet[n];
        double more = all - towards - away;
        double own = network.supply[n];
        double moved = network.moved[n];
        double ratio =
            isMember[n]
                ? OpenNetwork.ratio(
                    sign * (setSupply - own), setMagnitude - moved, setCapacity - more)
                : OpenNetwork.ratio(
                    sign * (setSupply + own), setMagnitude + moved, setCapacity + more);
        if (ratio > best && !(isMember[n] && size == 1)) {
          best = ratio;
          change = n;
        }
      }
      if (change < 0) {
        return;
      }
      if (isMember[change]) {
        remove(change);
      } else {
        add(change);
      }
      measure();
    }
  }

  /** The latest cut of a lower ratio at one of the set's nodes, or -1. */
  private int conflict() {
    int cut = -1;
    for (int i = 0; i < size; i++) {
      int n = members[i];
      if (ratio() > network.bound[n] * (1 + NEAR)) {
        cut = Math.max(cut, network.boundCut[n]);
      }
    }
    return cut;
  }

  /** Takes a cut back with all after it, and remembers which sets may take their places. */
  private void takeBack(int cut) {
    found.add(members, size);
    laterSize = size;
    System.arraycopy(members, 0, later, 0, size);
    for (int i = 0; i < size; i++) {
      isLater[later[i]] = true;
    }
    earlierSize = 0;
    for (int i = network.memberBegin(cut); i < network.memberEnd(cut); i++) {
      earlier[earlierSize++] = network.member(i);
    }
    while (network.cuts() > cut) {
      rememberLatest();
      reopenLatest();
    }
    double best = Double.NEGATIVE_INFINITY;
    SetChoice chosen = SetChoice.LATER;
    for (SetChoice choice : CHOICES) {
      make(choice);
      if (ratio() > best) {
        best = ratio();
        chosen = choice;
      }
    }
    make(chosen);
    climb();
    found.add(members, size);
    for (int i = 0; i < laterSize; i++) {
      isLater[later[i]] = false;
    }
  }

  private void reopenLatest() {
    found.reopening();
    network.reopen();
  }

  private void rememberLatest() {
    int cut = network.cuts() - 1;
    clear();
    for (int i = network.memberBegin(cut); i < network.memberEnd(cut); i++) {
      add(network.member(i));
    }
    found.add(members, size);
  }

  private void make(SetChoice choice) {
    clear();
    for (int i = 0; i < earlierSize; i++) {
      if (isLater[earlier[i]] ? choice.hasCommon : choice.hasEarlier) {
        add(earlier[i]);
      }
    }
    for (int i = 0; i < laterSize; i++) {
      if (choice.hasLater && !contains(earlier, earlierSize, later[i])) {
        add(later[i]);
      }
    }
    measure();
  }

  private static boolean contains(int[] set, int count, int node) {
    for (int i = 0; i < count; i++) {
      if (set[i] == node) {
        return true;
      }
    }
    return false;
  }
}
