package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.SizeSearch;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;

/**
 * The groups of one switch whose table holds a group's member ports replicated by weight (Tewari
 * 2015, Figure 3.3).
 *
 * <p>Each group is reduced as far as the limit on its oversubscription allows (Equation 3.3); at a
 * limit of 1 that is its weights in lowest terms. Where the table does not hold all of these, they
 * are fitted together ({@link GroupSetFitting}), with the least oversubscription of the worst.
 */
public final class ReplicatedTable {
  /** The entries of one group, so that every weight has OpenFlow's 16 bits. */
  public static final int MOST_PER_GROUP = 0xffff;

  private ReplicatedTable() {}

  /**
   * @param groups for each group positive ideal weights, at most {@value #MOST_PER_GROUP} of them;
   *     groups that share entries once
   * @param entries of the table
   * @param limit on the oversubscription of each, at least 1
   * @param minNextHops ports of each group that get at least one entry; all of smaller groups, and
   *     all of any with {@link Integer#MAX_VALUE}
   * @return aligned: the entries of each member port, 0 for those left out
   * @throws TableTooSmallException if there are fewer entries than such ports of all groups
   */
  public static List<int[]> weights(
      List<long[]> groups, int entries, Ratio limit, int minNextHops) {
    long ports = groups.stream().mapToLong(group -> Math.min(group.length, minNextHops)).sum();
    if (ports > entries) {
      throw new TableTooSmallException(entries, ports);
    }
    List<int[]> weights = new ArrayList<>();
    groups.forEach(group -> weights.add(weights(group, limit, minNextHops)));
    long sum = weights.stream().flatMapToInt(Arrays::stream).asLongStream().sum();
    if (sum <= entries) {
      return weights;
    }
    FittedGroups fitted =
        GroupSetFitting.of(groups)
            .withMinNextHops(minNextHops)
            .withAtMost(MOST_PER_GROUP)
            .into(entries);
    for (int g = 0; g < groups.size(); g++) {
      weights.set(g, fitted.weights(g));
    }
    return weights;
  }

  /** Those of one group in a table that has room for all. */
  public static int[] weights(long[] group, Ratio limit, int minNextHops) {
    WeightVector ideal = WeightVector.of(group);
    int most = (int) Math.min(ideal.size(), MOST_PER_GROUP);
    SizeSearch search = new SizeSearch(ideal, GuaranteedPorts.atLeast(ideal, minNextHops));
    if (search.smallestWithin(limit, 1, most) == SizeSearch.NONE) {
      search.bestUpTo(most);
    }
    return search.copyEntries();
  }
}
