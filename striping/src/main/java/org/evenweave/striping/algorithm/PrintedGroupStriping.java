package org.evenweave.striping.algorithm;

import java.util.Arrays;
import org.evenweave.striping.plan.StripingParameters;

/**
 * Group striping to the letter of Tewari 2015, Algorithms 5 and 6, with the dissertation's symbols
 * as names.
 *
 * <p>Whichever of p and p + 1 links is rarer (p + 1 on a tie) is placed explicitly. Phase I puts it
 * in Q blocks of Ω rows by π columns along the diagonal, so that the Ω S1 switches of a block are
 * striped identically. Phase II rotates π entries per row over the columns that are left, by N/D
 * columns from row to row; the quotient is an integer one, since it moves a column index.
 *
 * <p>Every row sums to N, and every column of Phase I to D. The columns of Phase II do so when
 * there is no Phase II (Ω = 0 or Ω divides L) or when D divides N, so that N/D = K/L is whole;
 * otherwise the rotation advances too slowly (for K &lt; L not at all). {@link StripingKind#GROUP}
 * repairs that.
 */
final class PrintedGroupStriping {

  private PrintedGroupStriping() {}

  /** The printed matrix: L rows, K columns, in O(L·K). */
  static int[][] matrix(StripingParameters parameters) {
    int lCount = parameters.s1Count();
    int kCount = parameters.s2Count();
    int p = parameters.base();
    int omegaExtra = parameters.extraPerS2();
    int omega = Math.min(omegaExtra, parameters.plainPerS2());
    int pi = Math.min(parameters.plainPerS1(), parameters.extraPerS1());
    int q = omega == 0 ? 1 : lCount / omega - (lCount % omega == 0 ? 0 : 1);
    int common = omega == omegaExtra ? p : p + 1;
    int rare = omega == omegaExtra ? p + 1 : p;

    int[][] r = new int[lCount][kCount];
    for (int[] row : r) {
      Arrays.fill(row, common);
    }
    for (int i = 0; i < q; i++) {
      for (int l = i * omega; l < i * omega + omega; l++) {
        for (int k = i * pi; k < i * pi + pi; k++) {
          r[l][k] = rare;
        }
      }
    }
    int shift = 0;
    for (int l = q * omega; l < lCount; l++) {
      for (int offset = 0; offset < pi; offset++) {
        r[l][pi * q + (offset + shift) % (kCount - q * pi)] = rare;
      }
      shift += parameters.uplinks() / parameters.downlinks();
    }
    return r;
  }
}
