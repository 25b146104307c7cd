package org.evenweave.wcmp.realisation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.reduction.Ratio;
import org.junit.jupiter.api.Test;

class SlotTableTest {
  @Provide
  Arbitrary<int[]> owners() {
    return Arbitraries.integers().between(1, 4).array(int[].class).ofMinSize(1).ofMaxSize(24);
  }

  @Property
  void movedIsCountedOverAllHashValues(
      @ForAll("owners") int[] before, @ForAll("owners") int[] after) {
    int hashes = before.length * after.length;
    int moved = 0;
    for (int hash = 0; hash < hashes; hash++) {
      moved += before[hash % before.length] != after[hash % after.length] ? 1 : 0;
    }
    assertEquals(Ratio.of(moved, hashes), new SlotTable(before).moved(new SlotTable(after)));
  }

  @Property
  void growingToAMultipleMovesNothing(
      @ForAll("owners") int[] owners, @ForAll @IntRange(min = 1, max = 8) int factor) {
    SlotTable table = new SlotTable(owners);
    assertEquals(Ratio.ZERO, table.moved(table.resized(factor * owners.length)));
  }

  @Test
  void aTableWithoutSlotsIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new SlotTable());
  }
}
