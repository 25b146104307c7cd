package org.evenweave.striping.algorithm;

import java.util.Arrays;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;

/**
 * Adjusts a matrix of entries p and p + 1 to the S2 switches' port counts, with the fewest changed
 * entries.
 *
 * <p>Given: every row sums to N, but column k sums to c<sub>k</sub>, not to D. Idea: as long as
 * some column a has too many links, another column b has too few. Column a then has more p + 1's
 * than b, so some row has p + 1 in a and p in b: swap the two. The row's sum stays, a loses a link,
 * b gains one.
 *
 * <p>This is optimal. Changing one entry moves one column's sum by one, so any valid matrix differs
 * from the given one in at least Σ|c<sub>k</sub> − D| entries. Each swap changes two entries and
 * lowers that sum by two. No entry changes twice: a column never crosses D, so columns with too
 * many links only lose p + 1's and the others only gain them. Hence exactly Σ|c<sub>k</sub> − D|
 * entries change, none if the matrix was valid. (This is Gale and Ryser's theorem made
 * constructive: Gale, "A theorem on flows in networks", 1957; Ryser, "Combinatorial properties of
 * matrices of zeros and ones", 1957.)
 *
 * <p>Among the rows that will do, those changed least so far come first, then those with the lowest
 * index, so that the changes spread over the S1 switches.
 *
 * <p>Complexity: surpluses are matched with deficits in column order, which makes fewer than K
 * pairs of columns; each pair sorts its candidate rows once: O(K·L·log L).
 */
final class PortCountRepair {

  private final int[][] matrix;
  private final int base;
  private final int[] changesInRow;

  private PortCountRepair(int[][] matrix, int base) {
    this.matrix = matrix;
    this.base = base;
    this.changesInRow = new int[matrix.length];
  }

  /**
   * Repairs {@code matrix} in place.
   *
   * @param matrix L rows of K entries p or p + 1, each row summing to N
   */
  static void repair(StripingParameters parameters, int[][] matrix) {
    PortCountRepair repair = new PortCountRepair(matrix, parameters.base());
    int[] surplus = StripingPlan.columnSums(matrix, parameters.s2Count());
    for (int column = 0; column < surplus.length; column++) {
      surplus[column] -= parameters.downlinks();
    }
    int from = 0;
    int to = 0;
    while (true) {
      while (from < surplus.length && surplus[from] <= 0) {
        from++;
      }
      while (to < surplus.length && surplus[to] >= 0) {
        to++;
      }
      if (from == surplus.length) {
        return;
      }
      int count = Math.min(surplus[from], -surplus[to]);
      repair.shift(from, to, count);
      surplus[from] -= count;
      surplus[to] += count;
    }
  }

  /** Moves one link in each of {@code count} rows from one column to another. */
  private void shift(int from, int to, int count) {
    long[] candidates = new long[matrix.length];
    int found = 0;
    for (int row = 0; row < matrix.length; row++) {
      if (matrix[row][from] == base + 1 && matrix[row][to] == base) {
        candidates[found++] = (long) changesInRow[row] << Integer.SIZE | row;
      }
    }
    Arrays.sort(candidates, 0, found);
    for (int i = 0; i < count; i++) {
      int row = (int) candidates[i];
      matrix[row][from]--;
      matrix[row][to]++;
      changesInRow[row]++;
    }
  }
}
