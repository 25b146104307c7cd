package org.evenweave.sdd.birkhoff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.sdd.solstice.DemandMatrices;
import org.evenweave.sdd.solstice.QuickStuff;
import org.junit.jupiter.api.Test;

class DecompositionTest {
  @Property
  void sumsBackToTheMatrix(
      @ForAll @IntRange(min = 1, max = 12) int hosts,
      @ForAll @IntRange(max = 100) int filledPercent,
      @ForAll long seed) {
    long[] matrix = DemandMatrices.random(hosts, filledPercent, seed);
    new QuickStuff(hosts).stuff(matrix);
    long entries = Arrays.stream(matrix).filter(entry -> entry > 0).count();
    long[] sum = new long[matrix.length];
    int[] permutations = {0};
    long[] left = matrix.clone();
    new Decomposition(hosts)
        .decompose(
            left,
            (columnOf, weight) -> {
              assertTrue(weight > 0);
              assertEquals(hosts, Arrays.stream(columnOf).distinct().count());
              for (int row = 0; row < hosts; row++) {
                sum[row * hosts + columnOf[row]] += weight;
              }
              return ++permutations[0] > 0;
            });
    assertArrayEquals(matrix, sum);
    assertArrayEquals(new long[matrix.length], left);
    assertTrue(permutations[0] <= entries);
  }

  @Test
  void leavesWhatTheVisitorDidNotWant() {
    long[] matrix = {3, 1, 1, 3};
    new Decomposition(2).decompose(matrix, (columnOf, weight) -> false);
    assertEquals(matrix[0], matrix[3]);
    assertEquals(matrix[1], matrix[2]);
    assertEquals(1, Arrays.stream(matrix).filter(entry -> entry == 0).count() / 2);
  }

  @Test
  void refusesAMatrixOfUnequalSums() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Decomposition(2).decompose(new long[] {1, 0, 1, 0}, (columnOf, weight) -> true));
  }
}
