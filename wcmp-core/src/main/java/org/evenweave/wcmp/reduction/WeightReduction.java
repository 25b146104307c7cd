package org.evenweave.wcmp.reduction;

/**
 * Reduces a group's weights as far as a limit on its maximum oversubscription allows; {@link
 * GroupReducer} is for many groups.
 */
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
    int[] entries = new int[weights.length];
    new GroupReducer().reduce(weights, maxOversubscription, entries);
    return entries;
  }

  /**
   * The same where ports may be left out: the smallest group of all groups that have at least so
   * many ports; among those of its size one with the least maximum oversubscription, then with the
   * most ports, then with the most of the capacity.
   *
   * @param minNextHops member ports that get at least one entry; all if there are fewer
   * @return table entries per member port, 0 for those left out
   * @throws IllegalArgumentException as {@link #reduce(long[], Ratio)}, or if {@code minNextHops}
   *     is below 1
   */
  public static int[] reduce(long[] weights, Ratio maxOversubscription, int minNextHops) {
    int[] entries = new int[weights.length];
    new GroupReducer().reduce(weights, weights.length, maxOversubscription, minNextHops, entries);
    return entries;
  }
}
