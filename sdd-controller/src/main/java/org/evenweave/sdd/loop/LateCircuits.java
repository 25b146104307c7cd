package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The circuit time that pairs lost in a week through late STARTs, and the time that they regained.
 *
 * <p>Among pairs that compete for the same port, the one that regained nothing in the most
 * consecutive late weeks comes first, then the one that lost first: so none of them starves. Only
 * pairs that lose something in week after week are remembered, so memory is bounded by {@link
 * #MOST_PAIRS}.
 */
final class LateCircuits {
  /** What more pairs lose in a week is counted, and not given again. */
  static final int MOST_PAIRS = 1024;

  /** A pair that has lost something in this week. */
  static final class Debt {
    private final int source;
    private final int destination;
    private final int weeksWithout;
    private long lostNs;
    private long owedNs;
    private long regainedNs;

    private Debt(int source, int destination, int weeksWithout) {
      this.source = source;
      this.destination = destination;
      this.weeksWithout = weeksWithout;
    }

    int source() {
      return source;
    }

    int destination() {
      return destination;
    }

    /** What is neither regained nor planned. */
    long owedNs() {
      return owedNs;
    }

    void plan(long ns) {
      owedNs -= ns;
    }

    /** Of what was planned in a day, so much was given. */
    void regain(long plannedNs, long givenNs) {
      owedNs += plannedNs - givenNs;
      regainedNs += givenNs;
    }
  }

  private final int hosts;
  private final long leastNs;
  private final Map<Integer, Debt> debts = new HashMap<>();

  /** In the order in which they get something again. */
  private final List<Debt> byTurn = new ArrayList<>();

  private final Map<Integer, Integer> weeksWithout = new HashMap<>();
  private long lateDays;
  private long pairsBeyond;
  private long lostBeyondNs;

  /**
   * @param leastNs what is less is not worth a circuit
   */
  LateCircuits(int hosts, long leastNs) {
    this.hosts = hosts;
    this.leastNs = leastNs;
  }

  /** A pair has lost time of a circuit that it wanted. */
  void lose(int source, int destination, long ns) {
    int pair = source * hosts + destination;
    Debt debt = debts.get(pair);
    if (debt == null && debts.size() == MOST_PAIRS) {
      pairsBeyond++;
      lostBeyondNs += ns;
      return;
    }
    if (debt == null) {
      debt = new Debt(source, destination, weeksWithout.getOrDefault(pair, 0));
      debts.put(pair, debt);
      byTurn.add(debt);
      byTurn.sort(Comparator.comparingInt((Debt other) -> -other.weeksWithout));
    }
    debt.lostNs += ns;
    debt.owedNs += ns;
  }

  void dayIsLate() {
    lateDays++;
  }

  /** Pairs to which enough is owed, in their order. */
  List<Debt> owed() {
    List<Debt> owed = new ArrayList<>();
    for (Debt debt : byTurn) {
      if (debt.owedNs >= leastNs) {
        owed.add(debt);
      }
    }
    return owed;
  }

  /** Ends a week: what was late in it, and what was made good. */
  LateTotals end() {
    long secondChances = 0;
    long lostNs = lostBeyondNs;
    long regainedNs = 0;
    Map<Integer, Integer> without = new HashMap<>();
    for (Debt debt : byTurn) {
      lostNs += debt.lostNs;
      regainedNs += debt.regainedNs;
      if (debt.regainedNs > 0) {
        secondChances++;
      } else {
        without.put(debt.source * hosts + debt.destination, debt.weeksWithout + 1);
      }
    }
    if (!byTurn.isEmpty()) {
      weeksWithout.clear();
      weeksWithout.putAll(without);
    }
    LateTotals totals =
        new LateTotals(lateDays, byTurn.size() + pairsBeyond, secondChances, lostNs, regainedNs);
    debts.clear();
    byTurn.clear();
    lateDays = 0;
    pairsBeyond = 0;
    lostBeyondNs = 0;
    return totals;
  }
}
