package org.evenweave.sdd.solstice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PairsTest {
  /** 46,340 hosts are the most whose pairs an {@code int} counts. */
  @Property(tries = 300)
  void dividesAsDivisionDoes(
      @ForAll @IntRange(min = 1, max = 46_340) int hosts, @ForAll long seed) {
    Pairs pairs = new Pairs(hosts);
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      int source = random.nextInt(hosts);
      for (int at : new int[] {source * hosts, source * hosts + hosts - 1}) {
        assertEquals(at / hosts, pairs.source(at));
        assertEquals(at % hosts, pairs.destination(at));
      }
    }
    int last = hosts * hosts - 1;
    assertEquals(hosts - 1, pairs.source(last));
    assertEquals(hosts - 1, pairs.destination(last));
  }
}
