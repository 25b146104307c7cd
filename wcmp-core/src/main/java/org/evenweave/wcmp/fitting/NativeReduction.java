package org.evenweave.wcmp.fitting;

import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The smallest group within a limit on its oversubscription (Tewari 2015, Equation 3.3) in a switch
 * that has the weight of each member port as a number. An entry is then a member port, so the
 * smallest group is the one of the fewest ports; among those the one of the least oversubscription,
 * and then of the smallest total ({@link NativeGroup}).
 *
 * <p>More ports never make the least oversubscription larger, so bisection finds their number.
 */
public final class NativeReduction {
  private NativeReduction() {}

  /**
   * @param weights positive ideal weights, one per member port, in any unit
   * @param limit on the maximum oversubscription, at least 1
   * @param maxWeight of each port, at least 1
   * @param maxTotalWeight of all ports together
   * @param minNextHops ports that get a weight; all if there are fewer
   * @return the weight of each member port, 0 for those left out
   * @throws IllegalArgumentException if a weight is not positive, {@code maxTotalWeight} is below
   *     the number of ports that cannot be left out, or no such weights are within the limit
   */
  public static int[] reduce(
      long[] weights, Ratio limit, int maxWeight, int maxTotalWeight, int minNextHops) {
    WeightVector ideal = WeightVector.of(weights);
    GuaranteedPorts guaranteed = GuaranteedPorts.atLeast(ideal, minNextHops);
    if (guaranteed.count() > maxTotalWeight) {
      throw new IllegalArgumentException(
          guaranteed.count() + " ports need a weight each, and all together may have fewer");
    }
    int total = Math.min(maxTotalWeight, ReplicatedTable.MOST_PER_GROUP);
    NativeGroup group =
        new NativeGroup(
            ideal, guaranteed, Math.min(maxWeight, ReplicatedTable.MOST_PER_GROUP), total);
    int least = guaranteed.count();
    int most = ideal.ports();
    group.weights(most);
    if (group.oversubscription().compareTo(limit) > 0) {
      throw new IllegalArgumentException(
          "the least oversubscription of such weights is " + group.oversubscription().toDouble());
    }
    while (least < most) {
      int tried = least + (most - least) / 2;
      group.weights(tried);
      if (group.oversubscription().compareTo(limit) > 0) {
        least = tried + 1;
      } else {
        most = tried;
      }
    }
    return group.weights(least);
  }
}
