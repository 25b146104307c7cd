package org.evenweave.wcmp.fitting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
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
import org.evenweave.wcmp.reduction.baseline.HeapGreedy;
import org.junit.jupiter.api.Test;

class TableFittingTest {
  @Property
  void isTheBestAndSmallestOfAllGroupsThatFit(
      @ForAll("tiny") int[] weights, @ForAll @IntRange(min = 0, max = 10) int more) {
    long[] ideal = Groups.longs(weights);
    int[] fitted = TableFitting.fit(ideal, weights.length + more);
    Ratio best = Groups.oversubscription(ideal, fitted);
    for (int size = weights.length; size <= weights.length + more; size++) {
      int order = Groups.leastOversubscription(ideal, ideal.length, size).compareTo(best);
      assertTrue(size < Groups.sum(fitted) ? order > 0 : order >= 0, "better at " + size);
    }
  }

  @Property
  void isNeverWorseThanAlgorithm3(
      @ForAll("typical") int[] weights, @ForAll @IntRange(min = 0, max = 400) int more) {
    long[] ideal = Groups.longs(weights);
    int entries = weights.length + more;
    int[] fitted = TableFitting.fit(ideal, entries);
    int[] printed = PaperFitting.fit(weights, entries);
    assertTrue(Groups.sum(fitted) <= entries);
    assertTrue(
        Oversubscription.of(ideal, fitted).compareTo(Oversubscription.of(ideal, printed)) <= 0);
    assertArrayEquals(HeapGreedy.fit(weights, entries), fitted);
  }

  @Property(tries = 40)
  void leavesAnIntegerProgramNothingToImprove(
      @ForAll("typical") int[] weights, @ForAll @IntRange(min = 0, max = 60) int more) {
    int[] few = Arrays.copyOf(weights, Math.min(6, weights.length));
    int entries = few.length + more;
    Ratio reached =
        Oversubscription.of(Groups.longs(few), TableFitting.fit(Groups.longs(few), entries));
    assertTrue(new IntegerProgram().group(few, few.length, reached, false, entries).fits(entries));
    assertFalse(new IntegerProgram().group(few, few.length, reached, true, entries).fits(entries));
  }

  @Test
  void findsTheSmallerGroupsThatAlgorithm3StartsAbove() {
    assertArrayEquals(new int[] {2, 2, 3}, PaperFitting.fit(new int[] {2, 2, 4}, 7));
    assertArrayEquals(new int[] {1, 1, 2}, TableFitting.fit(new long[] {2, 2, 4}, 7));
    assertArrayEquals(new int[] {1, 2, 4}, PaperFitting.fit(new int[] {2, 3, 5}, 8));
    assertArrayEquals(new int[] {1, 2, 3}, TableFitting.fit(new long[] {2, 3, 5}, 8));
  }

  @Test
  void returnsTheIdealWeightsWhenTheyFit() {
    assertArrayEquals(new int[] {2, 2, 3, 5}, TableFitting.fit(new long[] {4, 4, 6, 10}, 12));
    assertArrayEquals(new int[] {1, 1, 1}, TableFitting.fit(new long[] {9, 9, 9}, 1 << 30));
    assertArrayEquals(new int[] {1}, TableFitting.fit(new long[] {Long.MAX_VALUE}, 1));
  }

  @Test
  void fitsHugeWeights() {
    long[] weights = {Long.MAX_VALUE, Long.MAX_VALUE / 2, Long.MAX_VALUE / 3};
    int[] fitted = TableFitting.fit(weights, 16);
    assertArrayEquals(new int[] {6, 3, 2}, fitted);
    assertArrayEquals(new int[] {1, 2}, TableFitting.fit(new long[] {1, Long.MAX_VALUE}, 3));
  }

  @Test
  void apportionsTablesOfAPowerOfTwo() {
    assertArrayEquals(new int[] {3, 2, 4, 7}, TableFitting.apportion(new long[] {2, 2, 3, 5}, 16));
  }

  @Test
  void namesTheLeastTableThatWouldDo() {
    TableTooSmallException e =
        assertThrows(TableTooSmallException.class, () -> TableFitting.fit(new long[] {1, 2, 4}, 2));
    assertEquals("entries is 2; the least sufficient value is 3", e.getMessage());
    assertThrows(
        TableTooSmallException.class, () -> TableFitting.apportion(new long[] {1, 2, 4}, 2));
  }

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }

  @Provide
  Arbitrary<int[]> tiny() {
    return Groups.tiny();
  }
}
