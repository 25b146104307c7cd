package org.evenweave.wcmp.fitting;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Brings the busiest link's utilisation down, by single entries of groups.
 *
 * <p>One group's rounding may make up for another's, so groups cannot be fitted one by one here,
 * and to choose the best of all combinations is as hard as packing bins. So this starts from groups
 * that are each near their ideal shares, and bisects for the least utilisation that it reaches,
 * from a lower bound up. It stays near the ideal shares as far as that allows.
 *
 * <p>Towards a target, the squares of what links exceed it by are brought down, by moves that take
 * a share off a link that exceeds it, the busiest first: a group moves an entry to another port,
 * gives one up, or takes one more for its least busy port. Of a link's moves the best is made,
 * until no link exceeds the target or no move helps.
 *
 * <p>When no such move helps, small groups are filled again, of any size up to {@link #REFILLED},
 * each entry where the link is then least busy, and if that helps it goes on.
 *
 * <p>Then it begins again from small groups that are filled at random, as often as the number of
 * ports allows, and keeps what is better. The random numbers are the same for the same groups.
 *
 * <p>The result is never worse than the start. A move costs O(ports of all groups).
 */
final class LeastUtilisation {
  /** Bisections between the lower bound and the start's: to a thousandth of the difference. */
  private static final int TARGETS = 10;

  /** Utilisations this near to each other are equal but for rounding. */
  private static final double ROUNDING = 1e-12;

  /** In larger groups single entries change little, and their moves suffice. */
  private static final int REFILLED = 64;

  /** This near to the lower bound, another search is not worth its time. */
  private static final double NEAR = 1e-3;

  /** Restarts, and what they may cost together: the square of the number of ports each. */
  private static final int MOST_RESTARTS = 100;

  private static final long RESTART_WORK = 4_000_000;

  private static final int NONE = -1;

  private final LinkLoads loads;
  private final int minNextHops;
  private final long entries;

  private double target;
  private int[][] groups;
  private int[] sizes;
  private double[] utilisation;
  private long left;

  /** The best move found: a group's port that gives an entry and one that takes it, or NONE. */
  private int bestGroup;

  private int bestGiver;
  private int bestTaker;
  private double bestExcess;

  /**
   * @param minNextHops ports of each group that keep at least one entry; all of smaller groups
   * @param entries of the table
   */
  LeastUtilisation(LinkLoads loads, int minNextHops, long entries) {
    this.loads = loads;
    this.minNextHops = minNextHops;
    this.entries = entries;
  }

  /** Improves groups that fit the table; those given stay as they are. */
  List<int[]> from(List<int[]> start) {
    List<int[]> best = start;
    double reached = busiest(start);
    double low = loads.lowerBound();
    target = low;
    for (int i = 0; i < TARGETS && reached > low * (1 + ROUNDING); i++) {
      List<int[]> tried = towardsTarget(best);
      double busiest = busiest(tried);
      if (busiest < reached) {
        best = tried;
        reached = busiest;
      }
      low = reached > target * (1 + ROUNDING) ? target : low;
      target = (low + reached) / 2;
    }
    return restarted(best, reached);
  }

  /**
   * Searches again from groups that are filled again in a random order, each to a random size, as
   * often as there is time for: which groups get the table's entries is what moves of single
   * entries hardly ever change.
   */
  private List<int[]> restarted(List<int[]> start, double startsBusiest) {
    SplittableRandom random = new SplittableRandom(start.size());
    List<int[]> best = start;
    double reached = startsBusiest;
    double low = loads.lowerBound();
    long ports = start.stream().mapToLong(weights -> weights.length).sum();
    long most = Math.min(MOST_RESTARTS, RESTART_WORK / (ports * ports));
    for (long n = 0; n < most && reached > low * (1 + NEAR); n++) {
      target = low + (reached - low) * random.nextDouble();
      List<int[]> tried = towardsTarget(refilledAtRandom(best, random));
      double busiest = busiest(tried);
      if (busiest < reached) {
        best = tried;
        reached = busiest;
      }
    }
    return best;
  }

  /**
   * Some of the small groups, with as few entries as there may be, and then filled in random order.
   */
  private List<int[]> refilledAtRandom(List<int[]> start, SplittableRandom random) {
    begin(start);
    int[] order =
        IntStream.range(0, groups.length)
            .filter(g -> sizes[g] <= REFILLED && random.nextBoolean())
            .toArray();
    for (int i = order.length; i > 1; i--) {
      int other = random.nextInt(i);
      int last = order[i - 1];
      order[i - 1] = order[other];
      order[other] = last;
    }
    for (int g : order) {
      fill(g, smallest(g));
    }
    for (int g : order) {
      long most = Math.min(REFILLED, sizes[g] + left);
      if (most >= smallest(g)) {
        fill(g, smallest(g) + random.nextInt((int) most - smallest(g) + 1));
      }
    }
    return Arrays.stream(groups).collect(Collectors.toList());
  }

  private void fill(int group, int size) {
    addToLinks(group, -1);
    groups[group] = filled(group, size);
    resize(group);
  }

  /** The busiest link's utilisation. */
  double busiest(List<int[]> weights) {
    return Arrays.stream(loads.utilisation(weights)).max().orElse(0);
  }

  private void begin(List<int[]> start) {
    groups = start.stream().map(int[]::clone).toArray(int[][]::new);
    sizes = Arrays.stream(groups).mapToInt(weights -> IntStream.of(weights).sum()).toArray();
    left = entries - IntStream.of(sizes).asLongStream().sum();
    utilisation = loads.utilisation(start);
  }

  private List<int[]> towardsTarget(List<int[]> start) {
    begin(start);
    long moves = 4L * Arrays.stream(groups).mapToInt(weights -> weights.length).sum();
    while (moves-- > 0 && (improve() || refill() || (release() && refill()))) {}
    return Arrays.stream(groups).collect(Collectors.toList());
  }

  /** Makes the best move for the busiest link for which there is one. */
  private boolean improve() {
    int[] exceeding =
        IntStream.range(0, utilisation.length)
            .filter(link -> utilisation[link] > target * (1 + ROUNDING))
            .boxed()
            .sorted((a, b) -> Double.compare(utilisation[b], utilisation[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    bestExcess = -ROUNDING * target * target;
    bestGroup = NONE;
    for (int i = 0; i < exceeding.length && bestGroup == NONE; i++) {
      for (int g = 0; g < groups.length; g++) {
        int port = portOn(g, exceeding[i]);
        if (port != NONE && groups[g][port] > 0) {
          tryMoves(g, port);
        }
      }
    }
    if (bestGroup != NONE) {
      move();
    }
    return bestGroup != NONE;
  }

  private int portOn(int group, int link) {
    int[] links = loads.linksOf(group);
    int port = 0;
    while (port < links.length && links[port] != link) {
      port++;
    }
    return port < links.length ? port : NONE;
  }

  private void tryMoves(int group, int from) {
    int[] links = loads.linksOf(group);
    boolean mayGive = groups[group][from] > 1 || nextHops(group) > smallest(group);
    int leastBusy = from;
    for (int to = 0; to < links.length; to++) {
      if (mayGive && utilisation[links[to]] < utilisation[links[from]]) {
        consider(group, from, to, excessChangeOfShift(group, from, to));
      }
      leastBusy = utilisation[links[to]] < utilisation[links[leastBusy]] ? to : leastBusy;
    }
    if (mayGive && sizes[group] > 1) {
      consider(group, from, NONE, excessChange(group, from, NONE));
    }
    if (left > 0 && leastBusy != from) {
      consider(group, NONE, leastBusy, excessChange(group, NONE, leastBusy));
    }
  }

  private void consider(int group, int giver, int taker, double excess) {
    if (excess < bestExcess) {
      bestExcess = excess;
      bestGroup = group;
      bestGiver = giver;
      bestTaker = taker;
    }
  }

  private double excess(double utilisation) {
    double over = Math.max(0, utilisation - target);
    return over * over;
  }

  /** As {@link #excessChange}, from the two links that it concerns. */
  private double excessChangeOfShift(int group, int from, int to) {
    int[] links = loads.linksOf(group);
    double[] whole = loads.whole(group);
    double giver = utilisation[links[from]];
    double taker = utilisation[links[to]];
    return excess(giver - whole[from] / sizes[group])
        - excess(giver)
        + excess(taker + whole[to] / sizes[group])
        - excess(taker);
  }

  /** How the sum of squares changes if a port has one entry less, and another one more. */
  private double excessChange(int group, int giver, int taker) {
    int[] links = loads.linksOf(group);
    double sum = 0;
    for (int i = 0; i < links.length; i++) {
      double now = utilisation[links[i]];
      sum += excess(now + change(group, i, giver, taker)) - excess(now);
    }
    return sum;
  }

  private double change(int group, int port, int giver, int taker) {
    int then = groups[group][port] + (port == taker ? 1 : 0) - (port == giver ? 1 : 0);
    double share = (double) then / sizeAfter(group, giver, taker);
    return loads.whole(group)[port] * (share - (double) groups[group][port] / sizes[group]);
  }

  private int sizeAfter(int group, int giver, int taker) {
    return sizes[group] + (taker == NONE ? 0 : 1) - (giver == NONE ? 0 : 1);
  }

  private void move() {
    int[] links = loads.linksOf(bestGroup);
    for (int i = 0; i < links.length; i++) {
      utilisation[links[i]] += change(bestGroup, i, bestGiver, bestTaker);
    }
    int size = sizeAfter(bestGroup, bestGiver, bestTaker);
    left -= size - sizes[bestGroup];
    sizes[bestGroup] = size;
    if (bestGiver != NONE) {
      groups[bestGroup][bestGiver]--;
    }
    if (bestTaker != NONE) {
      groups[bestGroup][bestTaker]++;
    }
  }

  /** Fills the first group again for which that helps. */
  private boolean refill() {
    for (int g = 0; g < groups.length; g++) {
      int[] now = groups[g];
      addToLinks(g, -1);
      double best = excessOf(g, now) - ROUNDING * target * target;
      for (int size = smallest(g); size <= Math.min(REFILLED, sizes[g] + left); size++) {
        int[] filled = filled(g, size);
        double excess = excessOf(g, filled);
        if (excess < best) {
          best = excess;
          groups[g] = filled;
        }
      }
      resize(g);
      if (groups[g] != now) {
        return true;
      }
    }
    return false;
  }

  /** Fills small groups with the fewest entries that do as well, and says whether any are free. */
  private boolean release() {
    long before = left;
    for (int g = 0; g < groups.length; g++) {
      addToLinks(g, -1);
      double enough = excessOf(g, groups[g]);
      int most = Math.min(REFILLED, sizes[g] - 1);
      for (int size = smallest(g); size <= most; size++) {
        int[] filled = filled(g, size);
        if (excessOf(g, filled) <= enough) {
          groups[g] = filled;
          most = size;
        }
      }
      resize(g);
    }
    return left > before;
  }

  private int smallest(int group) {
    return Math.min(minNextHops, groups[group].length);
  }

  private int nextHops(int group) {
    int nextHops = 0;
    for (int entries : groups[group]) {
      nextHops += entries > 0 ? 1 : 0;
    }
    return nextHops;
  }

  /** Counts a group whose entries have changed again. */
  private void resize(int group) {
    left += sizes[group];
    sizes[group] = IntStream.of(groups[group]).sum();
    left -= sizes[group];
    addToLinks(group, +1);
  }

  private void addToLinks(int group, int sign) {
    int[] links = loads.linksOf(group);
    for (int i = 0; i < links.length; i++) {
      utilisation[links[i]] += sign * added(group, i, groups[group][i], sizes[group]);
    }
  }

  private double added(int group, int port, int entries, int size) {
    return loads.whole(group)[port] * entries / size;
  }

  /** What the links of a group that is not counted exceed the target by, with so many entries. */
  private double excessOf(int group, int[] weights) {
    int[] links = loads.linksOf(group);
    int size = IntStream.of(weights).sum();
    double sum = 0;
    for (int i = 0; i < links.length; i++) {
      sum += excess(utilisation[links[i]] + added(group, i, weights[i], size));
    }
    return sum;
  }

  private int[] filled(int group, int size) {
    int[] links = loads.linksOf(group);
    int[] weights = new int[links.length];
    int nextHops = smallest(group);
    int first = 0;
    if (nextHops == weights.length) {
      Arrays.fill(weights, 1);
      first = nextHops;
    }
    for (int n = first; n < size; n++) {
      int best = 0;
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < weights.length; i++) {
        double then = utilisation[links[i]] + added(group, i, weights[i] + 1, size);
        boolean isNextHop = n >= nextHops || weights[i] == 0;
        if (then < least && isNextHop) {
          least = then;
          best = i;
        }
      }
      weights[best]++;
    }
    return weights;
  }
}
