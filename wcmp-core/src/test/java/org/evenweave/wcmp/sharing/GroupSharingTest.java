package org.evenweave.wcmp.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Destinations that share groups, against all ways to divide them. */
class GroupSharingTest {
  private static final double ROUNDING = 1e-9;

  /** The least number of destinations left alone, then the least oversubscription of the worst. */
  @Property(tries = 300)
  void leavesFewestAloneAndHasTheLeastOversubscriptionOfAllDivisions(
      @ForAll @IntRange(min = 1, max = 7) int destinations,
      @ForAll @IntRange(min = 2, max = 5) int ports,
      @ForAll @IntRange(min = 0, max = 4) int groups,
      @ForAll @IntRange(min = 1, max = 3) int minNextHops,
      @ForAll long seed) {
    List<long[]> weights = random(destinations, ports, new SplittableRandom(seed));
    SharedGroups shared = GroupSharing.of(weights, groups, minNextHops);
    AllDivisions all = new AllDivisions(weights, groups, minNextHops);
    assertEquals(all.leastAlone(), shared.alone());
    assertEquals(all.leastOversubscription(), shared.oversubscription(), ROUNDING);
    assertEquals(all.leastOversubscription(), shared.lowerBound(), ROUNDING);
    assertMeets(weights, minNextHops, groups, shared);
  }

  /** After an event, the fewest destinations move among all divisions as good as that. */
  @Property(tries = 300)
  void movesTheLeastWeightOfAllDivisionsThatAreAsGood(
      @ForAll @IntRange(min = 1, max = 6) int destinations,
      @ForAll @IntRange(min = 2, max = 4) int ports,
      @ForAll @IntRange(min = 1, max = 3) int groups,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<long[]> weights = random(destinations, ports, random);
    int[] present = new int[destinations];
    Arrays.setAll(present, d -> random.nextInt(groups + 1) - 1);
    int[] cost = new int[destinations];
    Arrays.setAll(cost, d -> 1 + random.nextInt(3));
    SharedGroups shared = GroupSharing.of(weights, groups, 2, present, cost);
    AllDivisions all = new AllDivisions(weights, groups, 2);
    assertEquals(all.leastOversubscription(), shared.oversubscription(), ROUNDING);
    assertEquals(all.leastMoved(present, cost), moved(shared, present, cost));
    assertMeets(weights, 2, groups, shared);
  }

  @Test
  void oneChangedDestinationOfMoreThanBranchAndBoundTakesMovesAlone() {
    SplittableRandom random = new SplittableRandom(5);
    List<long[]> weights = new ArrayList<>();
    for (int d = 0; d < 60; d++) {
      // Three kinds, each within a per cent.
      long[] of = {100, 100, 100, 100};
      of[d % 3] = 300L + random.nextInt(3);
      weights.add(of);
    }
    SharedGroups before = GroupSharing.of(weights, 3, 2);
    assertTrue(before.oversubscription() < 1.01);
    int[] present = new int[60];
    Arrays.setAll(present, before::groupOf);
    int[] cost = new int[60];
    Arrays.fill(cost, 1);
    weights.set(0, new long[] {100, 301, 100, 100});
    SharedGroups after = GroupSharing.of(weights, 3, 2, present, cost);
    assertTrue(after.oversubscription() < 1.01);
    assertEquals(1, moved(after, present, cost));
  }

  @Test
  void twoThousandDestinationsShareTwoHundredGroupsNearTheProvedBound() {
    SplittableRandom random = new SplittableRandom(7);
    List<long[]> weights = new ArrayList<>();
    for (int d = 0; d < 2000; d++) {
      long[] of = new long[16];
      Arrays.setAll(of, i -> random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(4));
      of[0] = 1;
      of[1] = 1;
      weights.add(of);
    }
    SharedGroups shared = GroupSharing.of(weights, 200, 2);
    assertEquals(0, shared.alone());
    assertTrue(shared.lowerBound() > 1);
    assertTrue(shared.oversubscription() >= shared.lowerBound() - ROUNDING);
    assertTrue(
        shared.oversubscription() < 2 * shared.lowerBound(),
        shared.oversubscription() + " of " + shared.lowerBound());
    assertMeets(weights, 2, 200, shared);
  }

  private static List<long[]> random(int destinations, int ports, SplittableRandom random) {
    Set<List<Long>> distinct = new HashSet<>();
    List<long[]> weights = new ArrayList<>();
    while (weights.size() < destinations) {
      long[] of = new long[ports];
      for (int i = 0; i < ports; i++) {
        of[i] = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(6);
      }
      List<Long> key = new ArrayList<>();
      Arrays.stream(of).forEach(key::add);
      if (Arrays.stream(of).sum() > 0 && (distinct.add(key) || random.nextInt(8) == 0)) {
        weights.add(of);
      }
    }
    return weights;
  }

  /** The answer is what it says it is. */
  private static void assertMeets(
      List<long[]> weights, int minNextHops, int groups, SharedGroups shared) {
    List<List<Integer>> members = new ArrayList<>();
    for (int g = 0; g < shared.groups(); g++) {
      members.add(new ArrayList<>());
    }
    int alone = 0;
    for (int d = 0; d < weights.size(); d++) {
      if (shared.groupOf(d) == GroupSharing.NONE) {
        alone++;
      } else {
        members.get(shared.groupOf(d)).add(d);
      }
    }
    assertTrue(shared.groups() <= groups);
    assertEquals(alone, shared.alone());
    double worst = 1;
    for (List<Integer> each : members) {
      worst = Math.max(worst, AllDivisions.oversubscription(weights, each, minNextHops));
    }
    assertEquals(worst, shared.oversubscription(), ROUNDING);
  }

  private static long moved(SharedGroups shared, int[] present, int[] cost) {
    int[] groupOf = new int[present.length];
    Arrays.setAll(groupOf, shared::groupOf);
    return AllDivisions.moved(groupOf, present, cost);
  }
}
