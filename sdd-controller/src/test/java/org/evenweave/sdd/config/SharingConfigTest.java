package org.evenweave.sdd.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.sdd.sharing.GuaranteeException;

class SharingConfigTest {
  /** Classes of a random tree, of which each is guaranteed half of its ceiling at most. */
  private static SharingConfig random(Random random) {
    List<TrafficClass> classes = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int c = 0; c < count; c++) {
      int parent = random.nextInt(c + 1) - 1;
      long ceiling = 1L + random.nextInt(100);
      long guaranteed = random.nextInt((int) ceiling / 2 + 1);
      classes.add(new TrafficClass("c" + c, parent, 1, guaranteed, ceiling, List.of()));
    }
    return new SharingConfig(
        JsonNodeFactory.instance.objectNode(),
        SharingConfig.Method.TREE,
        1_000,
        1,
        classes,
        Map.of());
  }

  private static boolean isTree(SharingConfig config) {
    try {
      return config.tree() != null;
    } catch (GuaranteeException e) {
      return false;
    }
  }

  /** Whatever is taken from whom: no guarantee is left that does not fit, and no ceiling grows. */
  @Property
  void whatIsLimitedFurtherStillFits(@ForAll long seed) {
    Random random = new Random(seed);
    SharingConfig config = random(random);
    while (!isTree(config)) {
      config = random(random);
    }
    Map<String, Long> most = new HashMap<>();
    for (TrafficClass each : config.classes()) {
      if (random.nextInt(3) == 0) {
        most.put(each.name(), (long) random.nextInt(60));
      }
    }
    SharingConfig limited = config.atMost(most);
    assertTrue(isTree(limited));
    for (int c = 0; c < config.classes().size(); c++) {
      TrafficClass before = config.classes().get(c);
      TrafficClass after = limited.classes().get(c);
      long asked = Math.min(before.ceilingBps(), most.getOrDefault(before.name(), 1_000L));
      boolean inClosed =
          before.parent() >= 0 && limited.classes().get(before.parent()).ceilingBps() == 0;
      assertEquals(inClosed ? 0 : asked, after.ceilingBps());
      assertTrue(after.guaranteedBps() <= after.ceilingBps());
    }
    assertEquals(config.json(), limited.json());
  }
}
