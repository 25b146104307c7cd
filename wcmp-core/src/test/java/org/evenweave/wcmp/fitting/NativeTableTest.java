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
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.evenweave.wcmp.reduction.WeightVector;
import org.junit.jupiter.api.Test;

/** Weights as numbers, against all weights that are allowed. */
class NativeTableTest {
  private static final int ALL = GroupSets.ALL;

  @Provide
  Arbitrary<int[]> tiny() {
    return Groups.tiny();
  }

  @Provide
  Arbitrary<List<int[]>> tinySets() {
    return GroupSets.tiny();
  }

  @Property(tries = 500)
  void aGroupHasTheLeastOversubscriptionOfAllThatAreAllowedAndThenTheMostPorts(
      @ForAll("tiny") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int maxWeight,
      @ForAll @IntRange(min = 0, max = 12) int moreTotal,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 3) int moreMembers) {
    long[] ideal = Groups.longs(weights);
    int least = Math.min(minNextHops, weights.length);
    int members = Math.min(weights.length, least + moreMembers);
    int maxTotal = least + moreTotal;
    WeightVector vector = WeightVector.of(ideal);
    NativeGroup group =
        new NativeGroup(vector, GuaranteedPorts.atLeast(vector, least), maxWeight, maxTotal);
    int[] best = best(ideal, new int[ideal.length], 0, maxWeight, maxTotal, least, members, null);
    int[] found = group.weights(members);
    assertEquals(Groups.oversubscription(ideal, best), Groups.oversubscription(ideal, found));
    assertEquals(Groups.oversubscription(ideal, best), group.oversubscription());
    assertEquals(Groups.ports(best), Groups.ports(found));
    assertTrue(Groups.sum(found) <= maxTotal && Groups.ports(found) >= least);
    assertTrue(Arrays.stream(found).allMatch(weight -> weight <= maxWeight));
  }

  private static int[] best(
      long[] ideal,
      int[] tried,
      int port,
      int maxWeight,
      int left,
      int least,
      int members,
      int[] bestSoFar) {
    if (port == tried.length) {
      int ports = Groups.ports(tried);
      return ports >= least && ports <= members && isBetter(ideal, tried, bestSoFar)
          ? tried.clone()
          : bestSoFar;
    }
    int[] best = bestSoFar;
    for (int weight = 0; weight <= Math.min(maxWeight, left); weight++) {
      tried[port] = weight;
      best = best(ideal, tried, port + 1, maxWeight, left - weight, least, members, best);
    }
    return best;
  }

  private static boolean isBetter(long[] ideal, int[] tried, int[] best) {
    if (best == null) {
      return true;
    }
    Ratio now = Groups.oversubscription(ideal, tried);
    int order = now.compareTo(Groups.oversubscription(ideal, best));
    return order < 0 || (order == 0 && Groups.ports(tried) > Groups.ports(best));
  }

  /** Every number of members of every group in all combinations. */
  @Property(tries = 200)
  void theWorstOversubscriptionIsTheLeastOfAllWaysToDivideTheMembers(
      @ForAll("tinySets") List<int[]> groups,
      @ForAll @IntRange(min = 1, max = 3) int minNextHops,
      @ForAll @IntRange(min = 1, max = 4) int maxWeight,
      @ForAll @IntRange(min = 0, max = 5) int more) {
    int entries = GroupSets.leastEntries(groups, minNextHops) + more;
    List<int[]> weights =
        NativeTable.weights(requests(groups), entries, ALL, maxWeight, ALL, minNextHops);
    Ratio worst = Ratio.ZERO;
    int members = 0;
    for (int g = 0; g < groups.size(); g++) {
      Ratio now = Groups.oversubscription(Groups.longs(groups.get(g)), weights.get(g));
      worst = now.compareTo(worst) > 0 ? now : worst;
      members += Groups.ports(weights.get(g));
    }
    assertTrue(members <= entries);
    assertEquals(leastWorst(groups, 0, entries, maxWeight, minNextHops), worst);
  }

  private static Ratio leastWorst(
      List<int[]> groups, int g, int entries, int maxWeight, int minNextHops) {
    if (g == groups.size()) {
      return Ratio.ZERO;
    }
    Ratio least = null;
    int[] weights = groups.get(g);
    int rest = GroupSets.leastEntries(groups.subList(g + 1, groups.size()), minNextHops);
    WeightVector ideal = WeightVector.of(Groups.longs(weights));
    NativeGroup group =
        new NativeGroup(ideal, GuaranteedPorts.atLeast(ideal, minNextHops), maxWeight, 0xffff);
    for (int members = Math.min(minNextHops, weights.length);
        members <= Math.min(weights.length, entries - rest);
        members++) {
      group.weights(members);
      Ratio own = group.oversubscription();
      Ratio others = leastWorst(groups, g + 1, entries - members, maxWeight, minNextHops);
      Ratio worst = own.compareTo(others) > 0 ? own : others;
      least = least == null || worst.compareTo(least) < 0 ? worst : least;
    }
    return least;
  }

  private static List<ReplicatedTable.Request> requests(List<int[]> groups) {
    return groups.stream()
        .map(group -> new ReplicatedTable.Request(Groups.longs(group), Ratio.ONE))
        .collect(Collectors.toList());
  }

  @Test
  void weightsThatAreAllowedAreExact() {
    List<int[]> groups = List.of(new int[] {800, 2, 2}, new int[] {1000, 1001, 997});
    List<int[]> weights = NativeTable.weights(requests(groups), 6, 3, 0xffff, 0xffff, ALL);
    assertArrayEquals(new int[] {400, 1, 1}, weights.get(0));
    assertArrayEquals(new int[] {1000, 1001, 997}, weights.get(1));
  }

  @Test
  void manyPortsOfHugeWeightsAreNearTheIdealInSevenBits() {
    int[] wide = IntStream.range(0, 64).map(i -> 1_000_000 + 1_001 * i).toArray();
    List<int[]> weights = NativeTable.weights(requests(List.of(wide)), 64, 64, 127, 0xffff, ALL);
    Ratio reached = Groups.oversubscription(Groups.longs(wide), weights.get(0));
    assertTrue(reached.toDouble() < 1.005, reached::toString);
  }

  @Test
  void tooFewMembersAreRefusedWithTheLeastThatWouldDo() {
    List<int[]> groups = List.of(new int[] {1, 2, 3}, new int[] {1, 1});
    assertEquals(
        5,
        assertThrows(
                TableTooSmallException.class,
                () -> NativeTable.weights(requests(groups), 4, 8, 7, 7, ALL))
            .leastEntries());
    assertThrows(
        IllegalArgumentException.class,
        () -> NativeTable.weights(requests(groups), 8, 8, 7, 2, ALL));
  }
}
