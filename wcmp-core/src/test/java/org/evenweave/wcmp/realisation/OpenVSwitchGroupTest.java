package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Ratio;
import org.junit.jupiter.api.Test;

class OpenVSwitchGroupTest {
  @Provide
  Arbitrary<int[]> weights() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(0, 65535).array(int[].class).ofMinSize(1).ofMaxSize(20),
        Arbitraries.integers().between(1, 9).array(int[].class).ofMinSize(1).ofMaxSize(300));
  }

  @Provide
  Arbitrary<int[]> fewWeights() {
    return Arbitraries.integers().between(0, 1000).array(int[].class).ofMinSize(1).ofMaxSize(6);
  }

  @Test
  void figureThreeTwosWeightsBecomeThreeAndFiveOfSixteen() {
    Realisation realised = weighted(1, 1, 2, 2);
    assertEquals(16, realised.slots().size());
    assertArrayEquals(new int[] {3, 3, 5, 5}, counts(realised, 4));
    assertEquals(Ratio.of(9, 8), realised.oversubscription(ports(4), new long[] {1, 1, 2, 2}));
  }

  @Test
  void unequalWeightsAreRoundedToTheNextPowerOfTwo() {
    Realisation realised = weighted(5, 10, 25, 60);
    assertEquals(32, realised.slots().size());
    assertEquals(Ratio.of(5, 4), realised.oversubscription(ports(4), new long[] {5, 10, 25, 60}));
  }

  @Property
  void bucketsOfWeightOneOwnTheSlotOfTheirPlace(@ForAll @IntRange(min = 4, max = 8) int log) {
    int[] weights = new int[1 << log];
    Arrays.fill(weights, 1);
    assertArrayEquals(
        IntStream.range(0, weights.length).toArray(), OpenVSwitchGroup.bucketOfSlot(weights));
  }

  @Property
  void weightsThatSumToTheSizeAreExact(
      @ForAll @IntRange(min = 4, max = 8) int log,
      @ForAll @IntRange(min = 1, max = 12) int others,
      @ForAll long seed) {
    int[] weights = new int[others + 1];
    Arrays.fill(weights, 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int left = (1 << log) - weights.length; left > 0; left--) {
      weights[1 + random.nextInt(others)]++;
    }
    assertArrayEquals(weights, counts(weighted(weights), weights.length));
  }

  @Property
  void theTableIsWhatTheSourceDoesInDoubles(@ForAll("weights") int[] weights) {
    Assume.that(Arrays.stream(weights).sum() > 0);
    double least = Arrays.stream(weights).filter(w -> w > 0).min().getAsInt();
    double log = Math.ceil(Math.log(Math.ceil(Arrays.stream(weights).sum() / least)) / Math.log(2));
    int size = (int) Math.max(16, Math.pow(2, log));
    assertEquals(size > 256 ? OpenVSwitchGroup.NO_TABLE : size, OpenVSwitchGroup.slots(weights));
    if (size <= 256) {
      assertArrayEquals(inDoubles(weights, size), OpenVSwitchGroup.bucketOfSlot(weights));
    }
  }

  /** As ofproto-dpif.c goes about it. */
  private static int[] inDoubles(int[] weights, int size) {
    double[] values = Arrays.stream(weights).asDoubleStream().toArray();
    int[] divisors = new int[weights.length];
    Arrays.fill(divisors, 1);
    int[] buckets = new int[size];
    for (int slot = 0; slot < size; slot++) {
      int winner = 0;
      for (int i = 1; i < values.length; i++) {
        winner = values[i] > values[winner] ? i : winner;
      }
      divisors[winner] += 2;
      values[winner] = (double) weights[winner] / divisors[winner];
      buckets[slot] = winner;
    }
    return buckets;
  }

  @Test
  void theSlowPathFavoursHeavyBucketsBeyondTheirWeight() {
    Ratio[] shares = OpenVSwitchGroup.slowPathShares(new int[] {1, 1, 2, 2});
    // The better of 2 scores up to 1 and of 2 up to 2: below 1 all four are alike.
    assertArrayEquals(
        new Ratio[] {Ratio.of(1, 16), Ratio.of(1, 16), Ratio.of(7, 16), Ratio.of(7, 16)}, shares);
    Realisation realised = weighted(1, 300);
    assertNull(realised.slots());
    assertEquals(Ratio.of(1, 600), realised.share(0));
  }

  @Property(tries = 50)
  void slowPathSharesAreThoseOfDrawnScores(@ForAll("fewWeights") int[] weights, @ForAll long seed) {
    Assume.that(Arrays.stream(weights).sum() > 0);
    Ratio[] shares = OpenVSwitchGroup.slowPathShares(weights);
    assertEquals(Ratio.ONE, Arrays.stream(shares).reduce(Ratio.ZERO, Ratio::plus));
    SplittableRandom random = new SplittableRandom(seed);
    int draws = 20_000;
    int[] wins = new int[weights.length];
    for (int draw = 0; draw < draws; draw++) {
      int winner = 0;
      double best = -1;
      for (int i = 0; i < weights.length; i++) {
        double score = weights[i] * random.nextDouble();
        if (weights[i] > 0 && score > best) {
          winner = i;
          best = score;
        }
      }
      wins[winner]++;
    }
    for (int i = 0; i < weights.length; i++) {
      double share = shares[i].toDouble();
      assertEquals(share, (double) wins[i] / draws, tolerance(share, draws));
    }
  }

  /**
   * Bernstein's inequality: a frequency is off by t or more with a probability of at most 2 exp(-n
   * t^2 / (2 p (1-p) + 2 t / 3)), here one in 10^9. A few standard errors would do for large shares
   * alone: what is drawn once in a million times is sometimes drawn among the first 20,000.
   */
  private static double tolerance(double share, int draws) {
    double third = Math.log(2e9) / (3 * draws);
    return third + Math.sqrt(third * third + 6 * third * share * (1 - share));
  }

  @Test
  void withoutAnyWeightTheLastBucketGetsAll() {
    Realisation realised = weighted(0, 0, 0);
    assertNull(realised.slots());
    assertEquals(Ratio.ONE, realised.share(2));
  }

  @Test
  void weightsThatTheWireCannotHoldAreRefused() {
    for (int[] weights : new int[][] {{1, -1}, {65536}}) {
      String problem =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> SwitchTarget.OVS_WEIGHTED_BUCKETS.realise(ports(weights.length), weights))
              .getMessage();
      assertTrue(problem.startsWith("weights"), problem);
    }
  }

  private static Realisation weighted(int... weights) {
    return SwitchTarget.OVS_WEIGHTED_BUCKETS.realise(ports(weights.length), weights);
  }

  private static int[] ports(int count) {
    return IntStream.range(0, count).toArray();
  }

  private static int[] counts(Realisation realised, int ports) {
    return IntStream.range(0, ports).map(realised.slots()::count).toArray();
  }
}
