package org.evenweave.wcmp.reduction;

/**
 * Searches the sizes of one reduced group, exactly: for the smallest within a limit, and for the
 * best up to a limit on the size.
 *
 * <p><b>Feasible sizes.</b> Let X be the ideal weights of P ports, of sum W, and theta a limit. A
 * group Y of n entries is within theta (Equation 3.2) when every Y[i] &lt;= theta X[i] n / W, and
 * Y[i] is a positive integer. So a size n is feasible exactly when every F[i](n) = floor(theta X[i]
 * n / W) is at least 1 and their sum F(n) is at least n: then take entries away from the F[i] until
 * n are left. {@link Apportionment} gives the best such group. The first condition holds from n = W
 * / (theta min X) on. The second is not monotone in n, but as F(n) &gt; theta n - P it holds from n
 * = P / (theta - 1) on, and typically near half of that.
 *
 * <p><b>Ports left out.</b> A port without a guaranteed entry ({@link GuaranteedPorts}) may have an
 * F[i] of 0, so the first condition is about the others alone, and holds from W / (theta X[g]) on,
 * g being the smallest of those. All else stays. Of several sizes of the least oversubscription the
 * best is the smallest one of the most ports: that is found by raising the number of ports that
 * have the guarantee for as long as some size keeps to that oversubscription.
 *
 * <p><b>Smallest size within a limit</b> (Equation 3.3). Try the lower bound itself, which for
 * weights of unequal magnitude is mostly the answer; then walk up through {@link EventWindow}s,
 * which give F for a run of sizes at about one addition per size, to the first n with F(n) &gt;= n.
 *
 * <p><b>Best size up to T</b> (Equation 3.4). The best group of exactly T entries sets a limit.
 * Walk down from T with that limit; every n with F(n) &gt;= n is as good or better, and sets a new
 * limit. Sizes passed over were infeasible for a looser limit, so none is visited twice. The walk
 * ends at the lower bound, which rises as the limit falls. If T is at least W, the ideal weights
 * themselves are the answer.
 *
 * <p><b>Exactness.</b> The walks use sums rounded up, so they miss nothing; every size that they
 * stop at is verified in integers ({@link OversubscriptionLimit}).
 *
 * <p><b>Complexity.</b> O(P + s) for s sizes walked, s &lt; min(W, P / (theta - 1)) upwards and s
 * &lt; T downwards, plus O(P log P) for each of the expected O(log s) stops. The greedy of
 * Algorithm 1 takes O(P n) for an answer of size n, or O(n log P) with a heap.
 *
 * <p><b>Source.</b> Tewari 2015, section 3.3.2 states both problems as integer programs and answers
 * with greedy heuristics; the condition on F is Jefferson's method read as a threshold.
 */
public final class SizeSearch {
  /** No size is feasible. */
  public static final int NONE = -1;

  /** Limits as doubles are off by a few units of 2^-53 of theirs; this is more than that. */
  private static final double DOUBLE_ERROR = 0x1p-48;

  private final WeightVector ideal;
  private final GuaranteedPorts guaranteed;
  private final Apportionment apportionment;
  private final EventWindow window;

  /**
   * A search over the sizes of one group; reusable, not for several threads.
   *
   * @param ideal the group's ideal weights
   * @param guaranteed the ports that get at least one entry
   */
  public SizeSearch(WeightVector ideal, GuaranteedPorts guaranteed) {
    this.ideal = ideal;
    this.guaranteed = guaranteed;
    this.apportionment = new Apportionment(ideal, guaranteed);
    this.window = new EventWindow(ideal);
  }

  /**
   * The smallest size whose least oversubscription is within a limit.
   *
   * @param limit the limit, at least 1
   * @param from the first size to consider, at most the ideal size W
   * @param to the last size to consider
   * @return the size, whose apportionment {@link #copyEntries} then holds, or {@link #NONE}
   */
  public int smallestWithin(Ratio limit, int from, int to) {
    if (limit.equals(Ratio.ONE)) {
      return exactSize(to);
    }
    return smallest(OversubscriptionLimit.of(limit, ideal), 0, from, to);
  }

  /**
   * The smallest size whose least oversubscription is strictly below a limit; else as {@link
   * #smallestWithin}.
   */
  public int smallestBelow(Ratio limit, int from, int to) {
    if (limit.equals(Ratio.ONE)) {
      return NONE;
    }
    return smallest(OversubscriptionLimit.of(limit, ideal), -1, from, to);
  }

  /**
   * The size of at most {@code entries} with the least oversubscription; among equals one of the
   * most ports, the smallest.
   *
   * @return the size, whose apportionment {@link #copyEntries} then holds
   * @throws TableTooSmallException if there are fewer entries than ports that have a guaranteed one
   */
  public int bestUpTo(int entries) {
    if (exactSize(entries) != NONE) {
      return (int) ideal.size();
    }
    int best = leastOversubscribed(entries);
    return guaranteed.isAll() ? best : withMostPorts(best, entries);
  }

