package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.junit.jupiter.api.Test;

class GroupReducerTest {
  /** One for all groups of a property: what one leaves behind must not matter to the next. */
  private static final GroupReducer REDUCER = new GroupReducer();

  /** The same that looks at each group as if it were new. */
  private static final GroupReducer FORGETFUL = new GroupReducer(false);

  @Property(tries = 3000)
  void isEntryByEntryWhatAlgorithm1Yields(
      @ForAll("groups") int[] weights, @ForAll("limits") Ratio limit) {
    assertArrayEquals(PaperReduction.reduce(weights, limit), reduce(Groups.longs(weights), limit));
  }

  @Property(tries = 500)
  void isEntryByEntryWhatAlgorithm1YieldsForTightLimits(
      @ForAll("groups") int[] weights, @ForAll @LongRange(min = 2, max = 5000) long headroom) {
    Ratio limit = Ratio.of(headroom + 1, headroom);
    assertArrayEquals(PaperReduction.reduce(weights, limit), reduce(Groups.longs(weights), limit));
  }

  @Property(tries = 500)
  void acceptsALimitThatIsMetExactly(@ForAll("groups") int[] weights) {
    long[] ideal = Groups.longs(weights);
    int[] once = reduce(ideal, Ratio.parse("1.07"));
    Ratio met = Oversubscription.of(ideal, once);
    assertArrayEquals(once, reduce(ideal, met));
    Ratio below = met.minus(Ratio.of(1, 1L << 19));
    if (below.compareTo(Ratio.ONE) >= 0) {
      assertArrayEquals(
          new SizeSearchModel(ideal).smallest(below), reduce(ideal, below), "below " + met);
    }
  }

