package org.evenweave.bench.optimality;

import org.evenweave.wcmp.reduction.Ratio;

/**
 * The size of the smallest group within an oversubscription limit, found without any of the
 * algorithms that are to be judged.
 *
 * <p>In a group of n entries a port of weight X may have Y with {@code Y W <= theta n X} (Tewari
 * 2015, Equation 3.2), hence at most {@code floor(theta n X / W)}. So there is a group of n entries
 * exactly if each port may have one and all together may have n. The sizes are tried one by one,
 * O(P) each; the ideal weights themselves are within any limit, which ends the search.
 */
final class LeastGroup {
  private LeastGroup() {}

  /**
   * Entries of the smallest group, each port with at least one.
   *
   * @param ideal positive weights; their sum times itself times the limit's terms below 2^63
   * @param limit on the maximum oversubscription, at least 1
   */
  static int entries(int[] ideal, Ratio limit) {
    long idealSize = 0;
    for (int weight : ideal) {
      idealSize += weight;
    }
    int entries = ideal.length;
    while (!exists(ideal, idealSize, limit, entries)) {
      entries++;
    }
    return entries;
  }

  private static boolean exists(int[] ideal, long idealSize, Ratio limit, int entries) {
    long numerator = limit.numerator().longValueExact() * entries;
    long denominator = limit.denominator().longValueExact() * idealSize;
    long most = 0;
    for (int weight : ideal) {
      long mostOfPort = numerator * weight / denominator;
      if (mostOfPort == 0) {
        return false;
      }
      most += mostOfPort;
    }
    return most >= entries;
  }
}
