package org.evenweave.striping.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StripingPlanTest {

  private static final StripingParameters PARAMETERS = StripingParameters.of(2, 4, 6, 3);

  @Test
  void validMatrixIsKeptWhateverHappensToTheArraysAround() {
    int[][] matrix = {{1, 2, 2, 1}, {2, 1, 1, 2}};
    StripingPlan plan = StripingPlan.of(PARAMETERS, matrix);
    matrix[0][0] = 9;
    plan.matrix()[0][0] = 9;
    assertEquals(1, plan.links(0, 0));
    assertEquals(1, plan.matrix()[0][0]);
  }

  @Test
  void plansAreEqualByValue() {
    StripingPlan plan = StripingPlan.of(PARAMETERS, new int[][] {{1, 2, 2, 1}, {2, 1, 1, 2}});
    StripingPlan same = StripingPlan.of(PARAMETERS, new int[][] {{1, 2, 2, 1}, {2, 1, 1, 2}});
    StripingPlan other = StripingPlan.of(PARAMETERS, new int[][] {{2, 1, 2, 1}, {1, 2, 1, 2}});
    assertEquals(plan, same);
    assertEquals(plan.hashCode(), same.hashCode());
    assertNotEquals(plan, other);
  }

  @Test
  void matrixOfTheWrongShapeIsRefused() {
    assertError("matrix: must have 2 rows (s1), had 1", new int[][] {{1, 2, 2, 1}});
    assertError(
        "matrix[1]: must have 4 entries (s2), had 3", new int[][] {{1, 2, 2, 1}, {2, 1, 1}});
  }

  @Test
  void entriesOtherThanBaseOrOneMoreAreRefused() {
    assertError("matrix[1][0]: must be 1 or 2, was 3", new int[][] {{1, 2, 2, 1}, {3, 1, 1, 1}});
    assertError("matrix[0][1]: must be 1 or 2, was 0", new int[][] {{2, 0, 2, 2}, {2, 1, 1, 2}});
  }

  @Test
  void everyEntryOfABalancedFabricMustBeTheBase() {
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> StripingPlan.of(StripingParameters.of(2, 2, 4, 4), new int[][] {{3, 1}, {1, 3}}));
    assertEquals("matrix[0][0]: must be 2, was 3", error.getMessage());
  }

  @Test
  void rowsAndColumnsThatDoNotFitThePortsAreRefused() {
    assertError(
        "matrix[0]: must sum to 6 (uplinks), was 7", new int[][] {{2, 2, 2, 1}, {2, 1, 1, 1}});
    assertError(
        "matrix column 0: must sum to 3 (downlinks), was 4",
        new int[][] {{2, 1, 2, 1}, {2, 1, 1, 2}});
  }

  private static void assertError(String message, int[][] matrix) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> StripingPlan.of(PARAMETERS, matrix));
    assertEquals(message, error.getMessage());
  }
}
