package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;

class LeastChurnTest {
  private static final int NONE = Integer.MAX_VALUE;

  @Provide
  Arbitrary<int[]> tiny() {
    return Groups.tiny();
  }

  @Provide
  Arbitrary<int[]> typical() {
    return Groups.typical();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Groups.limits();
  }

  @Provide
  Arbitrary<int[]> slotsOfFourPorts() {
    return Arbitraries.integers().between(0, 5).array(int[].class).ofSize(4);
  }

  @Property
  void noOtherCountsWithinTheLimitMoveFewerSlots(
      @ForAll("tiny") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll("slotsOfFourPorts") int[] installed,
      @ForAll @IntRange(min = 1, max = 16) int slots) {
    long[] ideal = Groups.longs(weights);
    int[] found = LeastChurn.counts(WeightVector.of(ideal), limit, slots, installed);
    int fewest = fewestMoves(ideal, limit, installed, new int[ideal.length], 0, slots);
    if (fewest == NONE) {
      assertNull(found);
    } else {
      assertEquals(slots, Arrays.stream(found).sum());
      assertTrue(Groups.oversubscription(ideal, found).compareTo(limit) <= 0);
      assertEquals(fewest, gained(installed, found));
    }
  }

  /** Tries every group of so many slots. */
  private static int fewestMoves(
      long[] ideal, Ratio limit, int[] installed, int[] counts, int port, int left) {
    if (port == ideal.length) {
      return left == 0 && Groups.oversubscription(ideal, counts).compareTo(limit) <= 0
          ? gained(installed, counts)
          : NONE;
    }
    int fewest = NONE;
    for (counts[port] = 1; counts[port] <= left; counts[port]++) {
      fewest =
          Math.min(
              fewest, fewestMoves(ideal, limit, installed, counts, port + 1, left - counts[port]));
    }
    return fewest;
  }

  private static int gained(int[] installed, int[] counts) {
    int gained = 0;
    for (int i = 0; i < counts.length; i++) {
      gained += Math.max(0, counts[i] - installed[i]);
    }
    return gained;
  }

  @Property
  void laidOutFromNothingTheCountsAreTheGreedys(@ForAll("typical") int[] weights) {
    long[] ideal = Groups.longs(weights);
    int[] best = Apportionment.of(ideal, 256);
    Ratio limit = Groups.oversubscription(ideal, best);
    assertArrayEquals(
        best, LeastChurn.counts(WeightVector.of(ideal), limit, 256, new int[ideal.length]));
  }
}
