package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class GroupPoolTest {
  @Property(tries = 100)
  void equalGroupsAreOneObjectAndDifferentOnesAreNot(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    GroupPool pool = new GroupPool();
    Map<String, IdealGroup> model = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      int count = random.nextInt(4);
      int[] arcs = random.ints(4, 0, 5).toArray();
      long[] weights = random.longs(4, 1, 3).toArray();
      long effectiveBps = random.nextInt(2);
      IdealGroup group = pool.groupOf(arcs, weights, count, effectiveBps);
      StringBuilder key = new StringBuilder();
      for (int m = 0; m < count; m++) {
        key.append(arcs[m]).append(':').append(weights[m]).append(' ');
        assertEquals(arcs[m], group.arc(m));
        assertEquals(weights[m], group.weight(m));
      }
      assertEquals(count, group.memberCount());
      assertEquals(effectiveBps, group.effectiveBps());
      assertSame(model.computeIfAbsent(key.toString() + effectiveBps, k -> group), group);
    }
  }
}
