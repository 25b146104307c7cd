package org.evenweave.sdd.loop;

/** Totals of circuit time lost through late STARTs, and regained in the same week. Immutable. */
public final class LateTotals {
  static final LateTotals NONE = new LateTotals(0, 0, 0, 0, 0);

  private final long days;
  private final long pairs;
  private final long secondChances;
  private final long lostNs;
  private final long regainedNs;

  /**
   * @param days that were over before their START could be sent
   * @param pairs that lost circuit time in a week
   * @param secondChances those of them that got some again in the same week
   * @param lostNs circuit time that they had lost
   * @param regainedNs what they got again
   */
  LateTotals(long days, long pairs, long secondChances, long lostNs, long regainedNs) {
    this.days = days;
    this.pairs = pairs;
    this.secondChances = secondChances;
    this.lostNs = lostNs;
    this.regainedNs = regainedNs;
  }

  LateTotals plus(LateTotals other) {
    return new LateTotals(
        days + other.days,
        pairs + other.pairs,
        secondChances + other.secondChances,
        lostNs + other.lostNs,
        regainedNs + other.regainedNs);
  }

  /** Days that were over before their START could be sent. */
  public long days() {
    return days;
  }

  /** Pairs that lost circuit time because START was late or not sent; once in a week. */
  public long pairs() {
    return pairs;
  }

  /** Of these, pairs that got circuit time again in the same week. */
  public long secondChances() {
    return secondChances;
  }

  /** And those that did not: they have to wait for the next. */
  public long lostPairs() {
    return pairs - secondChances;
  }

  public long lostNs() {
    return lostNs;
  }

  public long regainedNs() {
    return regainedNs;
  }
}
