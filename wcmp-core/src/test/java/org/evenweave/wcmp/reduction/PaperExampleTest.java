package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.evenweave.wcmp.fitting.TableFitting;
import org.evenweave.wcmp.fitting.baseline.PaperFitting;
import org.evenweave.wcmp.reduction.baseline.PaperReduction;
import org.junit.jupiter.api.Test;

/** The worked example of Tewari 2015, section 3.3.1: weights 2, 2, 3, 5 in 7 entries. */
class PaperExampleTest {
  private static final int[] IDEAL = {2, 2, 3, 5};
  private static final int[] REDUCED = {1, 1, 2, 3};
  private static final Ratio LIMIT = Ratio.parse("1.15");

  @Test
  void reducesTwelveEntriesToSeven() {
    assertArrayEquals(REDUCED, WeightReduction.reduce(longs(IDEAL), LIMIT));
    assertArrayEquals(REDUCED, PaperReduction.reduce(IDEAL, LIMIT));
    assertEquals(Ratio.of(8, 7), Oversubscription.of(longs(IDEAL), REDUCED));
  }

  @Test
  void fitsIntoSevenEntries() {
    assertArrayEquals(REDUCED, TableFitting.fit(longs(IDEAL), 7));
    assertArrayEquals(REDUCED, TableFitting.apportion(longs(IDEAL), 7));
    assertArrayEquals(REDUCED, PaperFitting.fit(IDEAL, 7));
  }

  private static long[] longs(int[] weights) {
    return IntStream.of(weights).asLongStream().toArray();
  }
}
