package org.evenweave.wcmp.fitting;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Ratio;

/** Random sets of groups that share a table, and what tests ask of all of them. */
final class GroupSets {
  /** No port may be left out. */
  static final int ALL = Integer.MAX_VALUE;

  private GroupSets() {}

  /** Small enough for every way to divide a table to be tried. */
  static Arbitrary<List<int[]>> tiny() {
    return Groups.tiny().list().ofMinSize(1).ofMaxSize(3);
  }

  static Arbitrary<List<int[]>> any() {
    return Arbitraries.oneOf(Groups.tiny(), Groups.typical()).list().ofMinSize(1).ofMaxSize(5);
  }

  /** From 0.1 to 10. */
  static List<Ratio> randomDemands(int size, Random random) {
    return IntStream.range(0, size)
        .mapToObj(g -> Ratio.of(1 + random.nextInt(100), 10))
        .collect(Collectors.toList());
  }

  /**
   * The fitting of these groups.
   *
   * @param minNextHops ports of each group that get entries, or {@link #ALL}
   */
  static GroupSetFitting fitting(List<int[]> groups, int minNextHops) {
    GroupSetFitting fitting =
        GroupSetFitting.of(groups.stream().map(Groups::longs).collect(Collectors.toList()));
    return minNextHops == ALL ? fitting : fitting.withMinNextHops(minNextHops);
  }

  /** The entries of the smallest table that holds all groups. */
  static int leastEntries(List<int[]> groups, int minNextHops) {
    return groups.stream().mapToInt(group -> Math.min(minNextHops, group.length)).sum();
  }
}
