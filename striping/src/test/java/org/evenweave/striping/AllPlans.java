package org.evenweave.striping;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.evenweave.striping.plan.StripingParameters;

/** The slow model: every matrix that can be wired in a tiny fabric, by plain enumeration. */
public final class AllPlans {

  private AllPlans() {}

  /** All matrices of p's and p + 1's with the right row and column sums. */
  public static Stream<int[][]> of(StripingParameters parameters) {
    List<int[][]> found = new ArrayList<>();
    int cells = parameters.s1Count() * parameters.s2Count();
    for (int choice = 0; choice < 1 << cells; choice++) {
      int[][] matrix = new int[parameters.s1Count()][parameters.s2Count()];
      int[] columns = new int[parameters.s2Count()];
      boolean fits = true;
      for (int s1 = 0; s1 < matrix.length && fits; s1++) {
        int sum = 0;
        for (int s2 = 0; s2 < columns.length; s2++) {
          int extra = choice >> (s1 * columns.length + s2) & 1;
          matrix[s1][s2] = parameters.uplinks() / parameters.s2Count() + extra;
          sum += matrix[s1][s2];
          columns[s2] += matrix[s1][s2];
        }
        fits = sum == parameters.uplinks();
      }
      for (int column : columns) {
        fits &= column == parameters.downlinks();
      }
      if (fits) {
        found.add(matrix);
      }
    }
    return found.stream();
  }
}
