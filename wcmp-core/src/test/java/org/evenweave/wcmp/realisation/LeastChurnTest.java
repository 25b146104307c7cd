package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Apportionment;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.GuaranteedPorts;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.reduction.WeightVector;
import org.junit.jupiter.api.Test;

class LeastChurnTest {
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
  void noOtherCountsWithinTheLimitHaveMorePortsOrMoveFewerSlots(
      @ForAll("tiny") int[] weights,
      @ForAll("limits") Ratio limit,
      @ForAll @IntRange(min = 1, max = 5) int minNextHops,
      @ForAll("slotsOfFourPorts") int[] installed,
      @ForAll @IntRange(min = 1, max = 16) int slots) {
    long[] ideal = Groups.longs(weights);
    int[] found = counts(ideal, minNextHops, limit, slots, installed);
    List<int[]> within = new ArrayList<>();
    tryAll(ideal, limit, new int[ideal.length], 0, slots, within);
    within.removeIf(counts -> Groups.ports(counts) < Math.min(minNextHops, ideal.length));
    if (within.isEmpty()) {
      assertNull(found);
      return;
    }
    assertEquals(slots, Arrays.stream(found).sum());
    assertTrue(Groups.oversubscription(ideal, found).compareTo(limit) <= 0);
    int[] best =
        Collections.min(
            within,
            Comparator.comparingInt((int[] counts) -> -Groups.ports(counts))
                .thenComparingLong(counts -> -Groups.kept(ideal, counts))
                .thenComparingInt(counts -> gained(installed, counts)));
    assertEquals(Groups.ports(best), Groups.ports(found));
    assertEquals(Groups.kept(ideal, best), Groups.kept(ideal, found));
    assertEquals(gained(installed, best), gained(installed, found));
  }

  @Test
  void ofMorePortsThanSlotsThoseThatOwnSlotsKeepThem() {
    long[] equal = {1, 1, 1, 1};
    int[] counts = counts(equal, 1, Ratio.of(4, 3), 3, new int[] {0, 0, 0, 1});
    assertArrayEquals(new int[] {1, 1, 0, 1}, counts);
  }

  private static int[] counts(
      long[] ideal, int minNextHops, Ratio limit, int slots, int[] installed) {
    WeightVector weights = WeightVector.of(ideal);
    GuaranteedPorts guaranteed = GuaranteedPorts.atLeast(weights, minNextHops);
    return LeastChurn.counts(weights, guaranteed, limit, slots, installed);
  }

  /** Adds every group of so many slots that is within the limit. */
  private static void tryAll(
      long[] ideal, Ratio limit, int[] counts, int port, int left, List<int[]> within) {
    if (port == ideal.length) {
      if (left == 0 && Groups.oversubscription(ideal, counts).compareTo(limit) <= 0) {
        within.add(counts.clone());
      }
      return;
    }
    for (counts[port] = 0; counts[port] <= left; counts[port]++) {
      tryAll(ideal, limit, counts, port + 1, left - counts[port], within);
    }
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
    assertArrayEquals(best, counts(ideal, ideal.length, limit, 256, new int[ideal.length]));
  }
}
