package org.evenweave.engine.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.fake.VirtualLoop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangesTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final Changes changes = new Changes(loop);
  private final List<Long> steps = new ArrayList<>();

  @BeforeEach
  void listen() {
    changes.onStep(steps::add);
    loop.runFor(10);
  }

  @Test
  void oneStepRunsForAllThatCameBeforeItWithTheEarliestTime() {
    changes.mayHaveChanged(7);
    changes.changed(5);
    changes.changed();
    assertEquals(List.of(), steps);
    loop.runFor(1);
    assertEquals(List.of(5L), steps);
    changes.mayHaveChanged();
    loop.runFor(1);
    assertEquals(List.of(5L, 11L), steps);
  }

  @Test
  void whatNeedNotShowInTheSnapshotIsPendingUntilItIsTaken() {
    changes.mayHaveChanged();
    assertFalse(changes.arePending());
    assertFalse(changes.take());
    changes.changed();
    loop.runFor(1);
    assertTrue(changes.arePending());
    assertTrue(changes.take());
    assertFalse(changes.arePending());
  }

  @Test
  void noStepRunsOnceClosed() {
    changes.changed();
    changes.close();
    changes.changed();
    loop.runFor(1);
    assertEquals(List.of(), steps);
  }
}
