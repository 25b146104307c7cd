package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.evenweave.wcmp.reduction.baseline.ScaleAndFloor;
import org.evenweave.wcmp.reduction.baseline.TightHeap;
import org.junit.jupiter.api.Test;

class WeightReductionTest {
  @Property
  void isEntryByEntryWhatAlgorithm1Yields(
      @ForAll("usual") int[] weights, @ForAll("limits") Ratio limit) {
    int[] reduced = WeightReduction.reduce(Groups.longs(weights), limit);
    assertArrayEquals(PaperReduction.reduce(weights, limit), reduced);
    assertArrayEquals(reduced, HeapGreedy.reduce(weights, limit));
    int[] tight = new int[weights.length];
    assertEquals(Groups.sum(reduced), new TightHeap(limit).reduce(weights, tight));
    assertArrayEquals(reduced, tight);
  }

  @Property
  void isTheSmallestOfAllGroupsWithinTheLimit(
      @ForAll("tiny") int[] weights, @ForAll("limits") Ratio limit) {
    long[] ideal = Groups.longs(weights);
    int[] reduced = WeightReduction.reduce(ideal, limit);
    int size = Groups.sum(reduced);
    for (int smaller = weights.length; smaller < size; smaller++) {
      Ratio least = Groups.leastOversubscription(ideal, ideal.length, smaller);
      assertTrue(least.compareTo(limit) > 0, "within the limit at " + smaller);
    }
    assertEquals(
        Groups.leastOversubscription(ideal, ideal.length, size),
        Groups.oversubscription(ideal, reduced));
    assertTrue(Groups.oversubscription(ideal, reduced).compareTo(limit) <= 0);
  }

  @Property
  void whereItMayLeavePortsOutItIsTheSmallestThenTheBestOfAllGroupsWithinTheLimit(
      @ForAll("tiny") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll("limits") Ratio limit) {
    long[] ideal = Groups.longs(weights);
    int[] reduced = WeightReduction.reduce(ideal, limit, minNextHops);
    int size = 1;
    int[] best = null;
    while (best == null || Groups.oversubscription(ideal, best).compareTo(limit) > 0) {
      best = Groups.best(ideal, minNextHops, size);
      size += best == null || Groups.oversubscription(ideal, best).compareTo(limit) > 0 ? 1 : 0;
    }
    assertEquals(size, Groups.sum(reduced));
    assertFalse(Groups.isBetter(ideal, best, reduced));
    assertFalse(Groups.isBetter(ideal, reduced, best));
    if (Groups.ports(reduced) == ideal.length) {
      assertArrayEquals(WeightReduction.reduce(ideal, limit), reduced);
    }
  }

  @Test
  void aSlowLinkIsLeftOutOfTheSmallestGroup() {
    long[] ideal = {1, 400, 400, 400};
    Ratio limit = Ratio.parse("1.05");
    assertEquals(1144, Groups.sum(WeightReduction.reduce(ideal, limit)));
    assertArrayEquals(new int[] {0, 1, 1, 1}, WeightReduction.reduce(ideal, limit, 1));
    assertArrayEquals(new int[] {0, 1, 1, 1}, WeightReduction.reduce(ideal, limit, 2));
  }

