package org.evenweave.wcmp.weights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LevelQueueTest {
  @Property(tries = 200)
  void takesByRisingLevelWhileMoreIsAddedAtOrAboveIt(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LevelQueue queue = new LevelQueue(50);
    for (int round = 0; round < 3; round++) {
      List<Integer> pending = new ArrayList<>();
      for (int i = random.nextInt(100); i > 0; i--) {
        add(queue, pending, random.nextInt(50), random.nextInt(9));
      }
      while (!pending.isEmpty()) {
        int s = queue.take();
        assertEquals(Collections.min(pending) / 10, queue.level());
        assertTrue(pending.remove((Integer) (queue.level() * 10 + s)));
        if (random.nextInt(3) == 0) {
          add(queue, pending, queue.level() + random.nextInt(50 - queue.level()), 9);
        }
      }
      assertEquals(-1, queue.take());
    }
  }

  private static void add(LevelQueue queue, List<Integer> pending, int level, int s) {
    queue.add(level, s);
    pending.add(level * 10 + s);
  }
}
