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
    SizeSearch search = new SizeSearch(ideal, 1);
    if (search.smallestWithin(maxOversubscription, 1, Integer.MAX_VALUE) != SizeSearch.NONE) {
      return search.copyEntries();
    }
    throw new IllegalArgumentException(
        "no group of fewer than 2^31 entries has an oversubscription of at most "
            + maxOversubscription);
  }
}
