package org.evenweave.wcmp.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Shares few groups among many destinations of a switch, with the least oversubscription of the
 * worst.
 *
 * <p><b>Problem.</b> Destination d has next hops with ideal shares x[d][i] that sum to 1. At most G
 * groups serve all destinations. A group that serves the set C uses only ports that are next hops
 * of all of C, so that packets get strictly nearer whichever destination they go to. With shares
 * y[i] its oversubscription for d is the largest y[i] / x[d][i] (Tewari 2015, section 3.3.2,
 * Equation 3.2), and the largest of all d in C counts.
 *
 * <p><b>The best group of a set.</b> y[i] &lt;= t x[d][i] for all d in C holds exactly when y[i]
 * &lt;= t m[i] with m[i] the least x[d][i] in C. As the y[i] sum to 1, t is at least 1 / (sum of
 * m[i]), and y in the ratio of m attains it. So the <em>overlap</em> of C, the sum of its least
 * shares, is 1 over its oversubscription, and m are the ideal weights of its group. For two
 * destinations it is 1 less their total variation distance.
 *
 * <p><b>The partition.</b> The remaining problem is to divide the destinations into G clusters so
 * that the least overlap is largest: clustering by diameter, with an overlap of whole sets instead
 * of distances. It is NP-hard; sharing at no cost is a clique cover. Up to {@value #MOST_FOR_EXACT}
 * destinations branch and bound answers, exactly unless its work is cut off ({@link ExactSharing}).
 * Otherwise clusters grow around the first G destinations of a farthest-first traversal, and are
 * improved ({@link ClusterSearch}). {@link FarthestFirst} proves a lower bound beside every answer.
 * All clusters of the answer overlap by more than rounding: sums of doubles are compared within
 * {@value #TOLERANCE}.
 *
 * <p><b>Next hops kept.</b> The ports that are next hops of all of C must be as many as each of its
 * destinations asks for ({@code minNextHops}, or all of its next hops if it has fewer). A
 * destination that no group can serve so is left <em>alone</em>: a plain rule to one port serves
 * it. As few as possible are.
 *
 * <p><b>Stability.</b> Given the groups that destinations have, of all partitions found with the
 * least oversubscription one is chosen that moves the least weight to other groups ({@link
 * FewestMoves}). Where the answer is not exact, groups that are within one per cent of the best
 * found stay as they are; and more than {@value #MOST_FOR_SEARCH_AT_EVENTS} destinations are not
 * divided again while their groups can serve all of them.
 */
public final class GroupSharing {
  /** Relative error within which overlaps count as equal. */
  static final double TOLERANCE = 1e-12;

  /** Destinations of different weights up to which the answer is looked for by branch and bound. */
  public static final int MOST_FOR_EXACT = 16;

  /** Destinations up to which a second search from another start is worth its time. */
  private static final int MOST_FOR_SECOND_SEARCH = 1000;

  /** Destinations above which an event only repairs and improves the groups that there are. */
  private static final int MOST_FOR_SEARCH_AT_EVENTS = 1000;

  /** Destinations keep groups that are within one per cent of the best found, if not exact. */
  private static final double WORTH_MOVING = 1.01;

  private static final long WORK_AT_EVENTS = 20_000_000L;
  private static final long NO_IMPROVEMENT = 0;

  /** Shares to look at while improving: less than a second. */
  private static final long WORK = 200_000_000L;

  /** Stands for a destination that has no group now. */
  public static final int NONE = -1;

  private final NextHopShares shares;
  private final int groups;

  private GroupSharing(NextHopShares shares, int groups) {
    this.shares = shares;
    this.groups = groups;
  }

  /**
   * Shares groups.
   *
   * @param weights for each destination the positive ideal weights of its next hops and 0 for all
   *     other ports, in any unit; all arrays of one length. Equal destinations should be given
   *     once.
   * @param groups how many groups there may be, at least 0
   * @param minNextHops how many ports the group of a destination has at least, if the destination
   *     has as many next hops; at least 1
   */
  public static SharedGroups of(List<long[]> weights, int groups, int minNextHops) {
    int[] present = new int[weights.size()];
    int[] moving = new int[weights.size()];
    Arrays.fill(present, NONE);
    Arrays.fill(moving, 1);
    return of(weights, groups, minNextHops, present, moving);
  }

  /**
   * The same, near to the groups that destinations have.
   *
   * @param present for each destination a number of 0 or more for the group that it has now, or
   *     {@link #NONE}
   * @param cost for each destination what it costs to move it to another group, 0 or more
   */
  public static SharedGroups of(
      List<long[]> weights, int groups, int minNextHops, int[] present, int[] cost) {
    if (minNextHops < 1) {
      throw new IllegalArgumentException(
          "minNextHops is " + minNextHops + "; a group needs at least one next hop");
    }
    NextHopShares shares = new NextHopShares(weights, minNextHops);
    return new GroupSharing(shares, groups).solve(present, cost);
  }

  private SharedGroups solve(int[] present, int[] cost) {
    if (shares.size() == 0 || groups == 0) {
      return answer(new Clustering(shares, List.of()), 1, present, cost);
    }
    if (groups >= shares.size()) {
      return answer(eachItsOwn(), 1, present, cost);
    }
    Clustering start = FewestMoves.start(shares, groups, present);
    Clustering kept =
        start == null ? null : ClusterSearch.from(shares, groups, start, NO_IMPROVEMENT);
    if (kept != null && shares.size() > MOST_FOR_SEARCH_AT_EVENTS && kept.alone() == 0) {
      Clustering improved = ClusterSearch.from(shares, groups, start, WORK_AT_EVENTS);
      return answer(isNear(kept, improved) ? kept : improved, 1, present, cost);
    }
    FarthestFirst order = new FarthestFirst(shares, 0, groups + 1);
    FarthestFirst again = new FarthestFirst(shares, order.at(groups), groups + 1);
    Clustering best = ClusterSearch.from(shares, groups, again, WORK);
    if (shares.size() <= MOST_FOR_SECOND_SEARCH) {
      best = better(best, ClusterSearch.from(shares, groups, order, WORK));
    }
    if (kept != null) {
      best = better(best, ClusterSearch.from(shares, groups, start, WORK));
    }
    if (shares.size() <= MOST_FOR_EXACT) {
      ExactSharing search = new ExactSharing(shares, groups, best);
      best = search.best();
      if (search.isExact()) {
        return answer(best, best.overlap(), present, cost);
      }
    }
    best = kept != null && isNear(kept, best) ? kept : best;
    double mostOverlap = Math.min(order.overlapAt(groups), again.overlapAt(groups));
    double bound = best.alone() > 0 ? 1 : Math.max(mostOverlap, best.overlap());
    return answer(best, bound, present, cost);
  }

  /** Whether so little is to be gained that destinations keep their groups. */
  private static boolean isNear(Clustering kept, Clustering best) {
    return kept.alone() <= best.alone() && kept.overlap() * WORTH_MOVING >= best.overlap();
  }

  private Clustering eachItsOwn() {
    List<Cluster> own = new ArrayList<>();
    for (int d = 0; d < shares.size(); d++) {
      own.add(new Cluster(shares));
      own.get(d).add(d);
    }
    return new Clustering(shares, own);
  }

  /**
   * @param mostOverlap that any division can have that leaves as few alone
   */
  private SharedGroups answer(Clustering best, double mostOverlap, int[] present, int[] cost) {
    int[] clusterOf = new FewestMoves(shares, groups, best, present, cost).choose();
    int clusters = Arrays.stream(clusterOf).max().orElse(Clustering.ALONE) + 1;
    return new SharedGroups(clusterOf, clusters, best.alone(), 1 / best.overlap(), 1 / mostOverlap);
  }

  private static Clustering better(Clustering a, Clustering b) {
    return b.isBetterThan(a) ? b : a;
  }
}
