package org.evenweave.sdd.birkhoff;

import org.evenweave.sdd.schedule.PerfectMatching;

/**
 * Birkhoff's decomposition: a matrix whose rows and columns all have the same sum is a sum of
 * weighted permutations.
 *
 * <p><b>Idea.</b> Such a matrix has a perfect matching of positive entries (Hall: k rows hold k
 * times the sum, which k - 1 columns cannot). The smallest matched entry is the permutation's
 * weight; subtracting it leaves all sums equal, and at least one entry fewer. When the last entry
 * has gone, the permutations sum to the matrix.
 *
 * <p><b>Complexity.</b> At most as many permutations as entries, at most (n - 1)² + 1 by a suitable
 * choice (Marcus and Ree); O(n²/64 + n) each, and for each entry that ran out O(n²/64) to repair
 * the matching. Nothing is allocated after the constructor.
 *
 * <p>Source: Birkhoff, "Tres observaciones sobre el álgebra lineal", 1946; von Neumann, 1953; for
 * switches Chang, Chen and Huang, "Birkhoff-von Neumann input buffered crossbar switches", 2000.
 */
public final class Decomposition {
  /** Visits each permutation, in the order in which they were found. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * One permutation of the sum.
     *
     * @param columnOf each row's column; valid during the call
     * @param weight more than 0
     * @return whether to go on
     */
    boolean permutation(int[] columnOf, long weight);
  }

  private final int rows;
  private final PerfectMatching matching;

  /** Working memory for matrices of so many rows and columns. */
  public Decomposition(int rows) {
    this.rows = rows;
    this.matching = new PerfectMatching(rows);
  }

  /**
   * Takes a matrix apart, in place: what is left is the part that no visited permutation covers.
   *
   * @param matrix row by row, entries 0 or more, rows and columns of equal sums
   * @throws IllegalArgumentException if the sums are not equal: what is left has no perfect
   *     matching
   */
  public void decompose(long[] matrix, Visitor visitor) {
    long left = 0;
    for (int column = 0; column < rows; column++) {
      left += matrix[column];
    }
    addEntries(matrix);
    boolean goOn = true;
    while (left > 0 && goOn) {
      if (!matching.complete()) {
        throw new IllegalArgumentException("the sums of rows and columns are not all equal");
      }
      int[] columnOf = matching.destinations();
      long weight = Long.MAX_VALUE;
      for (int row = 0; row < rows; row++) {
        weight = Math.min(weight, matrix[row * rows + columnOf[row]]);
      }
      left -= weight;
      goOn = visitor.permutation(columnOf, weight);
      subtract(matrix, columnOf, weight);
    }
  }

  private void addEntries(long[] matrix) {
    matching.clear();
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < rows; column++) {
        if (matrix[row * rows + column] > 0) {
          matching.add(row, column);
        }
      }
    }
  }

  private void subtract(long[] matrix, int[] columnOf, long weight) {
    for (int row = 0; row < rows; row++) {
      int at = row * rows + columnOf[row];
      matrix[at] -= weight;
      if (matrix[at] == 0) {
        matching.remove(row, columnOf[row]);
      }
    }
  }
}
