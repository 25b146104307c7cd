package org.evenweave.wcmp.fitting;

import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.SizeSearch;
import org.evenweave.wcmp.reduction.TableTooSmallException;
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
   * @throws IllegalArgumentException if a weight is not positive
   * @throws TableTooSmallException if there are too few entries
   */
  public static int[] fit(long[] weights, int entries) {
    SizeSearch search = new SizeSearch(WeightVector.of(weights), 1);
    search.bestUpTo(entries);
    return search.copyEntries();
  }

  /**
   * Exactly {@code entries} entries with the least maximum oversubscription, for tables that must
   * be full, such as those of 2^k slots.
   *
   * @param weights positive ideal weights, one per member port, in any unit
   * @param entries table entries to use, at least one per port
   * @return table entries per member port, each at least 1, that sum to {@code entries}
   * @throws IllegalArgumentException if a weight is not positive
   * @throws TableTooSmallException if there are too few entries
   */
  public static int[] apportion(long[] weights, int entries) {
    return Apportionment.of(weights, entries);
  }
}
