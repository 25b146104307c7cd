package org.evenweave.striping.expansion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.evenweave.striping.algorithm.StripingKind;
import org.evenweave.striping.plan.StripingParameters;
import org.evenweave.striping.plan.StripingPlan;
import org.junit.jupiter.api.Test;

class WiringTest {

  @Test
  void freshWiringUsesEachSwitchsPortsInTheOrderOfItsPeers() {
    StripingPlan plan =
        StripingPlan.of(StripingParameters.of(2, 2, 3, 3), new int[][] {{2, 1}, {1, 2}});
    assertEquals(
        "[s1-0/1 s2-0/1, s1-0/2 s2-0/2, s1-0/3 s2-1/1,"
            + " s1-1/1 s2-0/3, s1-1/2 s2-1/2, s1-1/3 s2-1/3]",
        Wiring.of(plan).toString());
  }

  @Test
  void freshWiringRealisesItsPlan() {
    StripingPlan plan = StripingKind.GROUP.plan(StripingParameters.of(19, 57, 96, 32));
    assertArrayEquals(plan.matrix(), Wiring.of(plan).linkCounts());
  }

  @Test
  void orderOfTheLinksDoesNotMatter() {
    WiredLink a = new WiredLink(0, 2, 0, 1);
    WiredLink b = new WiredLink(0, 1, 0, 2);
    assertEquals(Wiring.of(1, 1, List.of(a, b)), Wiring.of(1, 1, List.of(b, a)));
    assertEquals(List.of(b, a), Wiring.of(1, 1, List.of(a, b)).links());
  }

  @Test
  void portsOutOfRangeOrUsedTwiceAreRefused() {
    assertError("s1-2/1 s2-0/1: s1 switch: must be 0 to 1, was 2", new WiredLink(2, 1, 0, 1));
    assertError("s1-0/1 s2--1/1: s2 switch: must be 0 to 1, was -1", new WiredLink(0, 1, -1, 1));
    assertError("s1-0/0 s2-0/1: s1 port: must be 1 to 65535, was 0", new WiredLink(0, 0, 0, 1));
    assertError(
        "s1-0/1 s2-0/65536: s2 port: must be 1 to 65535, was 65536", new WiredLink(0, 1, 0, 65536));
    assertError(
        "s1-0/1 s2-1/1: s1-0 port 1 holds two links",
        new WiredLink(0, 1, 0, 1),
        new WiredLink(0, 1, 1, 1));
    assertError(
        "s1-1/1 s2-0/1: s2-0 port 1 holds two links",
        new WiredLink(0, 1, 0, 1),
        new WiredLink(1, 1, 0, 1));
  }

  @Test
  void stagesAndLinksTooManyToListAreRefused() {
    assertEquals(
        "s1: must be 1 to 4096, was 0",
        assertThrows(IllegalArgumentException.class, () -> Wiring.of(0, 1, List.of()))
            .getMessage());
    StripingPlan huge = StripingKind.GROUP.plan(StripingParameters.of(32, 32, 40000, 40000));
    assertEquals(
        "number of links: must be 0 to 1048576, was 1280000",
        assertThrows(IllegalArgumentException.class, () -> Wiring.of(huge)).getMessage());
  }

  private static void assertError(String message, WiredLink... links) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> Wiring.of(2, 2, List.of(links)));
    assertEquals(message, error.getMessage());
  }
}
