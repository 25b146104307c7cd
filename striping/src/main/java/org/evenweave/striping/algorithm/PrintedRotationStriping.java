package org.evenweave.striping.algorithm;

import java.util.Arrays;
import org.evenweave.striping.plan.StripingParameters;

/**
 * Rotation striping to the letter of Tewari 2015, section 3.4.1: S1 switch i has p links to the
 * π<sub>p</sub> S2 switches from S2 switch i mod K on (counting past K − 1 to 0), and p + 1 links
 * to the others.
 *
 * <p>Every row sums to N, but the starts i mod K fall evenly on the S2 switches only when K divides
 * L. Otherwise, unless all entries are p, some column does not sum to D; {@link
 * StripingKind#ROTATION} repairs that.
 */
final class PrintedRotationStriping {

  private PrintedRotationStriping() {}

  /** The printed matrix: L rows, K columns, in O(L·K). */
  static int[][] matrix(StripingParameters parameters) {
    int k = parameters.s2Count();
    int p = parameters.base();
    int[][] r = new int[parameters.s1Count()][k];
    for (int i = 0; i < r.length; i++) {
      Arrays.fill(r[i], p + 1);
      for (int offset = 0; offset < parameters.plainPerS1(); offset++) {
        r[i][(i + offset) % k] = p;
      }
    }
    return r;
  }
}
