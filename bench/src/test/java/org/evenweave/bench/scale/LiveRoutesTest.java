package org.evenweave.bench.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class LiveRoutesTest {
  private final LiveRoutes routes =
      new LiveRoutes(
          RoutesTable.compute(FatTree.of(4, 1_000_000_000L), WeightRule.EFFECTIVE_CAPACITY));

  @Test
  void countsTheGroupsOfEverySwitchAndDestinationThatAnEventTouches() {
    // Link 0 is one of the two uplinks of edge-0-0.
    RoutesTable before = anew();
    routes.linksGo(false, 0);
    assertEquals(differences(before, anew()), routes.touched());
    assertTrue(routes.touched() >= 7, "the groups of the edge switch itself");
    assertTrue(routes.isAsComputedAnew());
    long down = routes.touched();
    routes.linksGo(true, 0);
    assertEquals(down, routes.touched(), "the repair takes back what the failure did");
  }

  private RoutesTable anew() {
    return RoutesTable.compute(routes.fabric(), WeightRule.EFFECTIVE_CAPACITY);
  }

  private static long differences(RoutesTable a, RoutesTable b) {
    long count = 0;
    for (int destination : a.destinations()) {
      for (int s = 0; s < a.fabric().switchCount(); s++) {
        count += a.to(destination).group(s).equals(b.to(destination).group(s)) ? 0 : 1;
      }
    }
    return count;
  }

  @Test
  void staysAsComputedAnewThroughFailuresAndRepairs() {
    long seed = new SplittableRandom().nextLong();
    Failures failures = new Failures(routes, new SplittableRandom(seed));
    for (int event = 0; event < 30; event++) {
      failures.next(new Stopwatch());
      assertTrue(routes.isAsComputedAnew(), "event " + event + " of seed " + seed);
    }
  }
}
