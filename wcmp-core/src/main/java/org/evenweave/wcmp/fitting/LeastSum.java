package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Divides a table among groups so that the sum of their demands times L1 distances is least: a
 * multiple-choice knapsack, of each group one point of its {@link L1Frontier}.
 *
 * <p><b>Idea.</b> At a price p per entry each group has a cheapest point, by demand times distance
 * plus p times size. The sum of these costs less p times the table's entries is a lower bound on
 * what any division can reach; the least price at which the cheapest points fit gives nearly the
 * best bound. What a division loses against it is the sum of its points' <em>regrets</em>, their
 * costs beyond the cheapest, and p times the entries left. So only points whose regret is within
 * the gap between the bound and a division already known can be part of a better one. There are few
 * of them, and dynamic programming over the entries used tries all their combinations.
 *
 * <p><b>Exactness.</b> Optimal to rounding as long as the combinations kept, after those are left
 * out that use more entries than another for no less distance, are at most {@link #STATES} over the
 * number of groups. Beyond that (thousands of groups in one table) those of the least regret are
 * kept, and the gap bounds what is lost.
 *
 * <p><b>Complexity.</b> Each group's frontier is searched to a few times the size that it gets.
 */
final class LeastSum {
  /** Combinations kept, times groups: some 50 MB. */
  private static final int STATES = 1 << 20;

  /** Regrets are differences of costs, and off by about this part of the costs. */
  private static final double ROUNDING = 1e-12;

  /** A group, and where it stands in its frontier. */
  private static final class Item {
    final L1Frontier frontier;
    final double demand;
    final long largest;
    int point;

    Item(L1Frontier frontier, double demand, long largest) {
      this.frontier = frontier;
      this.demand = demand;
      this.largest = Math.min(largest, frontier.exactSize());
    }

    double value(int p) {
      return demand * frontier.distance(p);
    }

    double cost(int p, double price) {
      return value(p) + price * frontier.size(p);
    }

    int size() {
      return frontier.size(point);
    }

    void chooseCheapest(double price) {
      point = 0;
      for (int p = 0; p < known(cost(point, price) / price); p++) {
        point = cost(p, price) < cost(point, price) ? p : point;
      }
    }

    /** How many points are known, with all of at most so many entries among them. */
    int known(double size) {
      return known((long) Math.min(size, (double) largest));
    }

    int known(long size) {
      frontier.search(Math.min(size, largest));
      return frontier.points();
    }
  }

  /** Points of the first groups, linked from the last one back. */
  private static final class State {
    final State before;
    final int point;
    final long entries;
    final double value;
    final double regret;

    State(State before, int point, long entries, double value, double regret) {
      this.before = before;
      this.point = point;
      this.entries = entries;
      this.value = value;
      this.regret = regret;
    }
  }

  private final List<Item> items = new ArrayList<>();
  private final int entries;

  /**
   * @param frontiers of the groups; equal groups may have the same
   * @param demands of the groups, positive
   * @param entries of the table, enough for all smallest sizes
   */
  LeastSum(List<L1Frontier> frontiers, double[] demands, int entries) {
    this.entries = entries;
    long spare = entries - frontiers.stream().mapToLong(L1Frontier::smallestSize).sum();
    for (int g = 0; g < demands.length; g++) {
      L1Frontier frontier = frontiers.get(g);
      items.add(new Item(frontier, demands[g], frontier.smallestSize() + spare));
    }
  }

  /** The size of each group in the best division. */
  int[] sizes() {
    if (items.size() == 1) {
      Item only = items.get(0);
      only.point = only.known(only.largest) - 1;
    } else if (!allAtLargest()) {
      double price = cheapestThatFits();
      double bound = -price * entries;
      for (Item item : items) {
        bound += item.cost(item.point, price);
      }
      List<Integer> cheapest = points();
      fill();
      improve(price, cheapest, value() - bound);
    }
    return items.stream().mapToInt(Item::size).toArray();
  }

  private boolean allAtLargest() {
    if (items.stream().mapToLong(item -> item.largest).sum() > entries) {
      return false;
    }
    items.forEach(item -> item.point = item.known(item.largest) - 1);
    return true;
  }

  private List<Integer> points() {
    return items.stream().map(item -> item.point).collect(Collectors.toList());
  }

  private double value() {
    return items.stream().mapToDouble(item -> item.value(item.point)).sum();
  }

  private long used() {
    return items.stream().mapToLong(Item::size).sum();
  }

  private boolean fits(double price) {
    items.forEach(item -> item.chooseCheapest(price));
    return used() <= entries;
  }

  /** Leaves all groups at their cheapest points at the price returned, which fit. */
  private double cheapestThatFits() {
    double high = items.stream().mapToDouble(item -> item.value(0)).max().getAsDouble();
    double low = high;
    double least = high * ROUNDING;
    while (low > least && fits(low / 2)) {
      low /= 2;
    }
    high = low;
    low /= 2;
    while (high > low * (1 + 0x1p-30)) {
      double price = (low + high) / 2;
      if (fits(price)) {
        high = price;
      } else {
        low = price;
      }
    }
    fits(high);
    return high;
  }

  /** Spends entries that are left where each brings most, from the points chosen. */
  private void fill() {
    long left = entries - used();
    Item best;
    do {
      best = null;
      int to = 0;
      double rate = 0;
      for (Item item : items) {
        int known = item.known(item.size() + left);
        for (int p = item.point + 1;
            p < known && item.frontier.size(p) - item.size() <= left;
            p++) {
          double saved = item.value(item.point) - item.value(p);
          double savedPerEntry = saved / (item.frontier.size(p) - item.size());
          if (savedPerEntry > rate) {
            best = item;
            to = p;
            rate = savedPerEntry;
          }
        }
      }
      if (best != null) {
        left -= best.frontier.size(to) - best.size();
        best.point = to;
      }
    } while (best != null);
  }

  /** The points of one group that may be part of a division better than the known one. */
  private static final class Options {
    final Item item;
    final int[] points;
    final double least;

    Options(Item item, int cheapest, double price, double gap) {
      this.item = item;
      this.least = item.cost(cheapest, price);
      this.points =
          IntStream.range(0, item.known((least + gap) / price))
              .filter(p -> item.cost(p, price) - least <= gap)
              .toArray();
    }

    int smallest() {
      return item.frontier.size(points[0]);
    }

    int largest() {
      return item.frontier.size(points[points.length - 1]);
    }
  }

  /** Chooses the best combination of points; the one known is among them. */
  private void improve(double price, List<Integer> cheapest, double knownGap) {
    double gap = knownGap + ROUNDING * (value() + price * entries);
    List<Options> options = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      options.add(new Options(items.get(i), cheapest.get(i), price, gap));
    }
    options.sort(Comparator.comparingInt((Options o) -> o.points.length));
    long least = options.stream().mapToLong(Options::smallest).sum();
    long most = options.stream().mapToLong(Options::largest).sum();
    List<State> states = List.of(new State(null, -1, 0, 0, 0));
    for (Options next : options) {
      least -= next.smallest();
      most -= next.largest();
      List<State> extended = new ArrayList<>();
      for (State state : states) {
        for (int p : next.points) {
          State with = extend(state, next, p, price);
          long left = entries - with.entries;
          if (left >= least && with.regret + price * Math.max(0, left - most) <= gap) {
            extended.add(with);
          }
        }
      }
      states = undominated(extended);
    }
    State best = states.get(states.size() - 1);
    for (int i = options.size() - 1; i >= 0; i--, best = best.before) {
      options.get(i).item.point = best.point;
    }
  }

  private static State extend(State state, Options next, int point, double price) {
    return new State(
        state,
        point,
        state.entries + next.item.frontier.size(point),
        state.value + next.item.value(point),
        state.regret + next.item.cost(point, price) - next.least);
  }

  /** Those for which no other has less value with as few entries, by entries, not too many. */
  private List<State> undominated(List<State> states) {
    states.sort(Comparator.comparingLong((State s) -> s.entries).thenComparingDouble(s -> s.value));
    List<State> kept = new ArrayList<>();
    for (State state : states) {
      if (kept.isEmpty() || state.value < kept.get(kept.size() - 1).value) {
        kept.add(state);
      }
    }
    int most = Math.max(256, STATES / items.size());
    if (kept.size() > most) {
      kept.sort(Comparator.comparingDouble((State s) -> s.regret));
      kept = new ArrayList<>(kept.subList(0, most));
      kept.sort(Comparator.comparingLong((State s) -> s.entries));
    }
    return kept;
  }
}
