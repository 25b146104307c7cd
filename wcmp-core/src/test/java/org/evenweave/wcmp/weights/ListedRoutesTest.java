package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.topology.Topologies;
import org.junit.jupiter.api.Test;

/** A full mesh of four: link numbers 0: s0-s1, 1: s0-s2, 2: s0-s3, 3: s1-s2, 4: s1-s3, 5: s2-s3. */
class ListedRoutesTest {
  private static final int[] NONE = {};
  private final Fabric mesh = Topologies.hyperX(1, 4);

  @Test
  void membersComeByPortWithWeightsInLowestTermsAndHopsOfTheLongestPath() {
    DestinationRoutes routes =
        DestinationRoutes.of(
            mesh, 0, new int[][] {NONE, {6, 1}, {3}, NONE}, new long[][] {{}, {30, 20}, {7}, {}});
    assertEquals(0, routes.destination());
    assertArrayEquals(new int[] {1, 6}, new int[] {routes.arc(1, 0), routes.arc(1, 1)});
    assertArrayEquals(new long[] {2, 3}, routes.weights(1));
    assertArrayEquals(new long[] {1}, routes.weights(2));
    assertEquals(0, routes.hops(0));
    assertEquals(2, routes.hops(1));
    assertEquals(1, routes.hops(2));
    assertEquals(-1, routes.hops(3));
  }

  @Test
  void routesThatLoseOrCirculatePacketsAreRefused() {
    assertRefused("s2: they loop back to it", new int[][] {NONE, {6}, {7}, NONE}, 1);
    assertRefused("s1: one leads to the dead end s3", new int[][] {NONE, {1, 8}, NONE, NONE}, 1, 1);
    assertRefused("s0: it is the destination", new int[][] {{0}, {1}, NONE, NONE}, 1);
    assertRefused("s1: one is not a link of it", new int[][] {NONE, {3}, NONE, NONE}, 1);
    assertRefused("s1: one is listed twice", new int[][] {NONE, {1, 1}, NONE, NONE}, 1, 1);
    assertRefused("s1: a weight is not positive", new int[][] {NONE, {1}, NONE, NONE}, 0);
    assertRefused("s1: there must be one weight", new int[][] {NONE, {1}, NONE, NONE}, 1, 1);
  }

  /** The same weights for every switch that has members. */
  private void assertRefused(String problem, int[][] arcs, long... weights) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    DestinationRoutes.of(
                        mesh, 0, arcs, new long[][] {weights, weights, weights, weights}))
            .getMessage();
    assertTrue(message.startsWith("members of switch " + problem), message);
  }

  @Test
  void aLinkThatIsDownIsNoMember() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            DestinationRoutes.of(
                mesh.withLinksDown(0),
                0,
                new int[][] {NONE, {1}, NONE, NONE},
                new long[][] {{}, {1}, {}, {}}));
  }
}
