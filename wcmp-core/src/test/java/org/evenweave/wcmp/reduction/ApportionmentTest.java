package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ApportionmentTest {
  @Property
  void isWhatGivingOutEntryByEntryYields(
      @ForAll("typical") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 300) int more) {
    assertIsGreedy(Groups.longs(weights), minNextHops, more);
  }

  @Property
  void isWhatGivingOutEntryByEntryYieldsForHugeWeights(
      @ForAll("huge") long[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 100) int more) {
    assertIsGreedy(weights, minNextHops, more);
  }

  private static void assertIsGreedy(long[] weights, int minNextHops, int more) {
    int entries = Math.min(minNextHops, weights.length) + more;
    Apportionment apportionment = Groups.apportionment(weights, minNextHops);
    apportionment.shareOut(entries);
    assertArrayEquals(Groups.greedy(weights, minNextHops, entries), apportionment.copyEntries());
    assertEquals(entries, apportionment.total());
  }

  @Property
  void hasTheLeastOversubscriptionOfItsSizeThenTheMostPortsThenCapacity(
      @ForAll("tiny") int[] weights,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll @IntRange(min = 0, max = 12) int more) {
    long[] ideal = Groups.longs(weights);
    int entries = Math.min(minNextHops, weights.length) + more;
    Apportionment apportionment = Groups.apportionment(ideal, minNextHops);
    apportionment.shareOut(entries);
    int[] found = apportionment.copyEntries();
    int[] best = Groups.best(ideal, minNextHops, entries);
    assertFalse(Groups.isBetter(ideal, best, found), () -> Arrays.toString(best) + " is better");
    assertFalse(Groups.isBetter(ideal, found, best), () -> Arrays.toString(found) + " is no group");
  }

  @Test
  void givesTinyPortsTheirEntryOutOfTheHugeOnes() {
    long[] weights = IntStream.range(0, 64).mapToLong(i -> i == 0 ? 1_000_000 : 1).toArray();
    int[] entries = Apportionment.of(weights, 70);
    assertEquals(7, entries[0]);
    assertEquals(63, IntStream.of(entries).skip(1).filter(weight -> weight == 1).count());
  }

  @Test
  void fillsTheLargestTables() {
    int[] entries = Apportionment.of(new long[] {Long.MAX_VALUE, 1}, Integer.MAX_VALUE);
    assertArrayEquals(new int[] {Integer.MAX_VALUE - 1, 1}, entries);
    entries = Apportionment.of(new long[] {3, 3, 1, 1}, 1 << 30);
    assertArrayEquals(new int[] {402653184, 402653184, 134217728, 134217728}, entries);
  }

  @Test
  void spreadsEqualWeightsFromTheFirstPortOn() {
    assertArrayEquals(new int[] {3, 3, 2, 2}, Apportionment.of(new long[] {5, 5, 5, 5}, 10));
  }

  @Test
  void namesTheLeastTableThatWouldDo() {
    TableTooSmallException e =
        assertThrows(TableTooSmallException.class, () -> Apportionment.of(new long[] {1, 2, 3}, 2));
    assertEquals(3, e.leastEntries());
    assertEquals("entries is 2; the least sufficient value is 3", e.getMessage());
    Apportionment twoPorts = Groups.apportionment(new long[] {1, 2, 3}, 2);
    e = assertThrows(TableTooSmallException.class, () -> twoPorts.shareOut(1));
    assertEquals(2, e.leastEntries());
  }

  @Test
  void rejectsGroupsWithoutNextHops() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Groups.apportionment(new long[] {1, 2}, 0));
    assertEquals("minNextHops is 0; a group needs at least one next hop", e.getMessage());
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
}
