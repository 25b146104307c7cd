package org.evenweave.sdd.demand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DemandMatrixTest {
  private final DemandMatrix demand = new DemandMatrix(3);

  @Test
  void sumsRowsColumnsAndAll() {
    demand.set(0, 1, 10);
    demand.set(0, 2, 20);
    demand.add(2, 1, 5);
    demand.add(2, 1, 2);
    assertEquals(30, demand.fromSource(0));
    assertEquals(17, demand.toDestination(1));
    assertEquals(37, demand.total());
    long[] entries = new long[9];
    demand.copyTo(entries);
    assertEquals(7, entries[2 * 3 + 1]);
  }

  @Test
  void givesAtMostWhatThereIs() {
    demand.set(1, 2, 10);
    assertEquals(4, demand.take(1, 2, 4));
    assertEquals(6, demand.take(1, 2, 100));
    assertEquals(0, demand.get(1, 2));
  }

  @Test
  void refusesWhatIsNoDemandAndStaysAsItWas() {
    demand.set(1, 2, 10);
    assertThrows(IllegalArgumentException.class, () -> demand.set(1, 2, -1));
    assertThrows(IllegalArgumentException.class, () -> demand.add(1, 2, -11));
    assertThrows(IndexOutOfBoundsException.class, () -> demand.set(0, 3, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> demand.get(-1, 2));
    assertThrows(IllegalArgumentException.class, () -> demand.copyFrom(new DemandMatrix(2)));
    assertThrows(IllegalArgumentException.class, () -> new DemandMatrix(0));
    assertEquals(10, demand.total());
  }
}
