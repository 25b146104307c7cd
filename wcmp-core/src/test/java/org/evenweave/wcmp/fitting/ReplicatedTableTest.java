package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightReduction;
import org.junit.jupiter.api.Test;

class ReplicatedTableTest {
  private static final int ALL = GroupSets.ALL;

  @Provide
  Arbitrary<List<long[]>> sets() {
    return Groups.typical().map(Groups::longs).list().ofMinSize(1).ofMaxSize(6);
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Groups.limits();
  }

  @Property(tries = 300)
  void eachGroupIsReducedAndWhereTheTableIsTooSmallAllAreFittedTogether(
      @ForAll("sets") List<long[]> groups,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 1, max = 30) int minNextHops,
      @ForAll @IntRange(min = 0, max = 400) int more) {
    int entries = groups.stream().mapToInt(g -> Math.min(minNextHops, g.length)).sum() + more;
    List<int[]> weights = weights(groups, entries, limit, minNextHops);
    List<int[]> reduced =
        groups.stream()
            .map(group -> WeightReduction.reduce(group, limit, minNextHops))
            .collect(Collectors.toList());
    boolean allFit = sum(reduced) <= entries;
    FittedGroups fitted = GroupSetFitting.of(groups).withMinNextHops(minNextHops).into(entries);
    assertTrue(sum(weights) <= entries);
    for (int g = 0; g < groups.size(); g++) {
      if (allFit) {
        assertEquals(Arrays.stream(reduced.get(g)).sum(), Arrays.stream(weights.get(g)).sum());
        assertEquals(
            Groups.oversubscription(groups.get(g), reduced.get(g)),
            Groups.oversubscription(groups.get(g), weights.get(g)));
      } else {
        assertArrayEquals(fitted.weights(g), weights.get(g));
      }
    }
  }

  private static int sum(List<int[]> weights) {
    return weights.stream().flatMapToInt(Arrays::stream).sum();
  }

  @Test
  void noWeightExceedsThe16BitsOfOpenFlow() {
    long[] wide = {Long.MAX_VALUE / 2, 1_000_003, 77};
    long[] other = {3, 1};
    int[] alone = weights(List.of(wide), Integer.MAX_VALUE, Ratio.ONE, ALL).get(0);
    assertTrue(Arrays.stream(alone).sum() <= ReplicatedTable.MOST_PER_GROUP);
    List<int[]> together = weights(List.of(wide, other), 1 << 20, Ratio.ONE, ALL);
    assertArrayEquals(alone, together.get(0));
    assertArrayEquals(new int[] {3, 1}, together.get(1));
    // A table that is too small for both.
    long[] second = {Long.MAX_VALUE / 3, 1_000_033, 79};
    List<int[]> fitted = weights(List.of(wide, second), 100_000, Ratio.ONE, ALL);
    assertTrue(sum(fitted) <= 100_000);
    fitted.forEach(
        weights -> assertTrue(Arrays.stream(weights).sum() <= ReplicatedTable.MOST_PER_GROUP));
  }

  @Test
  void aTableWithFewerEntriesThanPortsIsRefusedWithTheLeastThatWouldDo() {
    List<long[]> groups = List.of(new long[] {1, 2, 3}, new long[] {1, 1});
    assertEquals(
        5,
        assertThrows(TableTooSmallException.class, () -> weights(groups, 4, Ratio.ONE, ALL))
            .leastEntries());
    assertEquals(
        List.of(3, 2),
        weights(groups, 5, Ratio.ONE, ALL).stream()
            .map(weights -> IntStream.of(weights).sum())
            .collect(Collectors.toList()));
  }

  @Test
  void noGroupHasMoreEntriesThanOneMayHave() {
    long[] wide = {3, 5, 7, 11};
    ReplicatedTable.Request request = new ReplicatedTable.Request(wide, Ratio.ONE);
    List<int[]> weights = ReplicatedTable.weights(List.of(request), 1000, 12, Ratio.ONE, ALL);
    assertArrayEquals(TableFitting.fit(wide, 12), weights.get(0));
    assertEquals(
        "4 ports of a group need an entry each, and it may have 3",
        assertThrows(
                IllegalArgumentException.class,
                () -> ReplicatedTable.weights(List.of(request), 1000, 3, Ratio.ONE, ALL))
            .getMessage());
  }

  private static List<int[]> weights(
      List<long[]> groups, int entries, Ratio limit, int minNextHops) {
    List<ReplicatedTable.Request> requests =
        groups.stream()
            .map(group -> new ReplicatedTable.Request(group, Ratio.ONE))
            .collect(Collectors.toList());
    return ReplicatedTable.weights(requests, entries, Integer.MAX_VALUE, limit, minNextHops);
  }
}
