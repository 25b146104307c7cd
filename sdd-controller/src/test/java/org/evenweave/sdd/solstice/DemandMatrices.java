package org.evenweave.sdd.solstice;

import java.util.Random;

/** DemandMatrices for tests, row by row in one array. */
public final class DemandMatrices {
  private DemandMatrices() {}

  /** Entries up to a million, most of them small; others 0. */
  public static long[] random(int hosts, int filledPercent, long seed) {
    Random random = new Random(seed);
    long[] matrix = new long[hosts * hosts];
    for (int i = 0; i < matrix.length; i++) {
      if (random.nextInt(100) < filledPercent) {
        matrix[i] = 1L + random.nextInt(random.nextBoolean() ? 10 : 1_000_000);
      }
    }
    return matrix;
  }

  public static long rowSum(long[] matrix, int hosts, int row) {
    long sum = 0;
    for (int column = 0; column < hosts; column++) {
      sum += matrix[row * hosts + column];
    }
    return sum;
  }

  public static long columnSum(long[] matrix, int hosts, int column) {
    long sum = 0;
    for (int row = 0; row < hosts; row++) {
      sum += matrix[row * hosts + column];
    }
    return sum;
  }
}
