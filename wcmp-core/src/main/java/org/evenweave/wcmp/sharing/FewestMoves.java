package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Among divisions with the overlap of a given one, looks for one that moves few destinations from
 * the groups that they have.
 *
 * <p>Of each group that there is, the members stay that overlap enough; the others, and those
 * without a group, join one that they fit, or a group of their own. If that takes too many groups,
 * the lightest group is dropped, and it is tried again. What moves least is taken, that or the
 * given division with its clusters matched to the groups; up to {@link GroupSharing#MOST_FOR_EXACT}
 * destinations branch and bound goes on from there.
 */
final class FewestMoves {
  private static final int MOST_BRANCHES = 200_000;

  /** How many groups are given up before the given division is taken as it is. */
  private static final int MOST_RETRIES = 16;

  private final NextHopShares shares;
  private final int groups;
  private final Clustering wanted;
  private final int[] present;
  private final int[] cost;
  private final double floor;

  /** A cluster that keeps the number of a group, or has none. */
  private static final class Labelled {
    final int label;
    final Cluster cluster;

    Labelled(int label, Cluster cluster) {
      this.label = label;
      this.cluster = cluster;
    }
  }

  private List<Labelled> open = new ArrayList<>();
  private int[] best;
  private long bestCost;
  private int branches;

  /**
   * @param wanted whose overlap, and number of destinations left alone, is to be met
   * @param present as {@link GroupSharing} has it
   * @param cost of moving each destination
   */
  FewestMoves(NextHopShares shares, int groups, Clustering wanted, int[] present, int[] cost) {
    this.shares = shares;
    this.groups = groups;
    this.wanted = wanted;
    this.present = present;
    this.cost = cost;
    floor = wanted.overlap() * (1 - GroupSharing.TOLERANCE);
  }

  /** The destinations in the groups that they have, as far as these can serve them; or null. */
  static Clustering start(NextHopShares shares, int groups, int[] present) {
    Map<Integer, Cluster> clusters = new LinkedHashMap<>();
    for (int d = 0; d < present.length; d++) {
      if (present[d] != GroupSharing.NONE) {
        Cluster cluster = clusters.computeIfAbsent(present[d], label -> new Cluster(shares));
        if (cluster.overlapWith(d) > 0) {
          cluster.add(d);
        }
      }
    }
    if (clusters.isEmpty()) {
      return null;
    }
    List<Cluster> largest = new ArrayList<>(clusters.values());
    largest.sort(Comparator.comparingInt((Cluster cluster) -> -cluster.size()));
    return new Clustering(shares, largest.subList(0, Math.min(groups, largest.size())));
  }

  /** For each destination the number of its cluster, or {@link GroupSharing#NONE}. */
  int[] choose() {
    best = wanted.clusterOf();
    bestCost = matchedCost();
    if (bestCost == 0 || Arrays.stream(present).allMatch(label -> label == GroupSharing.NONE)) {
      return best;
    }
    keepPresent();
    if (shares.size() <= GroupSharing.MOST_FOR_EXACT) {
      open = new ArrayList<>();
      search(0, 0, 0);
    }
    return best;
  }

  private void offer(List<Labelled> division) {
    long moved = 0;
    int[] clusterOf = new int[shares.size()];
    Arrays.fill(clusterOf, Clustering.ALONE);
    int count = 0;
    for (Labelled each : division) {
      for (int d : each.cluster.members()) {
        clusterOf[d] = count;
        moved += each.label == present[d] ? 0 : costOf(d);
      }
      count += each.cluster.size() > 0 ? 1 : 0;
    }
    for (int d = 0; d < clusterOf.length; d++) {
      moved += clusterOf[d] == Clustering.ALONE ? costOf(d) : 0;
    }
    if (moved < bestCost) {
      best = clusterOf;
      bestCost = moved;
    }
  }

  /** What a destination that has a group costs if it moves. */
  private long costOf(int d) {
    return present[d] == GroupSharing.NONE ? 0 : cost[d];
  }

  /** The cost of the wanted division if each group goes to the cluster that has most of it. */
  private long matchedCost() {
    Map<List<Integer>, Long> common = new HashMap<>();
    long total = 0;
    for (int d = 0; d < present.length; d++) {
      total += costOf(d);
      if (present[d] != GroupSharing.NONE && wanted.clusterOf(d) != Clustering.ALONE) {
        common.merge(List.of(present[d], wanted.clusterOf(d)), (long) cost[d], Long::sum);
      }
    }
    List<Map.Entry<List<Integer>, Long>> heaviest = new ArrayList<>(common.entrySet());
    heaviest.sort(
        Comparator.comparing((Map.Entry<List<Integer>, Long> pair) -> -pair.getValue())
            .thenComparing(pair -> pair.getKey().get(0))
            .thenComparing(pair -> pair.getKey().get(1)));
    Map<Integer, Integer> clusterOfLabel = new HashMap<>();
    Map<Integer, Integer> labelOfCluster = new HashMap<>();
    for (Map.Entry<List<Integer>, Long> pair : heaviest) {
      int label = pair.getKey().get(0);
      int cluster = pair.getKey().get(1);
      if (!clusterOfLabel.containsKey(label) && !labelOfCluster.containsKey(cluster)) {
        clusterOfLabel.put(label, cluster);
        labelOfCluster.put(cluster, label);
        total -= pair.getValue();
      }
    }
    return total;
  }

  private void keepPresent() {
    Map<Integer, List<Integer>> membersOf = new LinkedHashMap<>();
    for (int d = 0; d < present.length; d++) {
      if (present[d] != GroupSharing.NONE) {
        membersOf.computeIfAbsent(present[d], label -> new ArrayList<>()).add(d);
      }
    }
    List<Labelled> kept = new ArrayList<>();
    membersOf.forEach((label, members) -> kept.add(new Labelled(label, enough(members))));
    kept.sort(Comparator.comparingLong((Labelled each) -> -weight(each.cluster)));
    while (kept.size() > groups) {
      kept.remove(kept.size() - 1);
    }
    for (int retry = 0; retry <= MOST_RETRIES && retry <= kept.size(); retry++) {
      List<Labelled> division = new ArrayList<>();
      for (Labelled each : kept.subList(0, kept.size() - retry)) {
        Cluster copy = new Cluster(shares);
        copy.addAll(each.cluster);
        division.add(new Labelled(each.label, copy));
      }
      if (placeOthers(division)) {
        offer(division);
        return;
      }
    }
  }

  private long weight(Cluster cluster) {
    return Arrays.stream(cluster.members()).mapToLong(d -> cost[d]).sum();
  }

  /** Those of the members of a group that overlap enough, without the ones that spoil it most. */
  private Cluster enough(List<Integer> members) {
    Cluster cluster = new Cluster(shares);
    members.forEach(cluster::add);
    while (cluster.size() > 1 && (cluster.overlap() < floor || !cluster.isPossible())) {
      double[] without = cluster.overlapsWithout();
      int worst = 0;
      for (int i = 1; i < without.length; i++) {
        worst = without[i] > without[worst] ? i : worst;
      }
      cluster.remove(cluster.member(worst));
    }
    return cluster;
  }

  /** Returns whether no more destinations are left alone than have to be. */
  private boolean placeOthers(List<Labelled> division) {
    boolean[] placed = new boolean[shares.size()];
    division.forEach(each -> Arrays.stream(each.cluster.members()).forEach(d -> placed[d] = true));
    int alone = 0;
    for (int d = 0; d < placed.length; d++) {
      if (!placed[d] && !place(d, division)) {
        alone++;
      }
    }
    return alone <= wanted.alone();
  }

  private boolean place(int d, List<Labelled> division) {
    Cluster to = null;
    double most = floor;
    for (Labelled each : division) {
      double overlap = each.cluster.overlapWith(d);
      if (overlap >= most) {
        most = overlap;
        to = each.cluster;
      }
    }
    if (to == null && division.size() < groups) {
      to = new Cluster(shares);
      division.add(new Labelled(GroupSharing.NONE, to));
    }
    if (to != null) {
      to.add(d);
    }
    return to != null;
  }

  /** Branch and bound over all divisions, and over all ways to keep the groups' numbers. */
  private void search(int d, int alone, long moved) {
    if (moved >= bestCost || alone > wanted.alone() || branches++ >= MOST_BRANCHES) {
      return;
    }
    if (d == shares.size()) {
      offer(open);
      return;
    }
    for (int i = 0; i < open.size(); i++) {
      Labelled each = open.get(i);
      if (each.cluster.overlapWith(d) >= floor) {
        each.cluster.add(d);
        search(d + 1, alone, moved + (each.label == present[d] ? 0 : costOf(d)));
        each.cluster.remove(d);
      }
    }
    if (open.size() < groups) {
      openFor(d, present[d], alone, moved);
      Arrays.stream(present)
          .distinct()
          .filter(label -> label != present[d])
          .forEach(label -> openFor(d, label, alone, moved));
      if (Arrays.stream(present).noneMatch(label -> label == GroupSharing.NONE)) {
        openFor(d, GroupSharing.NONE, alone, moved);
      }
    }
    search(d + 1, alone + 1, moved + costOf(d));
  }

  private void openFor(int d, int label, int alone, long moved) {
    if (label == GroupSharing.NONE || open.stream().noneMatch(each -> each.label == label)) {
      Labelled own = new Labelled(label, new Cluster(shares));
      own.cluster.add(d);
      open.add(own);
      search(d + 1, alone, moved + (label == present[d] ? 0 : costOf(d)));
      open.remove(own);
    }
  }
}
