package org.evenweave.wcmp.fitting;

import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
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
    return fit(weights, entries, weights.length);
  }

  /**
   * The same where ports may be left out; among equals one of the most ports, then the smallest.
   *
   * @param minNextHops member ports that get at least one entry; all if there are fewer
   * @return table entries per member port, 0 for those left out
   * @throws TableTooSmallException if there are fewer entries than such ports
   */
  public static int[] fit(long[] weights, int entries, int minNextHops) {
    WeightVector ideal = WeightVector.of(weights);
    SizeSearch search = new SizeSearch(ideal, GuaranteedPorts.atLeast(ideal, minNextHops));
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

  /**
   * The same where ports may be left out; among equals one of the most ports.
   *
   * @param minNextHops member ports that get at least one entry; all if there are fewer
   * @throws TableTooSmallException if there are fewer entries than such ports
   */
  public static int[] apportion(long[] weights, int entries, int minNextHops) {
    WeightVector ideal = WeightVector.of(weights);
    Apportionment apportionment =
        new Apportionment(ideal, GuaranteedPorts.atLeast(ideal, minNextHops));
    apportionment.shareOut(entries);
    return apportionment.copyEntries();
  }
}
