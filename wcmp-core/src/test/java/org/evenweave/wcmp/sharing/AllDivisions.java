package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All ways to divide few destinations into groups, one by one. */
final class AllDivisions {
  private final List<long[]> weights;
  private final int groups;
  private final int minNextHops;
  private final List<int[]> best = new ArrayList<>();
  private int leastAlone = Integer.MAX_VALUE;
  private double leastOversubscription = Double.POSITIVE_INFINITY;

  AllDivisions(List<long[]> weights, int groups, int minNextHops) {
    this.weights = weights;
    this.groups = groups;
    this.minNextHops = minNextHops;
    divide(new int[weights.size()], 0, 0);
  }

  int leastAlone() {
    return leastAlone;
  }

  double leastOversubscription() {
    return leastOversubscription;
  }

  /** The least weight that moves in any of the best divisions. */
  long leastMoved(int[] present, int[] cost) {
    return best.stream().mapToLong(groupOf -> moved(groupOf, present, cost)).min().getAsLong();
  }

  private void divide(int[] groupOf, int d, int used) {
    if (d == groupOf.length) {
      consider(groupOf, used);
      return;
    }
    for (int g = -1; g < Math.min(used + 1, groups); g++) {
      groupOf[d] = g;
      divide(groupOf, d + 1, Math.max(used, g + 1));
    }
  }

  private void consider(int[] groupOf, int used) {
    int alone = (int) Arrays.stream(groupOf).filter(g -> g < 0).count();
    double worst = 1;
    for (int g = 0; g < used; g++) {
      List<Integer> members = new ArrayList<>();
      for (int d = 0; d < groupOf.length; d++) {
        if (groupOf[d] == g) {
          members.add(d);
        }
      }
      worst = Math.max(worst, oversubscription(weights, members, minNextHops));
    }
    if (worst == Double.POSITIVE_INFINITY) {
      return;
    }
    boolean isBetter =
        alone < leastAlone || (alone == leastAlone && worst < leastOversubscription - 1e-12);
    if (isBetter) {
      best.clear();
      leastAlone = alone;
      leastOversubscription = worst;
    }
    if (alone == leastAlone && worst <= leastOversubscription + 1e-12) {
      best.add(groupOf.clone());
    }
  }

  /** Infinite if one group cannot serve them. */
  static double oversubscription(List<long[]> weights, List<Integer> members, int minNextHops) {
    double sum = 0;
    int common = 0;
    int needed = 0;
    for (int d : members) {
      int nextHops = (int) Arrays.stream(weights.get(d)).filter(weight -> weight > 0).count();
      needed = Math.max(needed, Math.min(nextHops, minNextHops));
    }
    for (int port = 0; port < weights.get(0).length; port++) {
      double least = 1;
      for (int d : members) {
        double total = Arrays.stream(weights.get(d)).sum();
        least = Math.min(least, weights.get(d)[port] / total);
      }
      sum += least;
      common += least > 0 ? 1 : 0;
    }
    return common < needed ? Double.POSITIVE_INFINITY : 1 / sum;
  }

  /** The least cost of moves over all ways to give groups the numbers of the present ones. */
  static long moved(int[] groupOf, int[] present, int[] cost) {
    int groups = Arrays.stream(groupOf).max().orElse(-1) + 1;
    int labels = Arrays.stream(present).max().orElse(-1) + 1;
    return moved(groupOf, present, cost, new int[groups], 0, new boolean[labels]);
  }

  private static long moved(
      int[] groupOf, int[] present, int[] cost, int[] labelOf, int g, boolean[] used) {
    if (g == labelOf.length) {
      long moved = 0;
      for (int d = 0; d < groupOf.length; d++) {
        boolean stays = groupOf[d] >= 0 && labelOf[groupOf[d]] == present[d];
        moved += present[d] >= 0 && !stays ? cost[d] : 0;
      }
      return moved;
    }
    labelOf[g] = -2;
    long least = moved(groupOf, present, cost, labelOf, g + 1, used);
    for (int label = 0; label < used.length; label++) {
      if (!used[label]) {
        used[label] = true;
        labelOf[g] = label;
        least = Math.min(least, moved(groupOf, present, cost, labelOf, g + 1, used));
        used[label] = false;
      }
    }
    return least;
  }
}
