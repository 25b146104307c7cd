package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IdealWeightsTest {
  @Property
  void longsGiveWhatIntegersOfAnySizeGiveOrSayThatTheyCannot(
      @ForAll @IntRange(min = 1, max = 12) int count,
      @ForAll @IntRange(min = 2, max = 63) int bits,
      @ForAll long seed) {
    Links links = new Links(new SplittableRandom(seed), count, bits);
    long[] exact = new long[count];
    IdealWeights.weighExactly(count, links.capacity, links.bundle, links.through, exact);
    long[] inLongs = new long[count];
    if (IdealWeights.weighInLongs(count, links.capacity, links.bundle, links.through, inLongs)) {
      assertArrayEquals(exact, inLongs);
    }
    long[] either = new long[count];
    IdealWeights.weigh(count, links.capacity, links.bundle, links.through, either);
    assertArrayEquals(exact, either);
  }

  /** Ten links of different multiples of 1 Gb/s in bundles of them, as fabrics have. */
  @Property
  void longsSufficeForMultiplesOfAGigabit(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Links links = new Links(random, 10, 3);
    for (int i = 0; i < 10; i++) {
      links.capacity[i] *= 1_000_000_000L;
      links.bundle[i] *= 1_000_000_000L;
      links.through[i] *= 1_000_000_000L;
    }
    assertTrue(
        IdealWeights.weighInLongs(10, links.capacity, links.bundle, links.through, new long[10]));
  }

  @Test
  void linksThatAreAlikeWeighOneWhateverTheirSize() {
    long[] huge = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
    long[] weights = new long[3];
    IdealWeights.weigh(3, huge, huge, new long[] {7, 7, 7}, weights);
    assertArrayEquals(new long[] {1, 1, 1}, weights);
  }

  @Test
  void overflowIsSeen() {
    long[] capacity = {Long.MAX_VALUE, Long.MAX_VALUE - 1};
    long[] through = {Long.MAX_VALUE - 2, 3};
    assertFalse(IdealWeights.weighInLongs(2, capacity, capacity, through, new long[2]));
    long[] weights = new long[2];
    IdealWeights.weigh(2, capacity, capacity, through, weights);
    // The ratio is about 2^63 / 3: scaled to 62 bits, the smaller still weighs at least one.
    assertTrue(weights[0] >>> 61 == 1 && weights[1] >= 1, weights[0] + ":" + weights[1]);
  }

  /**
   * Links of distinct rates have no common denominator worth computing: that of 20,000 has 700,000
   * bits, and to bring every weight to it takes hours. So this test ends in a moment or not at all.
   */
  @Test
  void manyLinksOfDistinctRatesWeighAsTheirRates() {
    int count = 20_000;
    Links links = new Links(new SplittableRandom(41), count, 34);
    long[] weights = new long[count];
    IdealWeights.weigh(count, links.capacity, links.bundle, links.through, weights);
    int largest = 0;
    for (int i = 0; i < count; i++) {
      largest = weights[i] > weights[largest] ? i : largest;
    }
    for (int i = 0; i < count; i++) {
      double wanted = links.share(i) / links.share(largest);
      assertEquals(wanted, (double) weights[i] / weights[largest], wanted * 1e-9);
    }
  }

  /** Random links: capacity at most bundle, through at most bundle. */
  private static final class Links {
    final long[] capacity;
    final long[] bundle;
    final long[] through;

    double share(int i) {
      return (double) capacity[i] / bundle[i] * through[i];
    }

    Links(SplittableRandom random, int count, int bits) {
      capacity = new long[count];
      bundle = new long[count];
      through = new long[count];
      for (int i = 0; i < count; i++) {
        bundle[i] = 1 + (random.nextLong() >>> (64 - bits));
        bundle[i] = bundle[i] < 0 ? Long.MAX_VALUE : bundle[i];
        capacity[i] = random.nextBoolean() ? bundle[i] : 1 + random.nextLong(bundle[i]);
        through[i] = random.nextBoolean() ? bundle[i] : 1 + random.nextLong(bundle[i]);
      }
    }
  }
}
