package org.evenweave.bench.common;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Ideal weights of one group, in both forms that the algorithms take, so that none converts. */
public final class RandomGroup {
  private static final int LINKS_PER_FAILURE = 50;

  /** One weight per member port, each at least 1. */
  public final int[] ints;

  /** The same. */
  public final long[] longs;

  private RandomGroup(int[] weights) {
    ints = weights;
    longs = IntStream.of(weights).asLongStream().toArray();
  }

  /**
   * Groups of independent weights, each uniform from {@code minWeight} to {@code maxWeight}; the
   * same for the same seed.
   */
  public static RandomGroup[] many(long seed, int groups, int ports, int minWeight, int maxWeight) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomGroup[] many = new RandomGroup[groups];
    for (int g = 0; g < groups; g++) {
      many[g] = new RandomGroup(random.ints(ports, minWeight, maxWeight + 1).toArray());
    }
    return many;
  }

  /**
   * Groups as fabrics have them, of few distinct weights: a power of two of next hops from {@code
   * minPorts} to {@code maxPorts}, each with k parallel links to the destination, k from 2 to 8, or
   * with k + 1 where links do not divide evenly, less those that are down, one in fifty. Groups of
   * equal weights, whose reduced weights are all 1, are left out. The same for the same seed.
   */
  public static RandomGroup[] ofFabrics(long seed, int groups, int minPorts, int maxPorts) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomGroup[] many = new RandomGroup[groups];
    for (int g = 0; g < groups; g++) {
      int[] weights;
      do {
        weights = ofFabric(random, minPorts, maxPorts);
      } while (Arrays.stream(weights).distinct().count() < 2);
      many[g] = new RandomGroup(weights);
    }
    return many;
  }

  private static int[] ofFabric(SplittableRandom random, int minPorts, int maxPorts) {
    int doublings = Integer.numberOfTrailingZeros(maxPorts / minPorts);
    int[] weights = new int[minPorts << random.nextInt(doublings + 1)];
    int links = random.nextInt(2, 9);
    int withOneMore = random.nextBoolean() ? random.nextInt(weights.length) : 0;
    for (int i = 0; i < weights.length; i++) {
      int all = links + (random.nextInt(weights.length) < withOneMore ? 1 : 0);
      long up = random.ints(all, 0, LINKS_PER_FAILURE).filter(drawn -> drawn > 0).count();
      weights[i] = (int) Math.max(1, up);
    }
    return weights;
  }
}
