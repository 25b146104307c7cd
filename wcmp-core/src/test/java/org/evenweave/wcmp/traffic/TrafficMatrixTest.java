package org.evenweave.wcmp.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class TrafficMatrixTest {
  private final TrafficMatrix matrix =
      TrafficMatrix.of(new int[] {3, 5}, new double[][] {{0, 8}, {4, 0}});

  @Test
  void blendsEntryByEntry() {
    TrafficMatrix other = TrafficMatrix.of(new int[] {3, 5}, new double[][] {{0, 0}, {12, 0}});
    TrafficMatrix blend = matrix.blendedWith(other, 0.25);
    assertEquals(6.0, blend.demandBps(0, 1));
    assertEquals(6.0, blend.demandBps(1, 0));
    assertEquals(12.0, blend.totalBps());
    assertEquals(24.0, blend.times(2).totalBps());
    assertArrayEquals(new int[] {3, 5}, blend.endpoints());
    assertEquals(5, blend.endpoint(1));
  }

  @Test
  void doesNotChangeWithTheArraysItWasMadeFrom() {
    int[] endpoints = {0, 1};
    double[][] bps = {{0, 1}, {1, 0}};
    TrafficMatrix made = TrafficMatrix.of(endpoints, bps);
    endpoints[0] = 7;
    bps[0][1] = 9;
    made.endpoints()[0] = 7;
    assertEquals(0, made.endpoint(0));
    assertEquals(1.0, made.demandBps(0, 1));
  }

  @Test
  void refusesWhatIsNoMatrix() {
    int[] two = {3, 5};
    assertRefused("endpoints[1]", () -> TrafficMatrix.of(new int[] {5, 5}, new double[2][2]));
    assertRefused("there must be one row", () -> TrafficMatrix.of(two, new double[3][2]));
    assertRefused("row 0", () -> TrafficMatrix.of(two, new double[2][3]));
    for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused(
          "demand from endpoint 0 to endpoint 1",
          () -> TrafficMatrix.of(two, new double[][] {{0, wrong}, {0, 0}}));
    }
    assertRefused(
        "demand from endpoint 1 to endpoint 1",
        () -> TrafficMatrix.of(two, new double[][] {{0, 0}, {0, 1}}));
    assertRefused("share is 1.5", () -> matrix.blendedWith(matrix, 1.5));
    TrafficMatrix elsewhere = TrafficMatrix.of(new int[] {0, 1}, new double[2][2]);
    assertRefused("the two matrices", () -> matrix.blendedWith(elsewhere, 0.5));
  }

  private static void assertRefused(String start, Executable broken) {
    String message = assertThrows(IllegalArgumentException.class, broken).getMessage();
    assertTrue(message.startsWith(start), message);
  }
}
