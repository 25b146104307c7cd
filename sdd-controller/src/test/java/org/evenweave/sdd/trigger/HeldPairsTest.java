package org.evenweave.sdd.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import org.evenweave.sdd.demand.DemandMatrix;
import org.junit.jupiter.api.Test;

class HeldPairsTest {
  @Test
  void pairsThatAreHeldHaveNoDemandUntilTheyAreNot() {
    HeldPairs held = new HeldPairs(3);
    BitSet some = new BitSet();
    some.set(0);
    some.set(2);
    held.set(1, some);
    DemandMatrix demand = new DemandMatrix(3);
    demand.set(1, 0, 7);
    demand.set(0, 1, 8);
    demand.set(0, 2, 9);
    held.drop(demand);
    assertEquals(17, demand.total());
    held.set(1, new BitSet());
    demand.set(1, 0, 7);
    held.drop(demand);
    assertEquals(24, demand.total());
  }
}
