package org.evenweave.striping.plan;

import java.util.Arrays;
import java.util.Locale;

/**
 * The number of links between each S1 switch and each S2 switch: an immutable L × K matrix, rows
 * S1, columns S2. Always an even striping that the switches' ports can hold: every entry is p or p
 * + 1 (Tewari 2015, equation 3.5), every row sums to N, every column to D.
 */
public final class StripingPlan {

  private final StripingParameters parameters;
  private final int[][] links;

  private StripingPlan(StripingParameters parameters, int[][] links) {
    this.parameters = parameters;
    this.links = links;
  }

  /**
   * Checks and copies a matrix of link counts.
   *
   * @param links L rows of K entries
   * @throws IllegalArgumentException naming the first row, column or entry that breaks the plan's
   *     rules
   */
  public static StripingPlan of(StripingParameters parameters, int[][] links) {
    requireShape(parameters, links);
    requireEvenEntries(parameters, links);
    requireRowSums(parameters, links);
    requireColumnSums(parameters, links);
    return new StripingPlan(parameters, copy(links));
  }

  private static void requireShape(StripingParameters parameters, int[][] links) {
    if (links.length != parameters.s1Count()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "matrix: must have %d rows (s1), had %d",
              parameters.s1Count(),
              links.length));
    }
    for (int s1 = 0; s1 < links.length; s1++) {
      if (links[s1].length != parameters.s2Count()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "matrix[%d]: must have %d entries (s2), had %d",
                s1,
                parameters.s2Count(),
                links[s1].length));
      }
    }
  }

  private static void requireEvenEntries(StripingParameters parameters, int[][] links) {
    int base = parameters.base();
    int most = parameters.extraPerS1() == 0 ? base : base + 1;
    for (int s1 = 0; s1 < links.length; s1++) {
      for (int s2 = 0; s2 < links[s1].length; s2++) {
        if (links[s1][s2] < base || links[s1][s2] > most) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "matrix[%d][%d]: must be %s, was %d",
                  s1,
                  s2,
                  base == most ? base : base + " or " + most,
                  links[s1][s2]));
        }
      }
    }
  }

  private static void requireRowSums(StripingParameters parameters, int[][] links) {
    for (int s1 = 0; s1 < links.length; s1++) {
      int sum = Arrays.stream(links[s1]).sum();
      if (sum != parameters.uplinks()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "matrix[%d]: must sum to %d (uplinks), was %d",
                s1,
                parameters.uplinks(),
                sum));
      }
    }
  }

  private static void requireColumnSums(StripingParameters parameters, int[][] links) {
    int[] sums = columnSums(links, parameters.s2Count());
    for (int s2 = 0; s2 < sums.length; s2++) {
      if (sums[s2] != parameters.downlinks()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "matrix column %d: must sum to %d (downlinks), was %d",
                s2,
                parameters.downlinks(),
                sums[s2]));
      }
    }
  }

  /** Sums of the columns of a matrix with {@code columns} columns. */
  public static int[] columnSums(int[][] matrix, int columns) {
    int[] sums = new int[columns];
    for (int[] row : matrix) {
      for (int column = 0; column < columns; column++) {
        sums[column] += row[column];
      }
    }
    return sums;
  }

  private static int[][] copy(int[][] matrix) {
    return Arrays.stream(matrix).map(int[]::clone).toArray(int[][]::new);
  }

  /** The fabric's size. */
  public StripingParameters parameters() {
    return parameters;
  }

  /** Links between an S1 switch (0 to L − 1) and an S2 switch (0 to K − 1). */
  public int links(int s1, int s2) {
    return links[s1][s2];
  }

  /** A copy of the matrix: L rows of K link counts. */
  public int[][] matrix() {
    return copy(links);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StripingPlan
        && parameters.equals(((StripingPlan) other).parameters)
        && Arrays.deepEquals(links, ((StripingPlan) other).links);
  }

  @Override
  public int hashCode() {
    return 31 * parameters.hashCode() + Arrays.deepHashCode(links);
  }

  @Override
  public String toString() {
    return parameters + " " + Arrays.deepToString(links);
  }
}
