package org.evenweave.bench.optimality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Example;

class VerdictTest {
  @Example
  void exactGreedyIsOptimalWhereFloatingPointTurnsAwayAGroupThatMeetsTheLimitExactly() {
    Verdict verdict = Verdict.on(GroupKind.FEW_SMALL, "1.1", 2500, 3);
    assertEquals(0, verdict.suboptimal());
    assertEquals(0, verdict.suboptimalHere());
    assertEquals(1, verdict.suboptimalInDoubles());
  }

  @Example
  void aToleranceLetsSomeGroupsBeSmallerThanTheLimitAllows() {
    Verdict verdict = Verdict.on(GroupKind.MANY_LARGE, "1.02", 250, 7);
    assertEquals(0, verdict.suboptimal());
    assertTrue(verdict.belowByTolerance() > 0);
    assertTrue(verdict.mostBelowByTolerance() > 0);
  }
}
