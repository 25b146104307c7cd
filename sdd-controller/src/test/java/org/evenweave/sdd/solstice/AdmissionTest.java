package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  @Property
  void leavesNobodyMoreThanAWeekAndOthersAlone(
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
    for (int i = 0; i < demand.length; i++) {
      assertTrue(0 <= admitted[i] && admitted[i] <= demand[i]);
      boolean overloaded =
          Matrices.rowSum(demand, hosts, i / hosts) > most
              || Matrices.columnSum(demand, hosts, i % hosts) > most;
      assertTrue(overloaded || admitted[i] == demand[i]);
    }
  }

  @Property
  void fillsTheWeekOfAnOverloadedSourceWithItsLargest(
      @ForAll @IntRange(min = 1, max = 40) int hosts,
      @ForAll @IntRange(min = 1, max = 100) int most,
      @ForAll long seed) {
    long[] demand = new long[hosts * hosts];
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; i < hosts; i++) {
      demand[i] = random.nextInt(10);
    }
    long[] admitted = demand.clone();
    new Admission(hosts).admit(admitted, most);
    assertEquals(
        Math.min(most, Matrices.rowSum(demand, hosts, 0)), Matrices.rowSum(admitted, hosts, 0));
    for (int cut = 0; cut < hosts; cut++) {
      for (int kept = 0; kept < hosts; kept++) {
        // Nothing smaller is kept while something larger is cut.
        assertTrue(
            admitted[cut] == demand[cut] || admitted[kept] == 0 || demand[kept] >= demand[cut]);
      }
    }
  }

  @Test
  void keepsTheLargestAndOneInPart() {
    long[] matrix = {5, 3, 3, 0, 0, 0, 0, 0, 0};
    new Admission(3).admit(matrix, 9);
    assertArrayEquals(new long[] {5, 3, 1, 0, 0, 0, 0, 0, 0}, matrix);
  }
}