  /**
   * The smallest size, from one to another, with the oversubscription of the first and the most
   * ports; {@link #copyEntries} then holds its apportionment.
   */
  public int withMostPorts(int from, int to) {
    apportionment.shareOut(from);
    int[] reached = apportionment.copyEntries();
    int ports = portsOf(reached);
    Ratio limit = Oversubscription.of(ideal, reached);
    int best = from;
    for (int more = ideal.ports(); ports < more; ) {
      int tried = ports + (more - ports + 1) / 2;
      SizeSearch search = new SizeSearch(ideal, GuaranteedPorts.atLeast(ideal, tried));
      int size = search.smallestWithin(limit, from, to);
      if (size == NONE) {
        more = tried - 1;
      } else {
        best = size;
        ports = tried;
      }
    }
    apportionment.shareOut(best);
    return best;
  }

  private static int portsOf(int[] entries) {
    int ports = 0;
    for (int y : entries) {
      ports += y > 0 ? 1 : 0;
    }
    return ports;
  }

  private int leastOversubscribed(int entries) {
    apportionment.shareOut(entries);
    int best = entries;
    OversubscriptionLimit limit = OversubscriptionLimit.of(apportionment, ideal);
    long last = entries - 1L;
    for (double sizes = 2 * ideal.ports(); last >= leastSize(limit.approximate()); sizes *= 2) {
      long first = Math.max(leastSize(limit.approximate()), last - atMostWindow(sizes) + 1);
      window.fill(usefulBound(limit), first, (int) (last - first + 1));
      long sum = window.sumAtLast();
      for (; last >= first; last--) {
        // The window may be that of an earlier limit.
        if (sum >= last && isCandidate(limit, last) && holds(limit, 0, last)) {
          best = (int) last;
          limit = OversubscriptionLimit.of(apportionment, ideal);
        }
        sum -= window.rise((int) (last - first));
      }
    }
    if (apportionment.total() != best) {
      apportionment.shareOut(best);
    }
    return best;
  }

  /**
   * Takes exactly so many entries, for {@link #copyEntries}.
   *
   * @throws TableTooSmallException if there are fewer entries than ports that have a guaranteed one
   */
  public void shareOut(int entries) {
    apportionment.shareOut(entries);
  }

  /** The entries per port of the size found last. */
  public int[] copyEntries() {
    return apportionment.copyEntries();
  }

  /** The only size up to W without oversubscription is W itself. */
  private int exactSize(int to) {
    if (ideal.size() > to) {
      return NONE;
    }
    apportionment.shareOut((int) ideal.size());
    return (int) ideal.size();
  }

  /**
   * The first size whose worst port compares with the limit as at most {@code order}: 0 for within,
   * -1 for below.
   */
  private int smallest(OversubscriptionLimit limit, int order, int from, int to) {
    double theta = limit.approximate();
    long first = Math.max(from, leastSize(theta));
    long certain = Math.min(ideal.size(), Math.max(first + 2, certainSize(theta)));
    long last = Math.min(to, certain);
    if (first > last) {
      return NONE;
    }
    if (isCandidate(limit, first) && holds(limit, order, first)) {
      return (int) first;
    }
    first++;
    double expected = ideal.ports() / (2 * (theta - 1)) - first;
    for (double sizes = Math.max(2 * ideal.ports(), expected); first <= last; sizes *= 2) {
      int m = (int) Math.min(atMostWindow(sizes), last - first + 1);
      window.fill(usefulBound(limit), first, m);
      long sum = window.sumAtFirst();
      for (int k = 0; k < m; k++) {
        sum += window.rise(k);
        if (sum >= first + k && holds(limit, order, first + k)) {
          return (int) first + k;
        }
      }
      first += m;
    }
    return NONE;
  }

  /** Any limit from P + 1 on lets F(n) exceed n at every n, and only adds events to count. */
  private double usefulBound(OversubscriptionLimit limit) {
    return Math.min(limit.approximate(), ideal.ports() + 1.0);
  }

  private static int atMostWindow(double sizes) {
    return (int) Math.min(sizes, EventWindow.MAX_SIZES);
  }

  private boolean isCandidate(OversubscriptionLimit limit, long size) {
    return ideal.floorSum(ideal.multiplierFor(usefulBound(limit) * size)) >= size;
  }

  private boolean holds(OversubscriptionLimit limit, int order, long size) {
    apportionment.shareOut((int) size, usefulBound(limit) * size);
    int worst = apportionment.worstPort();
    return limit.compare(apportionment.entries(worst), ideal.weight(worst), size) <= order;
  }

  /**
   * A size below which the share of some port that has a guaranteed entry rounds down to none; at
   * most 2 below the first other.
   */
  private long leastSize(double theta) {
    double leastSize = ideal.approximateSize() / (theta * guaranteed.smallestWeight());
    return Math.max(guaranteed.count(), (long) Math.ceil(leastSize * (1 - DOUBLE_ERROR)));
  }

  /** A size from which on F(n) >= n. */
  private long certainSize(double theta) {
    double headroom = theta - 1 - theta * DOUBLE_ERROR;
    return headroom <= 0 ? Long.MAX_VALUE : (long) Math.ceil(ideal.ports() / headroom);
  }
}
