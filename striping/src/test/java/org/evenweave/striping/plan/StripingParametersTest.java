package org.evenweave.striping.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StripingParametersTest {

  @Test
  void countsOfEquation36() {
    StripingParameters parameters = StripingParameters.of(19, 57, 96, 32);
    assertEquals(1, parameters.base());
    assertEquals(39, parameters.extraPerS1());
    assertEquals(18, parameters.plainPerS1());
    assertEquals(13, parameters.extraPerS2());
    assertEquals(6, parameters.plainPerS2());
    assertEquals(1824, parameters.links());
  }

  @Test
  void countsThatAreNotPositiveAreNamed() {
    assertError("s1: must be 1 to 4096, was 0", 0, 1, 1, 1);
    assertError("s2: must be 1 to 4096, was -3", 1, -3, 1, 1);
    assertError("uplinks: must be 1 to 65535, was 0", 1, 1, 0, 1);
    assertError("downlinks: must be 1 to 65535, was -1", 1, 1, 1, -1);
  }

  @Test
  void stagesTooLargeToHoldInMemoryAreRefused() {
    assertError("s1: must be 1 to 4096, was 4097", 4097, 1, 1, 4097);
    assertError("s2: must be 1 to 4096, was 2147483647", 1, Integer.MAX_VALUE, 1, 1);
  }

  @Test
  void linkEndsThatDoNotMatchAreRefusedWithAWayOut() {
    assertError(
        "downlinks: s1 x uplinks must equal s2 x downlinks, but 6 x 8 = 48 and 6 x 7 = 42; use downlinks 8",
        6,
        6,
        8,
        7);
    assertError(
        "uplinks: s1 x uplinks must equal s2 x downlinks, but 6 x 7 = 42 and 4 x 10 = 40;"
            + " with these switches uplinks must be a multiple of 2",
        6,
        4,
        7,
        10);
  }

  @Test
  void portsBeyondAnySwitchAreRefused() {
    assertError("uplinks: must be 1 to 65535, was 65536", 1, 1, 65536, 65536);
    assertError("downlinks: must be 1 to 65535, was 2147483647", 1, 1, 1, Integer.MAX_VALUE);
    assertEquals(4096 * 65535, StripingParameters.of(4096, 4096, 65535, 65535).links());
  }

  private static void assertError(String message, int s1, int s2, int uplinks, int downlinks) {
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> StripingParameters.of(s1, s2, uplinks, downlinks));
    assertEquals(message, error.getMessage());
  }
}
