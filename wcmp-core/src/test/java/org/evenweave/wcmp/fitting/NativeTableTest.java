package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  /** The smallest number of ports of all groups within the limit, and then the nearest group. */
  @Property(tries = 500)
  void aReducedGroupHasTheFewestPortsOfAllWithinTheLimit(
      @ForAll("tiny") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int maxWeight,
      @ForAll @IntRange(min = 0, max = 12) int moreTotal,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 100, max = 250) int limitInPercent) {
    long[] ideal = Groups.longs(weights);
    Ratio limit = Ratio.of(limitInPercent, 100);
    int least = Math.min(minNextHops, weights.length);
    int maxTotal = least + moreTotal;
    int[] expected = null;
    for (int ports = least; ports <= weights.length && expected == null; ports++) {
      int[] best = best(ideal, new int[ideal.length], 0, maxWeight, maxTotal, least, ports, null);
      boolean isWithin = Groups.oversubscription(ideal, best).compareTo(limit) <= 0;
      expected = isWithin ? best : null;
    }
    if (expected == null) {
      assertThrows(
          IllegalArgumentException.class,
          () -> NativeReduction.reduce(ideal, limit, maxWeight, maxTotal, minNextHops));
      return;
    }
    int[] reduced = NativeReduction.reduce(ideal, limit, maxWeight, maxTotal, minNextHops);
    assertEquals(Groups.ports(expected), Groups.ports(reduced));
    assertEquals(Groups.oversubscription(ideal, expected), Groups.oversubscription(ideal, reduced));
    assertTrue(Groups.sum(reduced) <= maxTotal);
    assertTrue(Arrays.stream(reduced).allMatch(weight -> weight <= maxWeight));
  }

  /** As above, with a demand for each group, and every entry left used where it adds a port. */
  @Property(tries = 300)
  void theWorstLevelIsTheLeastOfAllWaysToDivideTheMembers(
      @ForAll("tinySets") List<int[]> groups,
      @ForAll @IntRange(min = 1, max = 3) int minNextHops,
      @ForAll @IntRange(min = 1, max = 4) int maxWeight,
      @ForAll @IntRange(min = 0, max = 5) int more,
      @ForAll Random random) {
    List<Ratio> demands = GroupSets.randomDemands(groups.size(), random);
    int entries = GroupSets.leastEntries(groups, minNextHops) + more;
    FittedGroups fitted =
        GroupSets.fitting(groups, minNextHops)
            .withDemands(demands)
            .intoNumbers(entries, maxWeight, 0xffff);
    assertTrue(fitted.entries() <= entries);
    assertEquals(
        leastLevel(groups, demands, 0, entries, maxWeight, minNextHops), fitted.weightedExcess());
    for (int g = 0; g < groups.size() && fitted.entries() < entries; g++) {
      int ports = Groups.ports(fitted.weights(g));
      int[] next = group(groups.get(g), maxWeight, minNextHops).weights(ports + 1);
      assertEquals(ports, Groups.ports(next), "one more port costs nothing");
    }
  }

  private static Ratio leastLevel(
      List<int[]> groups, List<Ratio> demands, int g, int entries, int maxWeight, int minNextHops) {
    if (g == groups.size()) {
      return Ratio.ZERO;
    }
    Ratio least = null;
    int ports = groups.get(g).length;
    int rest = GroupSets.leastEntries(groups.subList(g + 1, groups.size()), minNextHops);
    NativeGroup group = group(groups.get(g), maxWeight, minNextHops);
    for (int members = Math.min(minNextHops, ports);
        members <= Math.min(ports, entries - rest);
        members++) {
      group.weights(members);
      Ratio own = group.oversubscription().minus(Ratio.ONE).times(demands.get(g));
      Ratio others = leastLevel(groups, demands, g + 1, entries - members, maxWeight, minNextHops);
      Ratio worst = own.compareTo(others) > 0 ? own : others;
      least = least == null || worst.compareTo(least) < 0 ? worst : least;
    }
    return least;
  }

  private static NativeGroup group(int[] weights, int maxWeight, int minNextHops) {
    WeightVector ideal = WeightVector.of(Groups.longs(weights));
    return new NativeGroup(ideal, GuaranteedPorts.atLeast(ideal, minNextHops), maxWeight, 0xffff);
  }

  @Test
  void groupsThatShareEntriesTakeThemOnce() {
    List<int[]> groups = List.of(new int[] {1, 2, 3}, new int[] {2, 4, 6}, new int[] {1, 1});
    FittedGroups fitted = GroupSets.fitting(groups, ALL).withSharing().intoNumbers(5, 7, 7);
    assertEquals(5, fitted.entries());
    assertArrayEquals(new int[] {1, 2, 3}, fitted.weights(1));
    assertEquals(Ratio.ONE, fitted.oversubscription());
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

  /**
   * A second unit of the large port would lower no quotient, and takes the other port's only one.
   */
  @Test
  void whereTheTotalLimitsAsManyPortsAsPossibleHaveAWeight() {
    List<int[]> group = List.of(new int[] {1, 1, 3});
    assertArrayEquals(
        new int[] {1, 1, 1}, NativeTable.weights(requests(group), 3, 3, 2, 3, 2).get(0));
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
