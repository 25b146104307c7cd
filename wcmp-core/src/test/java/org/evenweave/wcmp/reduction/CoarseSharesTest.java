package org.evenweave.wcmp.reduction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CoarseSharesTest {
  @Property(tries = 3000)
  void isNeverTooLowAndTooHighByWhatIsRoundedUpOnly(
      @ForAll("groups") int[] weights,
      @ForAll @IntRange(min = 1001, max = 2900) int thousandths,
      @ForAll @IntRange(min = 1, max = 1 << 16) int size) {
    NarrowGroup group = new NarrowGroup();
    assertTrue(group.setLimit(Ratio.of(thousandths, 1000)));
    assertTrue(group.setWeights(Groups.longs(weights), weights.length));
    CoarseShares shares = new CoarseShares();
    assertTrue(shares.set(group));
    long n = Math.min(size, group.size);
    long floors = 0;
    double raised = 0;
    for (int weight : weights) {
      floors += thousandths * (long) weight * n / (1000 * group.size);
      double share = thousandths * (double) weight * n / (1000 * group.size);
      // Rounding up makes n units of 2^-16, carries at most the entries of another port.
      raised += Math.floor(share + (4 * n + 1) * 0x1p-16);
    }
    // Fractions lose up to 15 units of 2^-16 each; carries are allowed for by what they are at
    // most.
    double room = (16.0 * weights.length + 4.0 * n) * 0x1p-16;
    long bound = shares.floorSumAtMost(n);
    assertTrue(bound >= floors, () -> bound + " is less than the floors");
    double most = raised + room;
    assertTrue(bound <= most, () -> bound + " is more than " + most);
  }

  @Test
  void isExactForSmallSizesOfGroupsThatDivideEvenly() {
    NarrowGroup group = new NarrowGroup();
    group.setLimit(Ratio.parse("1.01"));
    long[] weights = new long[32];
    Arrays.fill(weights, 3);
    group.setWeights(weights, weights.length);
    CoarseShares shares = new CoarseShares();
    assertTrue(shares.set(group));
    assertEquals(0, shares.floorSumAtMost(31));
    assertEquals(32, shares.floorSumAtMost(32));
    assertEquals(32, shares.floorSumAtMost(63));
    assertEquals(64, shares.floorSumAtMost(64));
  }

  @Test
  void leavesFewAndVeryManyPortsAlone() {
    NarrowGroup group = new NarrowGroup();
    group.setLimit(Ratio.parse("1.05"));
    for (int ports : new int[] {8, 65}) {
      long[] weights = new long[ports];
      Arrays.fill(weights, 2);
      group.setWeights(weights, ports);
      assertFalse(new CoarseShares().set(group));
    }
  }

  @Provide
  Arbitrary<int[]> groups() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1, 1000).array(int[].class).ofMinSize(24).ofMaxSize(64),
        Arbitraries.integers().between(500, 510).array(int[].class).ofMinSize(24).ofMaxSize(64));
  }
}
