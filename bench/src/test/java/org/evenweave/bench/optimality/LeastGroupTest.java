package org.evenweave.bench.optimality;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.wcmp.reduction.Groups;
import org.evenweave.wcmp.reduction.Ratio;

class LeastGroupTest {
  @Property
  void isTheLeastSizeOfWhichAnyGroupIsWithinTheLimit(
      @ForAll("tiny") int[] ideal, @ForAll("limits") Ratio limit) {
    int least = LeastGroup.entries(ideal, limit);
    for (int size = ideal.length; size <= least; size++) {
      Ratio reached = Groups.leastOversubscription(Groups.longs(ideal), ideal.length, size);
      assertEquals(size == least, reached.compareTo(limit) <= 0, "of " + size + " entries");
    }
  }

  @Example
  void isTheDissertationsExample() {
    assertEquals(7, LeastGroup.entries(new int[] {2, 2, 3, 5}, Ratio.parse("1.15")));
  }

  @Provide
  Arbitrary<int[]> tiny() {
    return Groups.tiny();
  }

  @Provide
  Arbitrary<Ratio> limits() {
    return Arbitraries.integers()
        .between(1000, 2000)
        .map(thousandths -> Ratio.of(thousandths, 1000));
  }
}
