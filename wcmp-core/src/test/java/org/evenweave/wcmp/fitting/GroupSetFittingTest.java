package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fitting.baseline.PaperFitting;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.IntegerProgram;
import org.evenweave.wcmp.reduction.Oversubscription;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.TableTooSmallException;
import org.junit.jupiter.api.Test;

class GroupSetFittingTest {
  /** Every size of every group in all combinations: the least level that fits. */
  @Property(tries = 500)
  void hasTheLeastCommonLevelOfAllWaysToDivideTheTable(
      @ForAll("tinySets") List<int[]> groups,
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 12) int more) {
    List<Ratio> demands = randomDemands(groups.size(), random);
    int entries = GroupSets.leastEntries(groups, minNextHops) + more;
    FittedGroups fitted = GroupSets.fitting(groups, minNextHops).withDemands(demands).into(entries);
    Ratio least = leastLevel(groups, demands, minNextHops, 0, entries);
    assertEquals(least, fitted.weightedExcess());
    assertTrue(fitted.entries() <= entries);
  }

  /** Groups that serve several destinations: their factors times their oversubscription. */
  @Property(tries = 200)
  void hasTheLeastOversubscriptionTimesFactorOfAllWaysToDivideTheTable(
      @ForAll("tinySets") List<int[]> groups,
      @ForAll Random random,
      @ForAll @IntRange(min = 0, max = 12) int more) {
    List<Ratio> factors = new ArrayList<>();
    groups.forEach(group -> factors.add(Ratio.of(8 + random.nextInt(8), 8)));
    int entries = GroupSets.leastEntries(groups, GroupSets.ALL) + more;
    FittedGroups fitted =
        GroupSets.fitting(groups, GroupSets.ALL).withFactors(factors).into(entries);
    Ratio worst = Ratio.ZERO;
    for (int g = 0; g < groups.size(); g++) {
      Ratio counted = fitted.oversubscription(g).times(factors.get(g));
      worst = worst.compareTo(counted) < 0 ? counted : worst;
    }
    assertEquals(leastCounted(groups, factors, 0, entries), worst);
    assertTrue(fitted.entries() <= entries);
  }

  private static Ratio leastCounted(
      List<int[]> groups, List<Ratio> factors, int group, int entries) {
    if (group == groups.size()) {
      return Ratio.ZERO;
    }
    long[] ideal = Groups.longs(groups.get(group));
    int rest = GroupSets.leastEntries(groups.subList(group + 1, groups.size()), GroupSets.ALL);
    Ratio least = null;
    for (int size = ideal.length; size <= Math.min(entries - rest, sum(ideal)); size++) {
      Ratio counted =
          Oversubscription.of(ideal, Groups.greedy(ideal, GroupSets.ALL, size))
              .times(factors.get(group));
      Ratio others = leastCounted(groups, factors, group + 1, entries - size);
      Ratio worst = counted.compareTo(others) > 0 ? counted : others;
      least = least == null || worst.compareTo(least) < 0 ? worst : least;
    }
    return least;
  }

  private static Ratio leastLevel(
      List<int[]> groups, List<Ratio> demands, int minNextHops, int group, int entries) {
    if (group == groups.size()) {
      return Ratio.ZERO;
    }
    long[] ideal = Groups.longs(groups.get(group));
    int smallest = Math.min(minNextHops, ideal.length);
    int rest = GroupSets.leastEntries(groups.subList(group + 1, groups.size()), minNextHops);
    Ratio least = null;
    for (int size = smallest; size <= Math.min(entries - rest, sum(ideal)); size++) {
      Ratio level = level(ideal, Groups.greedy(ideal, minNextHops, size), demands.get(group));
      Ratio others = leastLevel(groups, demands, minNextHops, group + 1, entries - size);
      Ratio worst = level.compareTo(others) > 0 ? level : others;
      least = least == null || worst.compareTo(least) < 0 ? worst : least;
    }
    return least;
  }

  /** The climb from the smallest sizes, without bisection, over scans of all sizes. */
  @Property(tries = 200)
  void spendsTheTableOnTheWorstGroupThatCanStillBeImproved(
      @ForAll("sets") List<int[]> groups,
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 80) int more) {
    List<Ratio> demands = randomDemands(groups.size(), random);
    int entries = GroupSets.leastEntries(groups, minNextHops) + more;
    int[] sizes = climb(groups, demands, minNextHops, entries);
    FittedGroups fitted = GroupSets.fitting(groups, minNextHops).withDemands(demands).into(entries);
    for (int g = 0; g < sizes.length; g++) {
      long[] ideal = Groups.longs(groups.get(g));
      int[] expected = Groups.greedy(ideal, minNextHops, sizes[g]);
      if (minNextHops >= ideal.length) {
        assertArrayEquals(expected, fitted.weights(g));
      } else { // Entries that are left bring ports back at the same oversubscription.
        assertFalse(Groups.isBetter(ideal, expected, fitted.weights(g)));
      }
      assertEquals(Groups.oversubscription(ideal, expected), fitted.oversubscription(g));
    }
    assertTrue(fitted.entries() >= IntStream.of(sizes).sum() && fitted.entries() <= entries);
    assertEquals(
        IntStream.range(0, sizes.length)
            .mapToObj(fitted::oversubscription)
            .max(Ratio::compareTo)
            .get(),
        fitted.oversubscription());
  }

  private static int[] climb(
      List<int[]> groups, List<Ratio> demands, int minNextHops, int entries) {
    int[] sizes = groups.stream().mapToInt(group -> Math.min(minNextHops, group.length)).toArray();
    while (true) {
      int left = entries - IntStream.of(sizes).sum();
      int worst = -1;
      int next = 0;
      Ratio highest = Ratio.ZERO;
      for (int g = 0; g < sizes.length; g++) {
        long[] ideal = Groups.longs(groups.get(g));
        Ratio level = level(ideal, Groups.greedy(ideal, minNextHops, sizes[g]), demands.get(g));
        int better = sizes[g] + 1;
        while (better <= sizes[g] + left
            && level(ideal, Groups.greedy(ideal, minNextHops, better), demands.get(g))
                    .compareTo(level)
                >= 0) {
          better++;
        }
        int order = worst < 0 ? 1 : level.compareTo(highest);
        boolean first = order > 0 || (order == 0 && better - sizes[g] < next - sizes[worst]);
        if (better <= sizes[g] + left && first) {
          worst = g;
          next = better;
          highest = level;
        }
      }
      if (worst < 0) {
        return sizes;
      }
      sizes[worst] = next;
    }
  }

  @Property(tries = 25)
  void leavesAnIntegerProgramNoLowerLevel(
      @ForAll("tinySets") List<int[]> groups,
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 12) int more) {
    List<Ratio> demands = randomDemands(groups.size(), random);
    int entries = GroupSets.leastEntries(groups, minNextHops) + more;
    Ratio reached =
        GroupSets.fitting(groups, minNextHops).withDemands(demands).into(entries).weightedExcess();
    assertTrue(program(groups, demands, minNextHops, reached, false, entries).fits(entries));
    assertFalse(program(groups, demands, minNextHops, reached, true, entries).fits(entries));
  }

  private static IntegerProgram program(
      List<int[]> groups,
      List<Ratio> demands,
      int minNextHops,
      Ratio level,
      boolean strictly,
      int entries) {
    IntegerProgram program = new IntegerProgram();
    for (int g = 0; g < groups.size(); g++) {
      Ratio limit = level.dividedBy(demands.get(g)).plus(Ratio.ONE);
      program.group(groups.get(g), minNextHops, limit, strictly, entries);
    }
    return program;
  }

  @Property(tries = 100)
  void isNeverWorseThanAlgorithm4(
      @ForAll("sets") List<int[]> groups, @ForAll @IntRange(min = 0, max = 200) int more) {
    int entries = GroupSets.leastEntries(groups, GroupSets.ALL) + more;
    FittedGroups fitted = GroupSets.fitting(groups, GroupSets.ALL).into(entries);
    List<int[]> printed = PaperFitting.fit(groups, entries);
    Ratio worst =
        IntStream.range(0, groups.size())
            .mapToObj(g -> Oversubscription.of(Groups.longs(groups.get(g)), printed.get(g)))
            .max(Ratio::compareTo)
            .get();
    assertTrue(fitted.oversubscription().compareTo(worst) <= 0);
  }

  @Property(tries = 200)
  void fitsOneGroupAsTableFittingDoes(
      @ForAll("typical") int[] weights, @ForAll @IntRange(min = 0, max = 300) int more) {
    int entries = weights.length + more;
    FittedGroups fitted = GroupSets.fitting(List.of(weights), GroupSets.ALL).into(entries);
    assertArrayEquals(TableFitting.fit(Groups.longs(weights), entries), fitted.weights(0));
  }

  @Property(tries = 100)
  void countsEqualGroupsOnceWhenSharing(
      @ForAll("sets") List<int[]> groups, @ForAll @IntRange(min = 0, max = 80) int more) {
    int entries = GroupSets.leastEntries(groups, GroupSets.ALL) + more;
    List<int[]> twice = new ArrayList<>(groups);
    for (int[] group : groups) {
      twice.add(IntStream.of(group).map(weight -> 3 * weight).toArray());
    }
    List<long[]> distinct =
        groups.stream()
            .map(group -> Arrays.stream(group).boxed().collect(Collectors.toList()))
            .distinct()
            .map(group -> group.stream().mapToLong(Integer::longValue).toArray())
            .collect(Collectors.toList());
    FittedGroups once = GroupSetFitting.of(distinct).withSharing().into(entries);
    FittedGroups shared = GroupSets.fitting(twice, GroupSets.ALL).withSharing().into(entries);
    assertEquals(once.entries(), shared.entries());
    assertEquals(once.oversubscription(), shared.oversubscription());
    for (int g = 0; g < groups.size(); g++) {
      assertArrayEquals(shared.weights(g), shared.weights(g + groups.size()));
    }
  }

  @Test
  void sharesAtTheLargestDemand() {
    List<long[]> groups =
        List.of(new long[] {2, 2, 3, 5}, new long[] {3, 4}, new long[] {4, 4, 6, 10});
    List<Ratio> demands = List.of(Ratio.ONE, Ratio.of(50, 1), Ratio.of(1000, 1));
    FittedGroups fitted = GroupSetFitting.of(groups).withDemands(demands).withSharing().into(14);
    assertArrayEquals(new int[] {2, 2, 3, 5}, fitted.weights(0));
    assertArrayEquals(new int[] {1, 1}, fitted.weights(1));
    assertArrayEquals(new int[] {2, 2, 3, 5}, fitted.weights(2));
    assertEquals(14, fitted.entries());
  }

  @Test
  void weighsTheExcessByDemand() {
    List<long[]> groups = List.of(new long[] {3, 4}, new long[] {3, 4});
    FittedGroups fitted =
        GroupSetFitting.of(groups).withDemands(List.of(Ratio.ONE, Ratio.parse("2.5"))).into(9);
    assertArrayEquals(new int[] {1, 1}, fitted.weights(0));
    assertArrayEquals(new int[] {3, 4}, fitted.weights(1));
    assertEquals(Ratio.of(7, 6), fitted.oversubscription());
    assertEquals(Ratio.of(1, 6), fitted.weightedExcess());
  }

  @Test
  void leavesTinyPortsOutOnlyWhereItMayAndReportsTheLoss() {
    List<long[]> groups = List.of(new long[] {1000, 1000, 1});
    FittedGroups kept = GroupSetFitting.of(groups).into(10);
    assertArrayEquals(new int[] {5, 4, 1}, kept.weights(0));
    assertEquals(Ratio.ZERO, kept.capacityLost(0));
    FittedGroups dropped = GroupSetFitting.of(groups).withMinNextHops(1).into(10);
    assertArrayEquals(new int[] {1, 1, 0}, dropped.weights(0));
    assertEquals(Ratio.of(1, 2001), dropped.capacityLost(0));
    assertEquals(Ratio.of(2001, 2000), dropped.oversubscription(0));
  }

  @Test
  void leavesGroupsExactWhenTheTableHoldsThem() {
    FittedGroups fitted =
        GroupSetFitting.of(List.of(new long[] {2, 4}, new long[] {5}, new long[] {30, 20}))
            .into(Integer.MAX_VALUE);
    assertArrayEquals(new int[] {1, 2}, fitted.weights(0));
    assertArrayEquals(new int[] {1}, fitted.weights(1));
    assertArrayEquals(new int[] {3, 2}, fitted.weights(2));
    assertEquals(9, fitted.entries());
    assertEquals(Ratio.ONE, fitted.oversubscription());
    assertEquals(Ratio.ZERO, fitted.weightedExcess());
    assertEquals(3, fitted.size());
  }

  @Test
  void copesWithWeightsAndDemandsOfAnyMagnitude() {
    GroupSetFitting fitting =
        GroupSetFitting.of(List.of(new long[] {1, Long.MAX_VALUE}, new long[] {3, 4}));
    for (String demand : List.of("1", "1e400")) {
      FittedGroups fitted = fitting.withDemands(List.of(Ratio.parse(demand), Ratio.ONE)).into(20);
      assertArrayEquals(new int[] {1, 17}, fitted.weights(0));
      assertArrayEquals(new int[] {1, 1}, fitted.weights(1));
    }
    FittedGroups fitted = fitting.withDemands(List.of(Ratio.parse("1e-400"), Ratio.ONE)).into(20);
    assertArrayEquals(new int[] {1, 12}, fitted.weights(0));
    assertArrayEquals(new int[] {3, 4}, fitted.weights(1));
  }

  @Test
  void namesTheLeastTableThatWouldDo() {
    List<long[]> groups = List.of(new long[] {1, 2, 3}, new long[] {4, 5}, new long[] {2, 4, 6});
    assertTooSmall(8, GroupSetFitting.of(groups));
    assertTooSmall(5, GroupSetFitting.of(groups).withSharing());
    assertTooSmall(3, GroupSetFitting.of(groups).withMinNextHops(1));
    assertTooSmall(2, GroupSetFitting.of(groups).withMinNextHops(1).withSharing());
  }

  private static void assertTooSmall(int least, GroupSetFitting fitting) {
    TableTooSmallException e =
        assertThrows(TableTooSmallException.class, () -> fitting.into(least - 1));
    assertEquals(
        "entries is " + (least - 1) + "; the least sufficient value is " + least, e.getMessage());
    assertEquals(least, e.leastEntries());
    assertEquals(least, fitting.into(least).entries());
  }

  @Test
  void namesTheFieldThatIsWrong() {
    List<long[]> groups = List.of(new long[] {1, 2}, new long[] {4, 0});
    assertMessage(
        "groups[1]: weights[1] is 0; a weight must be a positive integer",
        () -> GroupSetFitting.of(groups));
    assertMessage(
        "groups is empty; there is nothing to fit",
        () -> GroupSetFitting.of(Collections.emptyList()));
    GroupSetFitting fitting = GroupSetFitting.of(groups.subList(0, 1));
    assertMessage(
        "demands[0] is 0; a demand must be positive",
        () -> fitting.withDemands(List.of(Ratio.ZERO)));
    assertMessage(
        "demands has 2 elements for 1 groups",
        () -> fitting.withDemands(List.of(Ratio.ONE, Ratio.ONE)));
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }

  private static Ratio level(long[] ideal, int[] reduced, Ratio demand) {
    return Groups.oversubscription(ideal, reduced).minus(Ratio.ONE).times(demand);
  }

  /** All equal, or from 0.1 to 10. */
  private static List<Ratio> randomDemands(int size, Random random) {
    return random.nextBoolean()
        ? Collections.nCopies(size, Ratio.ONE)
        : GroupSets.randomDemands(size, random);
  }

  private static int sum(long[] weights) {
    return (int) Arrays.stream(weights).sum();
  }

  @Provide
  Arbitrary<List<int[]>> tinySets() {
    return GroupSets.tiny();
  }

  @Provide
  Arbitrary<List<int[]>> sets() {
    return GroupSets.any();
  }

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }
}
