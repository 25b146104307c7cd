package org.evenweave.sdd.solstice;

import java.util.Arrays;

/**
 * Cuts demand down to what a week of circuits can carry: no source and no destination keeps more.
 *
 * <p>Without this, one overloaded destination would set the sum that {@link QuickStuff} stuffs
 * every row and column to, and days would be as long as its flows while everybody else's ran dry in
 * them. An overloaded host keeps its largest entries, and one of them in part: each entry costs a
 * day, and a day's night costs the same however much it carries. What is cut waits, grows if its
 * source has more to send, and is among the largest one day; so it starves for no longer than the
 * packet switch leaves it alone.
 *
 * <p>Sources are cut before destinations, so both limits hold at the end. O(n²) if nobody is
 * overloaded, and a sort of n entries for each host that is.
 *
 * <p>The CoNEXT 2015 paper assumes that demand fits; its authors' program shares an overloaded
 * host's capacity evenly instead.
 */
final class Admission {
  private final int hosts;
  private final long[] line;

  Admission(int hosts) {
    this.hosts = hosts;
    this.line = new long[hosts];
  }

  /** Cuts the matrix in place, so that no row and no column sums to more. */
  void admit(long[] matrix, long mostBytes) {
    for (int row = 0; row < hosts; row++) {
      admit(matrix, row * hosts, 1, mostBytes);
    }
    for (int column = 0; column < hosts; column++) {
      admit(matrix, column, hosts, mostBytes);
    }
  }

  private void admit(long[] matrix, int first, int stride, long mostBytes) {
    long sum = 0;
    for (int i = 0; i < hosts; i++) {
      line[i] = matrix[first + i * stride];
      sum += line[i];
    }
    if (sum > mostBytes) {
      keepLargest(matrix, first, stride, mostBytes);
    }
  }

  private void keepLargest(long[] matrix, int first, int stride, long mostBytes) {
    Arrays.sort(line);
    long rest = mostBytes;
    int kept = hosts;
    while (line[kept - 1] <= rest) {
      rest -= line[--kept];
    }
    long cut = line[kept - 1];
    int wholeAtCut = 0;
    while (kept + wholeAtCut < hosts && line[kept + wholeAtCut] == cut) {
      wholeAtCut++;
    }
    for (int i = 0; i < hosts; i++) {
      int at = first + i * stride;
      if (matrix[at] < cut) {
        matrix[at] = 0;
      } else if (matrix[at] == cut && wholeAtCut-- <= 0) {
        matrix[at] = rest;
        rest = 0;
      }
    }
  }
}
