package org.evenweave.engine.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

class SwitchTablesTest {
  @Property(tries = 500)
  void routesInAndAroundAPrefixAreThoseThatAFilterFinds(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, FlowRule> rules = new HashMap<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      FlowRule rule = FlowRule.routeToPort(prefix(random), 1);
      rules.put(rule.key(), rule);
    }
    SwitchTables tables = new SwitchTables(Map.of(), rules);
    Ipv4Prefix outer = prefix(random);
    List<FlowRule> expected = new ArrayList<>();
    tables.forEachRoute(
        rule -> {
          Ipv4Prefix inner = rule.prefix();
          if (inner.length() >= outer.length() && outer.contains(inner.address())) {
            expected.add(rule);
          }
        });
    List<FlowRule> found = new ArrayList<>();
    tables.forEachRouteIn(outer, found::add);
    assertEquals(expected, found);
    List<FlowRule> around = new ArrayList<>();
    tables.forEachRoute(
        rule -> {
          Ipv4Prefix prefix = rule.prefix();
          if (prefix.length() < outer.length() && prefix.contains(outer.address())) {
            around.add(rule);
          }
        });
    found.clear();
    tables.forEachRouteAround(outer, found::add);
    assertEquals(Set.copyOf(around), Set.copyOf(found));
    assertEquals(around.size(), found.size());
  }

  /** Near the ends of the address range too, where the last address is the highest number. */
  private static Ipv4Prefix prefix(SplittableRandom random) {
    int length = random.nextInt(33);
    int mask = length == 0 ? 0 : -1 << (32 - length);
    int[] bases = {0, 0x0a000000, -1};
    return Ipv4Prefix.of((bases[random.nextInt(3)] ^ random.nextInt(1 << 12)) & mask, length);
  }
}
