package org.evenweave.wcmp.reduction;

/**
 * Shares out an exact number of table entries over a group's ports with the least maximum
 * oversubscription; among groups of equal oversubscription, over the most ports.
 *
 * <p><b>Problem.</b> Given ideal weights X and n entries, find positive integers Y of sum n with
 * the least max Y[i]/X[i]. (Equation 3.2 has the constant factor W/n besides.)
 *
 * <p><b>Idea.</b> This is the apportionment of n seats by the method of Jefferson (D'Hondt) with a
 * guaranteed first seat. Give every port one entry, then give out the rest one by one, always to
 * the port with the least (Y[i]+1)/X[i], the lowest index among equals: that is what the greedy
 * loop of Algorithms 1 and 2 does. The result is also what remains of any larger Jefferson
 * apportionment when its entries with the highest Y[i]/X[i] are taken away. So instead of climbing
 * from one entry per port we jump: Y[i] = max(1, floor(lambda X[i])) is Jefferson's answer for its
 * own sum, and lambda = (n + P/2)/W overshoots or falls short of n by about the square root of P/12
 * (the sum of P roundings). If short, raise lambda until it is not; then take the few excess
 * entries away, highest Y[i]/X[i] first. Only ports that would have fewer entries under a somewhat
 * lower lambda, whose sum does not exceed n, can be among those.
 *
 * <p><b>Proof.</b> Let m be the optimum of max Y[i]/X[i]. All answers Z with Z[i] &lt;= max(1,
 * floor(m X[i])) and sum n are optimal, and none is better, because a vector bounded by m' &lt; m
 * has sum below n. A lambda whose floors sum to at least n has lambda &gt;= m (or all are at the
 * floor of one), so its Y covers m's floors; taking away the entry of the highest Y[i]/X[i] while
 * the sum exceeds n never goes below them except among entries equal to m. Ties go to the lowest
 * index, that is, are taken from the highest, so the answer is the greedy's, entry by entry.
 *
 * <p><b>Ports left out.</b> Ports without a guaranteed entry ({@link GuaranteedPorts}) begin with
 * none. If the optimum m lets a port without entries have one, the entries are shared out once more
 * with a guarantee for each port with floor(m X[i]) of at least 1, for the largest ones if there
 * are more of these than entries. The optimum stays m, as those floors cover the guarantees; and no
 * group of this size and oversubscription has more ports or more of the capacity.
 *
 * <p><b>Complexity.</b> O(P) expected for P ports, O(P log P) at worst (at most about 2.5 P excess
 * entries, each a sift in a heap of ports); independent of n. No allocation in {@link #shareOut}.
 *
 * <p><b>Source.</b> Tewari 2015, section 3.3.2, Algorithm 2; M. L. Balinski and H. P. Young, Fair
 * Representation, 2nd ed. 2001 (divisor methods minimise the greatest advantage).
 */
public final class Apportionment {
  private final WeightVector ideal;
  private final GuaranteedPorts guaranteed;
  private final int[] entries;

  /** Entries that each port keeps: those guaranteed, or more ports if that costs nothing. */
  private final int[] least;

  /** Ports to take entries from, as a binary heap with the largest Y/X on top. */
  private final int[] heap;

  private int heapSize;
  private int total;
  private int worstPort;

  /**
   * Room for apportionments of one group; reusable, not for several threads.
   *
   * @param ideal the group's ideal weights
   * @param guaranteed the ports that get at least one entry
   */
  public Apportionment(WeightVector ideal, GuaranteedPorts guaranteed) {
    this.ideal = ideal;
    this.guaranteed = guaranteed;
    this.entries = new int[ideal.ports()];
    this.least = new int[ideal.ports()];
    this.heap = new int[ideal.ports()];
  }

  /**
   * Exactly {@code entries} table entries with the least maximum oversubscription, at least one for
   * each port.
   *
   * @param weights positive ideal weights, one per member port
   * @param entries table entries to use, at least one per port
   * @throws IllegalArgumentException if a weight is not positive
   * @throws TableTooSmallException if there are too few entries
   */
  public static int[] of(long[] weights, int entries) {
    WeightVector ideal = WeightVector.of(weights);
    Apportionment apportionment = new Apportionment(ideal, GuaranteedPorts.all(ideal));
    apportionment.shareOut(entries);
    return apportionment.entries;
  }

