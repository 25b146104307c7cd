package org.evenweave.bench.common;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Ideal weights of one group, in both forms that the algorithms take, so that none converts. */
public final class RandomGroup {
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
}
