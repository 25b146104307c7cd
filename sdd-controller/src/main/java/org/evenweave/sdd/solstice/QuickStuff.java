package org.evenweave.sdd.solstice;

import java.util.Arrays;

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
 * <p><b>Complexity.</b> O(entries) for the first round, O(n) for the second. The paper visits every
 * entry in both rounds; the sums are the same.
 *
 * <p>Source: Liu et al., "Scheduling techniques for hybrid circuit/packet networks", CoNEXT 2015,
 * section 4.1, algorithm 2.
 */
public final class QuickStuff {
  private final int hosts;
  private final Pairs pairs;
  private final long[] rowLacks;
  private final long[] columnLacks;
  private final int[] positions;

  /** Working memory for matrices of so many rows and columns. */
  public QuickStuff(int hosts) {
    this.hosts = hosts;
    this.pairs = new Pairs(hosts);
    this.rowLacks = new long[hosts];
    this.columnLacks = new long[hosts];
    this.positions = new int[hosts * hosts];
  }

  /**
   * Stuffs a matrix in place; no entry shrinks.
   *
   * @param matrix row by row, entries 0 or more, sums within a {@code long}
   * @return phi: what every row and column sums to now
   */
  public long stuff(long[] matrix) {
    int count = 0;
    for (int at = 0; at < matrix.length; at++) {
      if (matrix[at] > 0) {
        positions[count++] = at;
      }
    }
    stuff(matrix, positions, count);
    return rowSum(matrix, 0);
  }

  /**
   * Stuffs a sparse matrix in place.
   *
   * @param matrix row by row, 0 but where {@code at} says, sums within a {@code long}
   * @param at where entries are; new ones are appended, so it has room for all of a matrix
   * @param count how many entries there are
   * @return how many there are now
   */
  int stuff(long[] matrix, int[] at, int count) {
    long phi = sums(matrix, at, count);
    for (int host = 0; host < hosts; host++) {
      rowLacks[host] = phi - rowLacks[host];
      columnLacks[host] = phi - columnLacks[host];
    }
    for (int i = 0; i < count; i++) {
      grow(matrix, pairs.source(at[i]), pairs.destination(at[i]));
    }
    return fillRest(matrix, at, count);
  }

  private long rowSum(long[] matrix, int row) {
    long sum = 0;
    for (int column = 0; column < hosts; column++) {
      sum += matrix[row * hosts + column];
    }
    return sum;
  }

  /** Leaves the sums in the two arrays, and returns the largest. */
  private long sums(long[] matrix, int[] at, int count) {
    Arrays.fill(rowLacks, 0);
    Arrays.fill(columnLacks, 0);
    for (int i = 0; i < count; i++) {
      rowLacks[pairs.source(at[i])] += matrix[at[i]];
      columnLacks[pairs.destination(at[i])] += matrix[at[i]];
    }
    long largest = 0;
    for (int host = 0; host < hosts; host++) {
      largest = Math.max(largest, Math.max(rowLacks[host], columnLacks[host]));
    }
    return largest;
  }

  private int fillRest(long[] matrix, int[] at, int count) {
    int entries = count;
    int row = 0;
    int column = 0;
    while (row < hosts && column < hosts) {
      boolean isNew = matrix[row * hosts + column] == 0;
      grow(matrix, row, column);
      if (isNew && matrix[row * hosts + column] > 0) {
        at[entries++] = row * hosts + column;
      }
      if (rowLacks[row] == 0) {
        row++;
      } else {
        column++;
      }
    }
    return entries;
  }

  private void grow(long[] matrix, int row, int column) {
    long lacks = Math.min(rowLacks[row], columnLacks[column]);
    matrix[row * hosts + column] += lacks;
    rowLacks[row] -= lacks;
    columnLacks[column] -= lacks;
  }
}
