package org.evenweave.engine.nib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
  private static final long PAUSE_NANOS = 100;

  private final Fabric fabric = Fabrics.figure32();
  private final Nib nib =
      new Nib(new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY));
  private final Discovery discovery = new Discovery(PAUSE_NANOS, 0);

  @Test
  void itEndsWhenAllThatIsConfiguredIsFound() {
    connectAll();
    for (int link = 0; link < fabric.linkCount(); link++) {
      assertFalse(discovery.follow(nib, link));
      find(link);
    }
    assertTrue(discovery.follow(nib, fabric.linkCount()));
  }

  @Test
  void itEndsWhenNothingMoreIsFoundForTheLengthOfThePause() {
    connectAll();
    find(0);
    assertFalse(discovery.follow(nib, PAUSE_NANOS - 1));
    assertEquals(PAUSE_NANOS, discovery.remainingNanos(PAUSE_NANOS - 1));
    find(1);
    assertFalse(discovery.follow(nib, 2 * PAUSE_NANOS - 2));
    assertFalse(discovery.follow(nib, 3 * PAUSE_NANOS - 3));
    assertEquals(1, discovery.remainingNanos(3 * PAUSE_NANOS - 3));
    assertTrue(discovery.follow(nib, 3 * PAUSE_NANOS - 2));
  }

  @Test
  void itHasEndedForGood() {
    assertTrue(discovery.follow(nib, PAUSE_NANOS));
    connectAll();
    assertTrue(discovery.follow(nib, PAUSE_NANOS + 1));
  }

  @Test
  void aLinkThatComesAndGoesIsFoundOnlyOnce() {
    connectAll();
    find(0);
    assertFalse(discovery.follow(nib, 1));
    for (long nowNanos = 2; nowNanos <= PAUSE_NANOS; nowNanos++) {
      nib.linkLost(fabric.end(0), fabric.end(1));
      assertFalse(discovery.follow(nib, nowNanos));
      find(0);
      assertFalse(discovery.follow(nib, nowNanos));
    }
    assertTrue(discovery.follow(nib, PAUSE_NANOS + 1));
  }

  private void connectAll() {
    for (int s = 0; s < fabric.switchCount(); s++) {
      nib.switchUp(fabric.switchId(s));
      nib.tablesKnown(fabric.switchId(s));
    }
  }

  /** Both ports come up, and a probe is seen in each direction. */
  private void find(int link) {
    for (int arc = 2 * link; arc <= 2 * link + 1; arc++) {
      String end = fabric.end(arc);
      int slash = end.lastIndexOf('/');
      nib.portChanged(end.substring(0, slash), Integer.parseInt(end.substring(slash + 1)), true, 0);
      nib.linkSeen(end, fabric.end(arc ^ 1));
    }
  }
}