  /**
   * Shares out exactly {@code total} entries; the result is in {@link #copyEntries}.
   *
   * @throws TableTooSmallException if there are fewer than ports that have a guaranteed entry
   */
  public void shareOut(int total) {
    shareOut(total, Double.MAX_VALUE);
  }

  /**
   * The same, starting from the shares of a target if that is closer than half an entry per port:
   * where a search knows that their floors just suffice.
   */
  void shareOut(int total, double sufficientTarget) {
    if (total < guaranteed.count()) {
      throw new TableTooSmallException(total, guaranteed.count());
    }
    this.total = total;
    for (int i = 0; i < least.length; i++) {
      least[i] = guaranteed.least(i);
    }
    apportion(sufficientTarget);
    if (!guaranteed.isAll() && keepMorePorts()) {
      apportion(Double.MAX_VALUE);
    }
  }

  private void apportion(double sufficientTarget) {
    worstPort = -1;
    double target = Math.min(sufficientTarget, total + entries.length / 2.0);
    long excess = fill(target);
    for (double step = 1 - excess; excess < 0; step *= 2) {
      target += step;
      excess = fill(target);
    }
    if (excess > 0) {
      takeAway(excess, target);
    }
  }

  /**
   * Guarantees entries to all ports that may have one at the oversubscription reached, the largest
   * if there are too many. Returns whether one of those has none yet.
   */
  private boolean keepMorePorts() {
    int worst = worstPort();
    int kept = 0;
    boolean isMissing = false;
    for (int i = 0; i < entries.length; i++) {
      boolean mayHaveOne =
          Ratio.compare(1, ideal.weight(i), entries[worst], ideal.weight(worst)) <= 0;
      least[i] = mayHaveOne ? 1 : guaranteed.least(i);
      kept += least[i];
      isMissing |= least[i] > entries[i];
    }
    if (isMissing && kept > total) {
      GuaranteedPorts largest = GuaranteedPorts.atLeast(ideal, total);
      for (int i = 0; i < least.length; i++) {
        least[i] = largest.least(i);
      }
    }
    return isMissing;
  }

  /** The entries per port of the last {@link #shareOut}. */
  public int[] copyEntries() {
    return entries.clone();
  }

  /** The entries of the last {@link #shareOut} on port {@link #worstPort}. */
  public int entries(int port) {
    return entries[port];
  }

  /** Total of the last {@link #shareOut}. */
  public int total() {
    return total;
  }

  /** The port with the largest Y[i] / X[i], the first of equals. */
  public int worstPort() {
    if (worstPort < 0) {
      worstPort = Oversubscription.worstPort(ideal, entries);
    }
    return worstPort;
  }

  /** Rounds shares of a target down to whole entries and returns how many too many they are. */
  private long fill(double target) {
    long multiplier = ideal.multiplierFor(target);
    long sum = 0;
    for (int i = 0; i < entries.length; i++) {
      long share = share(i, multiplier);
      entries[i] = (int) share;
      sum += share;
    }
    return sum - total;
  }

  private long share(int port, long multiplier) {
    return Math.min(total, Math.max(least[port], ideal.floor(port, multiplier)));
  }

  /** Takes the excess from the ports whose shares shrink when a target gets low enough for it. */
  private void takeAway(long excess, double target) {
    double step = 2.0 * excess;
    while (selectAbove(Math.max(0, target - step)) > total) {
      step *= 2;
    }
    for (int i = heapSize / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
    for (long left = excess; left > 0; left--) {
      int port = heap[0];
      if (--entries[port] == least[port]) {
        heap[0] = heap[--heapSize];
      }
      siftDown(0);
    }
  }

  /** Selects the ports that have more than their share of a target; returns the sum of shares. */
  private long selectAbove(double target) {
    long multiplier = ideal.multiplierFor(target);
    long sum = 0;
    heapSize = 0;
    for (int i = 0; i < entries.length; i++) {
      long share = share(i, multiplier);
      sum += share;
      if (entries[i] > share) {
        heap[heapSize++] = i;
      }
    }
    return sum;
  }

  private void siftDown(int start) {
    int port = heap[start];
    int hole = start;
    for (int child = 2 * hole + 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && isWorse(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isWorse(heap[child], port)) {
        break;
      }
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = port;
  }

  private boolean isWorse(int a, int b) {
    int order = Ratio.compare(entries[a], ideal.weight(a), entries[b], ideal.weight(b));
    return order > 0 || (order == 0 && a > b);
  }
}
