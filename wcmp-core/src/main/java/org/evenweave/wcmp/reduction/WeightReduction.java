package org.evenweave.wcmp.reduction;

/** Reduces a group's weights as far as a limit on its maximum oversubscription allows. */
public final class WeightReduction {
  private WeightReduction() {}

  /**
   * The smallest group within an oversubscription limit (Tewari 2015, section 3.3.2, Equation 3.3),
   * and among groups of that size one with the least maximum oversubscription.
   *
   * @param weights positive ideal weights, one per member port, in any unit
   * @param maxOversubscription limit on the maximum oversubscription, at least 1
   * @return table entries per member port, each at least 1; never more in all than the weights in
   *     lowest terms
   * @throws IllegalArgumentException if a weight is not positive, the limit is below 1, or no group
   *     of fewer than 2^31 entries is within the limit
   */
  public static int[] reduce(long[] weights, Ratio maxOversubscription) {
    WeightVector ideal = WeightVector.of(weights);
    if (maxOversubscription.compareTo(Ratio.ONE) < 0) {
      throw new IllegalArgumentException(
          "maxOversubscription is " + maxOversubscription + "; it must be at least 1");
    }
    Apportionment apportionment = new Apportionment(ideal, 1);
    long most = Math.min(ideal.size(), Integer.MAX_VALUE);
    for (int size = ideal.ports(); size <= most; size++) {
      apportionment.shareOut(size);
      int[] reduced = apportionment.copyEntries();
      if (Oversubscription.of(ideal, reduced).compareTo(maxOversubscription) <= 0) {
        return reduced;
      }
    }
    throw new IllegalArgumentException(
        "no group of fewer than 2^31 entries has an oversubscription of at most "
            + maxOversubscription);
  }
}
