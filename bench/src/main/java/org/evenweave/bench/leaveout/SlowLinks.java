package org.evenweave.bench.leaveout;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random groups of which some ports are slow, as links that came up at a lower speed are. */
enum SlowLinks {
  /** Independent weights, uniform from 1. */
  NONE("weights 1 to 100, no slow port", 0),
  ONE("one port at a hundredth", 1),
  TWO("two ports at a hundredth", 2);

  private static final int PORTS = 16;
  private static final int MOST_WEIGHT = 100;

  /** Of the speed of the other ports. */
  private static final int SLOWER = 100;

  private final String text;
  private final int slow;

  SlowLinks(String text, int slow) {
    this.text = text;
    this.slow = slow;
  }

  String label() {
    return String.format(Locale.ROOT, "%d ports, %s", PORTS, text);
  }

  /**
   * Ideal weights; with slow ports the others have weights from half of the largest to the largest,
   * as parallel links of which some are down. The same for the same seed.
   */
  long[][] groups(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, count).mapToObj(g -> group(random)).toArray(long[][]::new);
  }

  private long[] group(SplittableRandom random) {
    int least = slow == 0 ? 1 : MOST_WEIGHT / 2;
    long[] weights = random.longs(PORTS, least, MOST_WEIGHT + 1L).toArray();
    for (int i = 0; slow > 0 && i < PORTS; i++) {
      weights[i] *= i < slow ? 1 : SLOWER;
    }
    return weights;
  }
}
