package org.evenweave.sdd.solstice;

/**
 * Stuffs a demand matrix until all rows and columns have the same sum, so that perfect matchings
 * can take it apart (Birkhoff's theorem).
 *
 * <p><b>Idea.</b> Let phi be the largest sum of any row or column; no matrix that covers the demand
 * has a smaller one. Each entry may grow by the smaller of what its row and what its column lacks
 * to phi. Entries with demand grow first, as that makes no new circuit; then the rest is put where
 * a row and a column still lack something.
 *
 * <p><b>Proof.</b> After an entry grew, its row or its column is full. In the second round, rows
 * and columns that lack something are walked in step: each step fills a row or a column, so 2n - 1
 * steps do, and as both sides lack the same in total, they end together.
 *
 * <p><b>Complexity.</b> O(n²) for the first round over a full matrix, O(n) for the second. The
 * paper visits every entry in both rounds; the sums are the same.
 *
 * <p>Source: Liu et al., "Scheduling techniques for hybrid circuit/packet networks", CoNEXT 2015,
 * section 4.1, algorithm 2.
 */
public final class QuickStuff {
  private final int hosts;
  private final long[] rowLacks;
  private final long[] columnLacks;

  /** Working memory for matrices of so many rows and columns. */
  public QuickStuff(int hosts) {
    this.hosts = hosts;
    this.rowLacks = new long[hosts];
    this.columnLacks = new long[hosts];
  }

  /**
   * Stuffs a matrix in place; no entry shrinks.
   *
   * @param matrix row by row, entries 0 or more, sums within a {@code long}
   * @return phi: what every row and column sums to now
   */
  public long stuff(long[] matrix) {
    long phi = sums(matrix);
    for (int host = 0; host < hosts; host++) {
      rowLacks[host] = phi - rowLacks[host];
      columnLacks[host] = phi - columnLacks[host];
    }
    growDemand(matrix);
    fillRest(matrix);
    return phi;
  }

  /** Leaves the sums in the two arrays, and returns the largest. */
  private long sums(long[] matrix) {
    java.util.Arrays.fill(columnLacks, 0);
    long largest = 0;
    for (int row = 0; row < hosts; row++) {
      long sum = 0;
      for (int column = 0; column < hosts; column++) {
        long entry = matrix[row * hosts + column];
        sum += entry;
        columnLacks[column] += entry;
      }
      rowLacks[row] = sum;
      largest = Math.max(largest, sum);
    }
    for (long sum : columnLacks) {
      largest = Math.max(largest, sum);
    }
    return largest;
  }

  private void growDemand(long[] matrix) {
    for (int row = 0; row < hosts; row++) {
      for (int column = 0; column < hosts && rowLacks[row] > 0; column++) {
        if (matrix[row * hosts + column] > 0) {
          grow(matrix, row, column);
        }
      }
    }
  }

  private void fillRest(long[] matrix) {
    int row = 0;
    int column = 0;
    while (row < hosts && column < hosts) {
      grow(matrix, row, column);
      if (rowLacks[row] == 0) {
        row++;
      } else {
        column++;
      }
    }
  }

  private void grow(long[] matrix, int row, int column) {
    long lacks = Math.min(rowLacks[row], columnLacks[column]);
    matrix[row * hosts + column] += lacks;
    rowLacks[row] -= lacks;
    columnLacks[column] -= lacks;
  }
}
