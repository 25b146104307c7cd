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
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 1, max = 100) int from,
      @ForAll @IntRange(min = 1, max = 200) int to) {
    SizeSearch search = Groups.search(Groups.longs(weights), minNextHops);
    int first = firstSize(weights, minNextHops, from);
    int expected = scan(weights, limit, 0, minNextHops, first, to);
    assertEquals(expected, search.smallestWithin(limit, first, to));
    if (expected != SizeSearch.NONE) {
      assertArrayEquals(
          Groups.greedy(Groups.longs(weights), minNextHops, expected), search.copyEntries());
    }
    assertEquals(
        scan(weights, limit, -1, minNextHops, first, to), search.smallestBelow(limit, first, to));
  }

  @Property(tries = 300)
  void findsTheNextSizeThatIsBetterThanAGivenOne(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 1, max = 100) int from) {
    SizeSearch search = Groups.search(Groups.longs(weights), minNextHops);
    int given = firstSize(weights, minNextHops, from);
    long[] ideal = Groups.longs(weights);
    Ratio limit = Groups.oversubscription(ideal, Groups.greedy(ideal, minNextHops, given));
    assertEquals(
        scan(weights, limit, -1, minNextHops, given + 1, given + 100),
        search.smallestBelow(limit, given + 1, given + 100));
  }

  @Property(tries = 300)
  void findsTheBestSizeUpToAnother(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 200) int more) {
    long[] ideal = Groups.longs(weights);
    int least = Math.min(minNextHops, weights.length);
    int best = least;
    for (int size = least + 1; size <= least + more; size++) {
      int[] group = Groups.greedy(ideal, minNextHops, size);
      if (Groups.isBetter(ideal, group, Groups.greedy(ideal, minNextHops, best))) {
        best = size;
      }
    }
    SizeSearch search = Groups.search(ideal, minNextHops);
    assertEquals(best, search.bestUpTo(least + more));
    assertArrayEquals(Groups.greedy(ideal, minNextHops, best), search.copyEntries());
  }

  @Test
  void searchesMoreSizesThanAWindowHolds() {
    // Two ports of 10007 and 10009 are within 1 + 1/20016 only near their full size of 20016.
    long[] ideal = {10007, 10009};
    SizeSearch search = Groups.search(ideal, ideal.length);
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

  private static int firstSize(int[] weights, int minNextHops, int from) {
    long size = WeightVector.of(Groups.longs(weights)).size();
    return (int) Math.min(size, Math.max(from, Math.min(minNextHops, weights.length)));
  }

  private static int scan(
      int[] weights, Ratio limit, int order, int minNextHops, int from, int to) {
    long[] ideal = Groups.longs(weights);
    for (int size = from; size <= Math.min(to, WeightVector.of(ideal).size()); size++) {
      Ratio ratio = Groups.oversubscription(ideal, Groups.greedy(ideal, minNextHops, size));
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
