package org.evenweave.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.reduction.Ratio;

class SplitWeightsTest {
  @Property(tries = 300)
  void smallFractionsAreFoundThroughNoise(
      @ForAll @IntRange(min = 1, max = 8) int ports, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] weights = random.longs(ports, 0, 40).toArray();
    weights[0] = Math.max(1, weights[0]);
    long size = Arrays.stream(weights).sum();
    double[] shares =
        Arrays.stream(weights)
            .mapToDouble(w -> w == 0 ? 0 : (double) w / size + 1e-8 * (random.nextDouble() - 0.5))
            .toArray();
    long[] found = SplitWeights.wholeNumbers(shares);
    for (int i = 0; i < ports; i++) {
      assertEquals(weights[i] * Arrays.stream(found).sum(), found[i] * size);
    }
  }

  @Property(tries = 300)
  void anySharesAreKeptToAMillionth(
      @ForAll @IntRange(min = 1, max = 8) int ports, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] shares = random.doubles(ports).map(x -> x < 0.2 ? 0 : x).toArray();
    shares[0] += 0.1;
    double sum = Arrays.stream(shares).sum();
    Arrays.setAll(shares, i -> shares[i] / sum);
    long[] weights = SplitWeights.wholeNumbers(shares);
    double size = Arrays.stream(weights).sum();
    for (int i = 0; i < ports; i++) {
      assertEquals(shares[i] == 0, weights[i] == 0);
      // Half of 2^-20 in the weight, and eight halves in the size; or the tolerance of a millionth.
      assertEquals(shares[i], weights[i] / size, 5e-6);
    }
  }

  @Example
  void simpleFractionsGiveSmallWeights() {
    assertArrayEquals(
        new long[] {1, 0, 2}, SplitWeights.wholeNumbers(new double[] {1 / 3.0, 0, 2 / 3.0}));
    long[] tiny = SplitWeights.wholeNumbers(new double[] {2e-6, 1 - 2e-6});
    assertTrue(tiny[0] == 2 && tiny[1] > 1_000_000, Arrays.toString(tiny));
  }

  /** Two links of 10 and 30 to a, one of 20 to b; a and b in ratio 1 to 2. */
  @Example
  void parallelLinksShareByCapacity() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("s", 1, Fabric.UNLIMITED)
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("s/1", "a/1", 10)
            .addLink("s/2", "b/1", 20)
            .addLink("s/3", "a/2", 30)
            .build();
    Links links = new Links(fabric);
    int[][] members = new int[3][];
    long[][] weights = new long[3][];
    SplitWeights.spread(fabric, links, 0, links.out[0], new long[] {1, 2}, members, weights);
    assertArrayEquals(new int[] {0, 4, 2}, members[0]);
    assertArrayEquals(new long[] {1, 3, 8}, weights[0]);
  }

  /** Two bundles of primes near 2^62: their least common denominator has 120 bits. */
  @Example
  void weightsThatNoLongHoldsAreScaledDown() {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("s", 1, Fabric.UNLIMITED)
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("s/1", "a/1", 4611686018427387847L)
            .addLink("s/2", "a/2", 2)
            .addLink("s/3", "b/1", 4611686018427387817L)
            .addLink("s/4", "b/2", 6)
            .build();
    Links links = new Links(fabric);
    int[][] members = new int[3][];
    long[][] weights = new long[3][];
    SplitWeights.spread(fabric, links, 0, links.out[0], new long[] {1, 1}, members, weights);
    assertEquals(4, weights[0].length);
    assertTrue(Arrays.stream(weights[0]).allMatch(weight -> weight > 0));
    // Scaling changes ratios by less than 2^-30.
    assertEquals(1.0, (double) weights[0][0] / weights[0][2], Math.scalb(1.0, -30));
  }

  @Example
  void optionsOutOfRangeAreRefused() {
    TrafficOptions options = TrafficOptions.DEFAULT;
    assertThrows(IllegalArgumentException.class, () -> options.withMaxStretch(Ratio.of(99, 100)));
    assertThrows(IllegalArgumentException.class, () -> options.withHedgeShare(1.1));
    assertThrows(IllegalArgumentException.class, () -> options.withMaxSkew(0.9));
    assertThrows(IllegalArgumentException.class, () -> options.withSlack(Double.NaN));
    assertEquals(3, options.withMaxStretch(Ratio.of(3, 2)).hopLimit(2));
    assertEquals(1, options.withMaxStretch(Ratio.of(3, 2)).hopLimit(1));
  }
}
