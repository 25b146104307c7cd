package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class QuickStuffTest {
  @Property
  void makesAllSumsTheLargestThereWasAndReducesNothing(
      @ForAll @IntRange(min = 1, max = 12) int hosts,
      @ForAll @IntRange(max = 100) int filledPercent,
      @ForAll long seed) {
    long[] demand = DemandMatrices.random(hosts, filledPercent, seed);
    long[] stuffed = demand.clone();
    long phi = new QuickStuff(hosts).stuff(stuffed);
    long largest = 0;
    for (int host = 0; host < hosts; host++) {
      largest = Math.max(largest, DemandMatrices.rowSum(demand, hosts, host));
      largest = Math.max(largest, DemandMatrices.columnSum(demand, hosts, host));
      assertEquals(phi, DemandMatrices.rowSum(stuffed, hosts, host));
      assertEquals(phi, DemandMatrices.columnSum(stuffed, hosts, host));
    }
    assertEquals(largest, phi);
    int newEntries = 0;
    for (int i = 0; i < demand.length; i++) {
      assertTrue(stuffed[i] >= demand[i]);
      newEntries += stuffed[i] > 0 && demand[i] == 0 ? 1 : 0;
    }
    assertTrue(newEntries < 2 * hosts, newEntries + " entries without demand");
  }

  @Test
  void growsEntriesWithDemandBeforeItMakesNewOnes() {
    long[] matrix = {4, 2, 0, 0, 0, 3, 1, 0, 5};
    // Rows sum to 6, 3, 6 and columns to 5, 2, 8. Row by row, (0,0) grows by what row 0 lacks, and
    // (2,0) by what column 0 then lacks; column 2 is full. Rows 1 and 2 still lack 5 and 1, all of
    // it in column 1.
    assertEquals(8, new QuickStuff(3).stuff(matrix));
    assertArrayEquals(new long[] {6, 2, 0, 0, 5, 3, 2, 1, 5}, matrix);
  }
}
