package org.evenweave.striping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.evenweave.striping.plan.StripingParameters;

/** The slow model: every matrix that can be wired in a tiny fabric, by plain enumeration. */
public final class AllPlans {

  private AllPlans() {}

  /** All matrices of p's and p + 1's with the right row and column sums. */
  public static Stream<int[][]> of(StripingParameters parameters) {
    List<int[][]> found = new ArrayList<>();
    addRows(parameters, new int[parameters.s1Count()][parameters.s2Count()], 0, found);
    return found.stream();
  }

  private static void addRows(
      StripingParameters parameters, int[][] matrix, int row, List<int[][]> found) {
    if (row == matrix.length) {
      if (columnsFit(parameters, matrix)) {
        found.add(Arrays.stream(matrix).map(int[]::clone).toArray(int[][]::new));
      }
      return;
    }
    int columns = parameters.s2Count();
    for (int choice = 0; choice < 1 << columns; choice++) {
      for (int column = 0; column < columns; column++) {
        matrix[row][column] = parameters.uplinks() / columns + (choice >> column & 1);
      }
      if (Arrays.stream(matrix[row]).sum() == parameters.uplinks()) {
        addRows(parameters, matrix, row + 1, found);
      }
    }
  }

  private static boolean columnsFit(StripingParameters parameters, int[][] matrix) {
    for (int column = 0; column < parameters.s2Count(); column++) {
      int sum = 0;
      for (int[] row : matrix) {
        sum += row[column];
      }
      if (sum != parameters.downlinks()) {
        return false;
      }
    }
    return true;
  }
}
