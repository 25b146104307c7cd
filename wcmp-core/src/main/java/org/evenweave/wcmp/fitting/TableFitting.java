package org.evenweave.wcmp.fitting;

import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

/** Fits the weights of one group into a number of table entries. */
public final class TableFitting {
  private TableFitting() {}

  /**
   * The group of at most {@code entries} entries with the least maximum oversubscription (Tewari
   * 2015, section 3.3.2, Equation 3.4); among equals the smallest.
   *
   * @param weights positive ideal weights, one per member port, in any unit
   * @param entries table entries there are, at least one per port
   * @return table entries per member port, each at least 1
   * @throws IllegalArgumentException if a weight is not positive or there are too few entries
   */
  public static int[] fit(long[] weights, int entries) {
    WeightVector ideal = WeightVector.of(weights);
    if (entries < ideal.ports()) {
      throw new IllegalArgumentException(
          "entries is " + entries + "; the least that would do is " + ideal.ports());
    }
    int[] best = null;
    Ratio least = null;
    for (int size = ideal.ports(); size <= Math.min(entries, ideal.size()); size++) {
      int[] fitted = Apportionment.of(weights, size);
      Ratio oversubscription = Oversubscription.of(ideal, fitted);
      if (least == null || oversubscription.compareTo(least) < 0) {
        best = fitted;
        least = oversubscription;
      }
    }
    return best;
  }

  /**
   * Exactly {@code entries} entries with the least maximum oversubscription, for tables that must
   * be full, such as those of 2^k slots.
   *
   * @param weights positive ideal weights, one per member port, in any unit
   * @param entries table entries to use, at least one per port
   * @return table entries per member port, each at least 1, that sum to {@code entries}
   * @throws IllegalArgumentException if a weight is not positive or there are too few entries
   */
  public static int[] apportion(long[] weights, int entries) {
    return Apportionment.of(weights, entries);
  }
}
