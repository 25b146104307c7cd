package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Against a scan over all sizes of the groups that greedy yields. */
class SizeSearchTest {
  @Property(tries = 500)
  void findsTheSmallestSizeInARange(
      @ForAll("typical") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 0, max = 1) int minimum,
      @ForAll @IntRange(min = 1, max = 100) int from,
      @ForAll @IntRange(min = 1, max = 200) int to) {
    SizeSearch search = new SizeSearch(WeightVector.of(Groups.longs(weights)), minimum);
    int first = firstSize(weights, minimum, from);
    int expected = scan(weights, limit, 0, minimum, first, to);
    assertEquals(expected, search.smallestWithin(limit, first, to));
    if (expected != SizeSearch.NONE) {
      assertArrayEquals(
          Groups.greedy(Groups.longs(weights), minimum, expected), search.copyEntries());
    }
    assertEquals(
        scan(weights, limit, -1, minimum, first, to), search.smallestBelow(limit, first, to));
  }

  @Property(tries = 300)
  void findsTheNextSizeThatIsBetterThanAGivenOne(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 0, max = 1) int minimum,
      @ForAll @IntRange(min = 1, max = 100) int from) {
    SizeSearch search = new SizeSearch(WeightVector.of(Groups.longs(weights)), minimum);
    int given = firstSize(weights, minimum, from);
    long[] ideal = Groups.longs(weights);
    Ratio limit = Groups.oversubscription(ideal, Groups.greedy(ideal, minimum, given));
    assertEquals(
        scan(weights, limit, -1, minimum, given + 1, given + 100),
        search.smallestBelow(limit, given + 1, given + 100));
  }

  @Property(tries = 300)
  void findsTheBestSizeUpToAnother(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 0, max = 1) int minimum,
      @ForAll @IntRange(min = 0, max = 200) int more) {
    long[] ideal = Groups.longs(weights);
    int least = Math.max(1, minimum * weights.length);
    int best = least;
    Ratio lowest = Groups.oversubscription(ideal, Groups.greedy(ideal, minimum, least));
    for (int size = least + 1; size <= least + more; size++) {
      Ratio ratio = Groups.oversubscription(ideal, Groups.greedy(ideal, minimum, size));
      if (ratio.compareTo(lowest) < 0) {
        lowest = ratio;
        best = size;
      }
    }
    SizeSearch search = new SizeSearch(WeightVector.of(ideal), minimum);
    assertEquals(best, search.bestUpTo(least + more));
    assertArrayEquals(Groups.greedy(ideal, minimum, best), search.copyEntries());
  }

  @Test
  void searchesMoreSizesThanAWindowHolds() {
    // Two ports of 10007 and 10009 are within 1 + 1/20016 only near their full size of 20016.
    long[] ideal = {10007, 10009};
    SizeSearch search = new SizeSearch(WeightVector.of(ideal), 1);
    Ratio limit = Ratio.of(20015, 20014);
    int expected = SizeSearch.NONE;
    for (int size = 2; expected == SizeSearch.NONE; size++) {
      int half = size / 2;
      int[] reduced = {half, size - half};
      expected = Groups.oversubscription(ideal, reduced).compareTo(limit) <= 0 ? size : expected;
    }
    for (int from = 1; from <= expected; from++) {
      assertEquals(expected, search.smallestWithin(limit, from, 20016), "from " + from);
    }
    assertEquals(expected, search.bestUpTo(expected));
  }

  private static int firstSize(int[] weights, int minimum, int from) {
    long size = WeightVector.of(Groups.longs(weights)).size();
    return (int) Math.min(size, Math.max(from, minimum * weights.length));
  }

  private static int scan(int[] weights, Ratio limit, int order, int minimum, int from, int to) {
    long[] ideal = Groups.longs(weights);
    for (int size = from; size <= Math.min(to, WeightVector.of(ideal).size()); size++) {
      Ratio ratio = Groups.oversubscription(ideal, Groups.greedy(ideal, minimum, size));
      if (Integer.signum(ratio.compareTo(limit)) <= order) {
        return size;
      }
    }
    return SizeSearch.NONE;
  }

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Groups.limits();
  }
}
