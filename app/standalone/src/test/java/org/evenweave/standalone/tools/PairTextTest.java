package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.PairRoutes;
import org.evenweave.wcmp.weights.PairRule;

class PairTextTest {
  @Property(tries = 50)
  void isTheTextOfTheNodes(
      @ForAll @IntRange(min = 2, max = 6) int switches,
      @ForAll @IntRange(max = 12) int links,
      @ForAll PairRule rule,
      @ForAll long seed) {
    Fabric fabric = Fabrics.random(new SplittableRandom(seed), switches, links);
    PairText text = new PairText(fabric);
    for (PairRoutes pair : rule.routesBothWays(fabric, 0, 1)) {
      assertEquals(RoutesJson.pair(fabric, pair).toString(), text.of(pair));
    }
  }
}
