package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  @Property
  void leavesNobodyMoreThanAWeekAndCutsOnlyWhereSomeoneIsFullOfLargerOnes(
      @ForAll @IntRange(min = 1, max = 12) int hosts,
      @ForAll @IntRange(max = 100) int filledPercent,
      @ForAll @IntRange(min = 1, max = 3_000_000) int most,
      @ForAll long seed) {
    long[] demand = Matrices.random(hosts, filledPercent, seed);
    long[] admitted = demand.clone();
    new Admission(hosts).admit(admitted, most);
    for (int host = 0; host < hosts; host++) {
      assertTrue(Matrices.rowSum(admitted, hosts, host) <= most);
      assertTrue(Matrices.columnSum(admitted, hosts, host) <= most);
    }
    for (int at = 0; at < demand.length; at++) {
      assertTrue(0 <= admitted[at] && admitted[at] <= demand[at]);
      if (admitted[at] < demand[at]) {
        long[] larger = atLeast(demand, admitted, Math.min(most, demand[at]));
        assertTrue(
            Matrices.rowSum(larger, hosts, at / hosts) == most
                || Matrices.columnSum(larger, hosts, at % hosts) == most);
      }
    }
  }

  /** What was admitted of entries of at least a size. */
  private static long[] atLeast(long[] demand, long[] admitted, long size) {
    long[] larger = admitted.clone();
    for (int at = 0; at < demand.length; at++) {
      if (demand[at] < size) {
        larger[at] = 0;
      }
    }
    return larger;
  }

  @Test
  void keepsTheLargestAndOneInPart() {
    long[] matrix = {5, 3, 3, 0, 0, 0, 0, 0, 0};
    new Admission(3).admit(matrix, 9);
    assertArrayEquals(new long[] {5, 1, 3, 0, 0, 0, 0, 0, 0}, matrix);
  }

  @Test
  void comparesSizesOfMoreThan32BitsByTheirHighest32() {
    long most = 1L << 40;
    long[] matrix = {most / 2, most / 2 + (1L << 20), 1L << 30, 0, 0, 0, 0, 0, 0};
    new Admission(3).admit(matrix, most);
    assertArrayEquals(
        new long[] {most / 2 - (1L << 20), most / 2 + (1L << 20), 0, 0, 0, 0, 0, 0, 0}, matrix);
  }
}
