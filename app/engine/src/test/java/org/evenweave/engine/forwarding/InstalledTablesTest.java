package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.topology.FatTree;
import org.junit.jupiter.api.Test;

class InstalledTablesTest {
  private static final Fabric FABRIC = FatTree.of(4, 10_000_000_000L);

  private static SwitchTables tables(int port) {
    FlowRule rule = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), port);
    return new SwitchTables(Map.of(), Map.of(rule.key(), rule));
  }

  @Test
  void holdsWhatAMapHoldsAfterAnyChanges() {
    SplittableRandom random = new SplittableRandom(1);
    Map<String, SwitchTables> model = new HashMap<>();
    InstalledTables installed = InstalledTables.NONE;
    for (int step = 0; step < 300; step++) {
      Map<String, SwitchTables> changes = new HashMap<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        String id = FABRIC.switchId(random.nextInt(FABRIC.switchCount()));
        changes.put(id, random.nextInt(16) == 0 ? null : tables(step));
      }
      installed = installed.with(changes);
      model.putAll(changes);
      model.values().removeIf(tables -> tables == null);
      assertEquals(model, installed);
      Fabric fabric = random.nextBoolean() ? FABRIC : FABRIC.withLinksDown(random.nextInt(8));
      SwitchTables[] inOrder = InstalledTables.inOrder(installed, fabric);
      for (int s = 0; s < inOrder.length; s++) {
        assertSame(model.getOrDefault(fabric.switchId(s), SwitchTables.EMPTY), inOrder[s]);
      }
      assertEquals(
          model.size() == FABRIC.switchCount(),
          installed.hasAllOf(new Snapshot(1, fabric, List.of())));
    }
  }

  @Test
  void ordersSwitchesByAnotherFabricsNumbersToo() {
    String id = FABRIC.switchId(0);
    InstalledTables installed = InstalledTables.NONE.with(Map.of(id, tables(1)));
    InstalledTables.inOrder(installed, FABRIC);
    Fabric larger = FatTree.of(6, 10_000_000_000L);
    assertEquals(tables(1), InstalledTables.inOrder(installed, larger)[larger.indexOf(id)]);
  }

  @Test
  void keepsAVersionAsItWas() {
    InstalledTables earlier = InstalledTables.NONE.with(Map.of("a", tables(1)));
    Map<String, SwitchTables> unknown = new HashMap<>();
    unknown.put("a", null);
    InstalledTables later = earlier.with(unknown);
    assertEquals(tables(1), earlier.get("a"));
    assertNull(later.get("a"));
    assertTrue(earlier.containsKey("a"));
    assertFalse(later.containsKey("a"));
  }
}
