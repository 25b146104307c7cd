package org.evenweave.sdd.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservedTest {
  @Test
  void thePairsHaveWhatAllClassesHave() {
    Observed seen = new Observed(2, List.of(new DemandClass(4, true)));
    seen.of(0).set(0, 1, 3);
    seen.of(1).set(0, 1, 4);
    seen.of(1).set(1, 0, 5);
    seen.sum();
    seen.sum();
    assertEquals(7, seen.demand().get(0, 1));
    assertEquals(5, seen.demand().get(1, 0));
    Observed copy = new Observed(2, List.of(new DemandClass(4, true)));
    copy.copyFrom(seen);
    seen.of(1).clear();
    assertEquals(12, copy.demand().total());
    assertEquals(4, copy.priority(1));
    assertTrue(copy.isCoflow(1));
    assertEquals(0, copy.priority(0));
    assertFalse(copy.isCoflow(0));
  }

  @Test
  void withoutClassesThereIsOneMatrix() {
    Observed seen = new Observed(2, List.of());
    assertSame(seen.of(0), seen.demand());
  }

  @Test
  void classesAreSevenAtMostAndPrioritiesToo() {
    List<DemandClass> many = Collections.nCopies(8, new DemandClass(0, false));
    assertThrows(IllegalArgumentException.class, () -> new Observed(2, many));
    assertThrows(IllegalArgumentException.class, () -> new DemandClass(8, false));
  }
}
