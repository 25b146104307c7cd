package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/**
 * Strategy auto on a fabric of three stages: an event is answered at once, and the weights by flow
 * follow once they have been computed, which takes ten seconds here.
 */
class EngineFlowReactionTest extends EngineFixture {
  private static final String COMPUTING = "flows between switches are being computed";
  private static final long COMPUTATION_NANOS = 10 * SECOND_NANOS;
  private final Fabric fabric = Fabrics.sharedBottleneck();

  private void startAutomatic() {
    loop.setBackgroundNanos(COMPUTATION_NANOS);
    start(fabric, 1);
    engine.useRule(WeightRule.AUTOMATIC);
    loop.runFor(2 * COMPUTATION_NANOS);
    assertConverged();
    assertEquals(WeightRule.MAXIMUM_FLOW, engine.view().desired().routing().rule());
  }

  /** Every group is the one that a computation from scratch has. */
  private void assertByFlow(Fabric expected) {
    Routing routing = engine.view().desired().routing();
    for (int destination : routing.destinations()) {
      DestinationRoutes anew = WeightRule.MAXIMUM_FLOW.routes(expected, destination);
      for (int s = 0; s < expected.switchCount(); s++) {
        assertArrayEquals(anew.weights(s), routing.to(destination).weights(s));
        assertArrayEquals(
            anew.ports(expected, s), routing.to(destination).ports(routing.snapshot().fabric(), s));
      }
    }
  }

  @Test
  void aFailureIsConfirmedBeforeItsFlowsAreComputed() {
    startAutomatic();
    int link = linkNamed(fabric, "t/5-y/1");
    network.cut(link);
    loop.runFor(SECOND_NANOS);
    FabricStatus status = engine.view().status();
    assertTrue(status.reasons().contains(COMPUTING), status.toString());
    assertEquals(Set.of(), network.lossy());
    assertEquals(0, unconfirmed());
    loop.runFor(COMPUTATION_NANOS);
    assertConfirmed();
    assertByFlow(fabric.withLinksDown(link));
    network.heal(link);
    loop.runFor(2 * COMPUTATION_NANOS);
    assertConverged();
    assertByFlow(fabric);
  }

  /** Without u, t has to send all that p does. */
  @Test
  void anotherFailureMeanwhileIsAnsweredToo() {
    startAutomatic();
    int first = linkNamed(fabric, "p/2-u/1");
    int second = linkNamed(fabric, "q/1-t/2");
    network.cut(first);
    loop.runFor(COMPUTATION_NANOS / 2);
    network.cut(second);
    loop.runFor(SECOND_NANOS);
    assertEquals(0, unconfirmed());
    assertEquals(Set.of(), network.lossy());
    loop.runFor(2 * COMPUTATION_NANOS);
    assertConfirmed();
    assertByFlow(fabric.withLinksDown(first, second));
  }

  private long unconfirmed() {
    return engine.events().since(0).stream()
        .filter(event -> event.confirmedEpochMicros() == 0)
        .count();
  }
}
