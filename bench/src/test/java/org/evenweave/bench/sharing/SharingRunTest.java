package org.evenweave.bench.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SharingRunTest {
  @Test
  void theAnswerIsAlwaysTheSameNotBelowTheBoundAndMovesFewAfterAnEvent() {
    SharingRun run = new SharingRun(200, 20, 16, 1);
    SharingRun again = new SharingRun(200, 20, 16, 1);
    assertEquals(run.fresh.shared.oversubscription(), again.fresh.shared.oversubscription());
    assertEquals(run.moved, again.moved);
    assertEquals(0, run.fresh.shared.alone());
    assertTrue(run.fresh.shared.lowerBound() > 1);
    assertTrue(run.fresh.shared.oversubscription() >= run.fresh.shared.lowerBound() - 1e-9);
    assertTrue(run.moved < 200, "moved: " + run.moved);
  }
}
