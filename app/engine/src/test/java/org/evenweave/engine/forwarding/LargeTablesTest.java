package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** From switch a, three links lead to b, of weights 1000:1001:997. */
class LargeTablesTest {
  /** 256 slots give 1.0061, 512 and 1024 give 1.0013, 2048 give 1.0003. */
  private static final Ratio LIMIT = Ratio.parse("1.0005");

  private static Routing routing(SwitchTarget target, int tableEntries) {
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("a", 1, tableEntries, target)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 1000)
            .addLink("a/2", "b/2", 1001)
            .addLink("a/3", "b/3", 997)
            .addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"))
            .build();
    return PathCalculator.routes(new Snapshot(1, fabric, List.of()), WeightRule.EFFECTIVE_CAPACITY);
  }

  private static DesiredState compile(
      Routing routing, Ratio limit, Map<String, SwitchTables> installed, SwitchTraits traits) {
    return TableCompiler.compile(routing, limit, LeaveOut.NEVER, installed, traits, null);
  }

  private static SelectGroup group(DesiredState desired) {
    return desired.tables().get("a").group(1);
  }

  @Test
  void aLimitThat256SlotsExceedTakesALargeTableByItself() {
    Routing routing = routing(null, Fabric.UNLIMITED);
    DesiredState desired = compile(routing, LIMIT, Map.of(), SwitchTraits.UNKNOWN);
    assertTrue(group(desired).isLarge());
    assertEquals(2048, group(desired).totalWeight());
    assertEquals(SwitchTarget.OVS_LARGE_TABLES, desired.target("a"));
    assertTrue(desired.groupsAt("a").get(0).exactOversubscription().compareTo(LIMIT) <= 0);
    DesiredState again = compile(routing, LIMIT, desired.tables(), SwitchTraits.UNKNOWN);
    assertSame(desired.tables().get("a"), again.tables().get("a"));
  }

  @Test
  void aLimitThat256SlotsMeetTakesNone() {
    Routing routing = routing(null, Fabric.UNLIMITED);
    DesiredState desired = compile(routing, Ratio.parse("1.01"), Map.of(), SwitchTraits.UNKNOWN);
    assertFalse(group(desired).isLarge());
    assertEquals(SwitchTarget.OVS_UNIT_BUCKETS, desired.target("a"));
    DesiredState nearest = compile(routing, Ratio.ONE, Map.of(), SwitchTraits.UNKNOWN);
    assertEquals(256, group(nearest).totalWeight());
  }

  /** From 256 by an event, and back. */
  @Test
  void moreThan256NextHopsTakeALargeTableByThemselves() {
    Fabric wide = wide(258).withLinksDown(0, 1);
    Snapshot before = new Snapshot(1, wide, List.of());
    Routing few = PathCalculator.routes(before, WeightRule.EFFECTIVE_CAPACITY);
    DesiredState small = compile(few, Ratio.ONE, Map.of(), SwitchTraits.UNKNOWN);
    assertEquals(256, group(small).bucketCount());
    Snapshot after = new Snapshot(2, wide.withLinksUp(0), List.of());
    Routing many = PathCalculator.routes(after, WeightRule.EFFECTIVE_CAPACITY, few);
    DesiredState large =
        TableCompiler.compile(
            many, Ratio.ONE, LeaveOut.NEVER, small.tables(), SwitchTraits.UNKNOWN, small);
    assertEquals(512, group(large).bucketCount());
    assertEquals(SwitchTarget.OVS_LARGE_TABLES, large.target("a"));
    Routing fewAgain = PathCalculator.routes(before, WeightRule.EFFECTIVE_CAPACITY, many);
    DesiredState smallAgain =
        TableCompiler.compile(
            fewAgain, Ratio.ONE, LeaveOut.NEVER, large.tables(), SwitchTraits.UNKNOWN, large);
    assertEquals(256, group(smallAgain).bucketCount());
  }

  /** Links from a to b, all alike. */
  private static Fabric wide(int links) {
    FabricBuilder builder =
        new FabricBuilder()
            .addSwitch("a", 1, Fabric.UNLIMITED)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"));
    for (int port = 1; port <= links; port++) {
      builder.addLink("a/" + port, "b/" + port, 1000);
    }
    return builder.build();
  }

  @Test
  void theFabricFileDecides() {
    Routing few = routing(SwitchTarget.OVS_UNIT_BUCKETS, Fabric.UNLIMITED);
    assertEquals(256, group(compile(few, LIMIT, Map.of(), SwitchTraits.UNKNOWN)).totalWeight());
    Routing many = routing(SwitchTarget.OVS_LARGE_TABLES, 10_000);
    DesiredState nearest = compile(many, Ratio.ONE, Map.of(), SwitchTraits.UNKNOWN);
    assertEquals(8192, group(nearest).totalWeight());
    assertEquals(SwitchTarget.OVS_LARGE_TABLES, nearest.target("a"));
  }

  @Test
  void aSwitchThatMayNotGetThemByItselfGetsThemWhereTheFileSaysSo() {
    SwitchTraits asked =
        new SwitchTraits() {
          @Override
          public boolean mayChooseLargeTables(String switchId) {
            return !switchId.equals("a");
          }
        };
    Routing free = routing(null, Fabric.UNLIMITED);
    assertEquals(256, group(compile(free, LIMIT, Map.of(), asked)).totalWeight());
    Routing said = routing(SwitchTarget.OVS_LARGE_TABLES, Fabric.UNLIMITED);
    assertEquals(2048, group(compile(said, LIMIT, Map.of(), asked)).totalWeight());
  }

  @Test
  void aTableThatChangesKeepsTheSlotsItCan() {
    DesiredState small =
        compile(
            routing(null, Fabric.UNLIMITED), Ratio.parse("1.01"), Map.of(), SwitchTraits.UNKNOWN);
    DesiredState large =
        compile(routing(null, Fabric.UNLIMITED), LIMIT, small.tables(), SwitchTraits.UNKNOWN);
    int kept = 0;
    for (int slot = 0; slot < 2048; slot++) {
      int before = group(small).port(slot % group(small).bucketCount());
      kept += group(large).port(slot) == before ? 1 : 0;
    }
    assertTrue(kept > 2048 * 9 / 10, kept + " of 2048 slots are kept");
    assertEquals(1, group(large).id());
  }
}
