package org.evenweave.wcmp.fitting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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

  /** The requirements of one group. Immutable. */
  public static final class Request {
    private final long[] ideal;
    private final Ratio factor;

    /**
     * @param ideal positive weights, at most {@value #MOST_PER_GROUP} of them
     * @param factor by which its oversubscription counts, at least 1
     */
    public Request(long[] ideal, Ratio factor) {
      this.ideal = ideal;
      this.factor = factor;
    }

    long[] ideal() {
      return ideal;
    }

    Ratio factor() {
      return factor;
    }

    int leastEntries(int minNextHops) {
      return Math.min(ideal.length, minNextHops);
    }
  }

  /**
   * @param groups groups that share entries once
   * @param entries of the table
   * @param groupEntries the most of one group
   * @param limit on the oversubscription of each, at least 1
   * @param minNextHops ports of each group that get at least one entry; all of smaller groups, and
   *     all of any with {@link Integer#MAX_VALUE}
   * @return aligned: the entries of each member port, 0 for those left out
   * @throws TableTooSmallException if there are fewer entries than such ports of all groups
   * @throws IllegalArgumentException if a group has more such ports than {@code groupEntries}
   */
  public static List<int[]> weights(
      List<Request> groups, int entries, int groupEntries, Ratio limit, int minNextHops) {
    long ports = groups.stream().mapToLong(group -> group.leastEntries(minNextHops)).sum();
    if (ports > entries) {
      throw new TableTooSmallException(entries, ports);
    }
    int most = Math.min(groupEntries, MOST_PER_GROUP);
    List<int[]> weights = new ArrayList<>();
    groups.forEach(group -> weights.add(weights(group, most, limit, minNextHops)));
    long sum = weights.stream().flatMapToInt(Arrays::stream).asLongStream().sum();
    if (sum <= entries) {
      return weights;
    }
    FittedGroups fitted =
        GroupSetFitting.of(groups.stream().map(group -> group.ideal).collect(Collectors.toList()))
            .withFactors(groups.stream().map(group -> group.factor).collect(Collectors.toList()))
            .withMinNextHops(minNextHops)
            .withAtMost(most)
            .into(entries);
    for (int g = 0; g < groups.size(); g++) {
      weights.set(g, fitted.weights(g));
    }
    return weights;
  }

  /** Those of one group in a table that has room for all; the nearest if none is in the limit. */
  private static int[] weights(Request group, int mostEntries, Ratio limit, int minNextHops) {
    if (group.leastEntries(minNextHops) > mostEntries) {
      throw new IllegalArgumentException(
          group.leastEntries(minNextHops)
              + " ports of a group need an entry each, and it may have "
              + mostEntries);
    }
    WeightVector ideal = WeightVector.of(group.ideal);
    int most = (int) Math.min(ideal.size(), mostEntries);
    SizeSearch search = new SizeSearch(ideal, GuaranteedPorts.atLeast(ideal, minNextHops));
    Ratio ofEntries = limit.dividedBy(group.factor);
    if (ofEntries.compareTo(Ratio.ONE) < 0
        || search.smallestWithin(ofEntries, 1, most) == SizeSearch.NONE) {
      search.bestUpTo(most);
    }
    return search.copyEntries();
  }
}