  /** By the search over sizes, entry by entry. */
  @Property(tries = 3000)
  void leavesTheSamePortsOutAsTheSearchForGroupsOfAnySize(
      @ForAll("groups") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 1, max = 6) int minNextHops) {
    long[] ideal = Groups.longs(weights);
    WeightVector vector = WeightVector.of(ideal);
    SizeSearch search = new SizeSearch(vector, GuaranteedPorts.atLeast(vector, minNextHops));
    int size = search.smallestWithin(limit, 1, Integer.MAX_VALUE);
    int[] entries = new int[weights.length];
    assertEquals(size, REDUCER.reduce(ideal, ideal.length, limit, minNextHops, entries));
    if (minNextHops < weights.length) {
      assertArrayEquals(search.copyEntries(), entries);
    }
  }

  /** Some ports are a hundredth as fast as the others. */
  @Property(tries = 1000)
  void leavesTheSameSlowPortsOutAsTheSearchForGroupsOfAnySize(
      @ForAll @IntRange(min = 2, max = 40) int ports,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 1, max = 4) int minNextHops,
      @ForAll Random random) {
    int[] weights = random.ints(ports, 1, 4).toArray();
    for (int i = 0; i < ports; i++) {
      weights[i] *= random.nextInt(3) == 0 ? 1 : 100;
    }
    leavesTheSamePortsOutAsTheSearchForGroupsOfAnySize(weights, limit, minNextHops);
  }

  /**
   * Ports of equal weights, and of equal quotients of entries and weight, differ by their order.
   */
  @Property(tries = 1000)
  void remembersAGroupWhateverTheOrderOfItsPorts(
      @ForAll("near") int[] weights, @ForAll("limits") Ratio limit, @ForAll Random random) {
    GroupReducer reducer = new GroupReducer();
    List<Integer> ports = IntStream.of(weights).boxed().collect(Collectors.toList());
    for (int i = 0; i < 4; i++) {
      Collections.shuffle(ports, random);
      int[] shuffled = ports.stream().mapToInt(Integer::intValue).toArray();
      int[] entries = new int[weights.length];
      reducer.reduce(Groups.longs(shuffled), limit, entries);
      assertArrayEquals(PaperReduction.reduce(shuffled, limit), entries);
    }
  }

  @Test
  void remembersMoreGroupsThanItHasRoomFor() {
    Ratio limit = Ratio.parse("1.05");
    Random random = new Random(1);
    int[][] groups = new int[8000][];
    for (int g = 0; g < groups.length; g++) {
      int most = 2 + random.nextInt(20);
      groups[g] = random.ints(40, Math.max(1, most - 7), most + 1).toArray();
    }
    for (int[] group : groups) {
      reduce(Groups.longs(group), limit);
    }
    for (int[] group : groups) {
      assertArrayEquals(PaperReduction.reduce(group, limit), reduce(Groups.longs(group), limit));
    }
  }

  @Test
  void forgetsGroupsOfAnotherLimit() {
    long[] weights = {7, 8, 8, 8, 8, 8, 8, 8};
    for (String limit : new String[] {"1.05", "1.2", "1.05", "1.2"}) {
      assertArrayEquals(
          PaperReduction.reduce(new int[] {7, 8, 8, 8, 8, 8, 8, 8}, Ratio.parse(limit)),
          reduce(weights, Ratio.parse(limit)));
    }
  }

  @Test
  void refusesAGroupWithoutPorts() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new GroupReducer().reduce(new long[0], Ratio.parse("1.05"), new int[0]));
  }

  @Property(tries = 300)
  void dependsOnlyOnTheRatioOfTheWeights(
      @ForAll("groups") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll @LongRange(min = 2, max = 10_000_000_000L) long factor) {
    long[] scaled = LongStream.of(Groups.longs(weights)).map(weight -> weight * factor).toArray();
    assertArrayEquals(PaperReduction.reduce(weights, limit), reduce(scaled, limit));
  }

  @Property(tries = 200)
  void agreesWithTheSearchOverAllSizesForAnyWeights(
      @ForAll("huge") long[] weights, @ForAll("limits") Ratio limit) {
    assertArrayEquals(new SizeSearchModel(weights).smallest(limit), reduce(weights, limit));
  }

  @Test
  void reducesManyPortsOfFewAndOfManyWeights() {
    Ratio limit = Ratio.parse("1.05");
    int[] few = IntStream.range(0, 600).map(i -> 8 - i * i % 7 % 3).toArray();
    assertArrayEquals(PaperReduction.reduce(few, limit), reduce(Groups.longs(few), limit));
    int[] many = IntStream.range(0, 600).map(i -> 500 + i * 7919 % 500).toArray();
    assertArrayEquals(PaperReduction.reduce(many, limit), reduce(Groups.longs(many), limit));
    int[] wide = IntStream.range(0, 300).map(i -> 1 + i * 7919 % 2047).toArray();
    assertArrayEquals(PaperReduction.reduce(wide, limit), reduce(Groups.longs(wide), limit));
  }

  @Test
  void returnsTheSizeAndLeavesTheRestOfTheRoomAlone() {
    int[] entries = {0, 0, 0, 0, -1};
    assertEquals(
        7, new GroupReducer().reduce(new long[] {2, 2, 3, 5}, Ratio.parse("1.15"), entries));
    assertArrayEquals(new int[] {1, 1, 2, 3, -1}, entries);
  }

  @Test
  void keepsOnAfterARefusedGroupAndLimit() {
    GroupReducer reducer = new GroupReducer();
    int[] entries = new int[2];
    Ratio limit = Ratio.parse("1.05");
    assertThrows(
        IllegalArgumentException.class, () -> reducer.reduce(new long[] {1, 0}, limit, entries));
    assertThrows(
        IllegalArgumentException.class,
        () -> reducer.reduce(new long[] {1, 2}, Ratio.parse("0.9"), entries));
    assertThrows(
        IllegalArgumentException.class,
        () -> reducer.reduce(new long[] {1, 1L << 40}, limit, entries));
    assertEquals(3, reducer.reduce(new long[] {10, 20}, limit, entries));
    assertArrayEquals(new int[] {1, 2}, entries);
  }

  private static int[] reduce(long[] weights, Ratio limit) {
    int[] entries = new int[weights.length];
    int size = REDUCER.reduce(weights, limit, entries);
    assertEquals(Groups.sum(entries), size);
    int[] afresh = new int[weights.length];
    assertEquals(size, FORGETFUL.reduce(weights, limit, afresh));
    assertArrayEquals(afresh, entries);
    return entries;
  }

  /** The search that takes any weights. */
  private static final class SizeSearchModel {
    private final SizeSearch search;

    SizeSearchModel(long[] weights) {
      search = Groups.search(weights, weights.length);
    }

    int[] smallest(Ratio limit) {
      search.smallestWithin(limit, 1, Integer.MAX_VALUE);
      return search.copyEntries();
    }
  }

  @Provide
  Arbitrary<int[]> groups() {
    return Arbitraries.oneOf(
        Groups.typical(),
        Groups.fewDistinct(),
        Groups.tiny(),
        near(),
        Arbitraries.integers().between(400, 1000).array(int[].class).ofMinSize(20).ofMaxSize(70),
        Arbitraries.integers().between(1, 4000).array(int[].class).ofMinSize(1).ofMaxSize(80),
        Arbitraries.integers().between(1, 3).array(int[].class).ofMinSize(1).ofMaxSize(300));
  }

  /** Within 7 of each other, or a little more. */
  @Provide
  Arbitrary<int[]> near() {
    return Arbitraries.oneOf(
            Arbitraries.integers().between(1, 20), Arbitraries.integers().between(1, 4100))
        .flatMap(
            least ->
                Arbitraries.integers()
                    .between(0, 8)
                    .flatMap(
                        spread ->
                            Arbitraries.integers()
                                .between(least, least + spread)
                                .array(int[].class)
                                .ofMinSize(1)
                                .ofMaxSize(40)));
  }

  @Provide
  Arbitrary<long[]> huge() {
    return Groups.huge();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Arbitraries.oneOf(
        Groups.limits(), Arbitraries.integers().between(101, 400).map(n -> Ratio.of(n, 100)));
  }
}