  @Property(tries = 40)
  void isAsSmallAsAnIntegerProgramFinds(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 1, max = 6) int minNextHops,
      @ForAll("limits") Ratio limit) {
    int[] few = Arrays.copyOf(weights, Math.min(6, weights.length));
    int[] reduced = WeightReduction.reduce(Groups.longs(few), limit, minNextHops);
    long least =
        new IntegerProgram().group(few, minNextHops, limit, false, Groups.sum(few)).leastEntries();
    assertEquals(least, Groups.sum(reduced));
  }

  @Property(tries = 200)
  void isTheFirstWithinTheLimitThatGreedyMeetsForHugeWeights(
      @ForAll("huge") long[] weights, @ForAll("limits") Ratio above) {
    Ratio limit = above.plus(Ratio.parse("0.05000000000000000000000000000000001"));
    int[] reduced = WeightReduction.reduce(weights, limit);
    int size = weights.length;
    while (Groups.oversubscription(weights, Groups.greedy(weights, weights.length, size))
            .compareTo(limit)
        > 0) {
      size++;
    }
    assertArrayEquals(Groups.greedy(weights, weights.length, size), reduced);
  }

  @Property(tries = 200)
  void acceptsALimitThatIsMetExactly(@ForAll("typical") int[] weights) {
    long[] ideal = Groups.longs(weights);
    int[] once = WeightReduction.reduce(ideal, Ratio.parse("1.1"));
    Ratio met = Oversubscription.of(ideal, once);
    assertArrayEquals(once, WeightReduction.reduce(ideal, met));
    assertArrayEquals(once, PaperReduction.reduce(weights, Ratio.parse("1.1")));
  }

  @Property(tries = 200)
  void dependsOnlyOnTheRatioOfTheWeights(
      @ForAll("typical") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 2) int factor) {
    long[] ideal = Groups.longs(weights);
    long[] scaled = LongStream.of(ideal).map(weight -> weight * factor).toArray();
    int[] reduced = WeightReduction.reduce(ideal, limit);
    assertArrayEquals(reduced, WeightReduction.reduce(scaled, limit));
    for (int i = 0; i < reduced.length; i++) {
      assertTrue(1 <= reduced[i]);
    }
    assertTrue(Groups.sum(reduced) <= WeightVector.of(ideal).size());
  }

  @Property(tries = 200)
  void isNeverLargerThanScalingAndFlooringWithinTheSameLimit(
      @ForAll("typical") int[] weights, @ForAll @IntRange(min = 24, max = 400) int entries) {
    long[] ideal = Groups.longs(weights);
    int[] scaled = ScaleAndFloor.fit(weights, entries);
    int[] reduced = WeightReduction.reduce(ideal, Oversubscription.of(ideal, scaled));
    assertTrue(Groups.sum(reduced) <= Groups.sum(scaled));
  }

  @Test
  void returnsTheWeightsInLowestTermsForALimitOfOne() {
    assertArrayEquals(
        new int[] {2, 3, 7}, WeightReduction.reduce(new long[] {20, 30, 70}, Ratio.ONE));
  }

  @Test
  void givesEveryPortOneEntryWhenAnyOversubscriptionWillDo() {
    long[] weights = {1, Long.MAX_VALUE};
    assertArrayEquals(new int[] {1, 1}, WeightReduction.reduce(weights, Ratio.parse("1e19")));
    assertArrayEquals(
        new int[] {1, 1}, WeightReduction.reduce(new long[] {1, 1_000_000}, Ratio.of(1 << 30, 1)));
  }

  @Test
  void reducesAGroupOfOnePortToOneEntry() {
    assertArrayEquals(new int[] {1}, WeightReduction.reduce(new long[] {1 << 20}, Ratio.ONE));
    assertArrayEquals(
        new int[] {1}, WeightReduction.reduce(new long[] {Long.MAX_VALUE}, Ratio.parse("1.5")));
  }

  @Test
  void findsLargeGroupsForTightLimits() {
    // W = 200001; an oversubscription of at most 1 + 1e-5 takes almost all of them.
    long[] weights = {100_000, 100_001};
    int[] reduced = WeightReduction.reduce(weights, Ratio.parse("1.000001"));
    assertTrue(Oversubscription.of(weights, reduced).compareTo(Ratio.parse("1.000001")) <= 0);
    int size = Groups.sum(reduced);
    for (int smaller = 2; smaller < size; smaller++) {
      int half = smaller / 2;
      Ratio best =
          smaller % 2 == 0
              ? Ratio.of(200_001, 200_000)
              : Groups.oversubscription(weights, new int[] {half, half + 1});
      assertTrue(best.compareTo(Ratio.parse("1.000001")) > 0, "within the limit at " + smaller);
    }
  }

  @Test
  void rejectsLimitsBelowOne() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> WeightReduction.reduce(new long[] {1, 2}, Ratio.parse("0.9")));
    assertEquals("maxOversubscription is 9/10; it must be at least 1", e.getMessage());
  }

  @Test
  void saysSoWhenNoTableCouldHoldTheGroup() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> WeightReduction.reduce(new long[] {1, 1L << 40}, Ratio.parse("1.05")));
    assertEquals(
        "no group of fewer than 2^31 entries has an oversubscription of at most 21/20",
        e.getMessage());
  }

  @Provide
  Arbitrary<int[]> usual() {
    return Arbitraries.oneOf(Groups.typical(), Groups.fewDistinct());
  }

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }

  @Provide
  Arbitrary<int[]> tiny() {
    return Groups.tiny();
  }

  @Provide
  Arbitrary<long[]> huge() {
    return Groups.huge();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Groups.limits();
  }
}
