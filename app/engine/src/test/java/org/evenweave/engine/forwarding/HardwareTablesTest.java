package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.evenweave.engine.nib.Snapshot;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.paths.Routing;
import org.evenweave.engine.port.SwitchTraits;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.fitting.FittedGroups;
import org.evenweave.wcmp.fitting.GroupSetFitting;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Groups in switches that hold weights as replicated entries. */
class HardwareTablesTest {
  private static final SwitchTraits HARDWARE =
      new SwitchTraits() {
        @Override
        public SwitchTarget target(String switchId) {
          return SwitchTarget.REPLICATED_ENTRIES;
        }
      };

  @Test
  void hardwareIsSentOneWeightedBucketAPort() {
    DesiredState desired = TableCompiler.compile(routing(Fabrics.figure32()), Map.of(), HARDWARE);
    assertEquals(
        "[group 0x1: port 1 has 1, port 2 has 1, port 3 has 2, port 4 has 2 of 6]",
        desired.tables().get("s1-0").groups().values().toString());
    GroupState group = desired.groupsAt("s1-0").get(0);
    assertEquals(4, group.group().bucketCount());
    assertEquals(6, group.entries());
    assertEquals(2, group.slotCount(3));
    assertEquals(1, group.oversubscription());
    assertEquals(SwitchTarget.REPLICATED_ENTRIES, desired.target("s1-0"));
  }

  @Test
  void theFabricFileOverrulesWhatASwitchSaysThatItIs() {
    FabricBuilder builder = new FabricBuilder();
    Fabric configured =
        builder
            .addSwitch("a", 1, Fabric.UNLIMITED, SwitchTarget.OVS_UNIT_BUCKETS)
            .addSwitch("b", 1, Fabric.UNLIMITED)
            .addLink("a/1", "b/1", 10)
            .addLink("a/2", "b/2", 10)
            .addSubnet("a", Ipv4Prefix.parse("10.0.0.0/24"))
            .addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"))
            .build();
    DesiredState desired = TableCompiler.compile(routing(configured), Map.of(), HARDWARE);
    assertEquals(256, desired.groupsAt("a").get(0).entries());
    assertEquals(2, desired.groupsAt("b").get(0).entries());
  }

  /** 3 + 3 entries would be exact. */
  @Test
  void theGroupsOfAHardwareTableThatIsTooSmallAreFittedTogether() {
    int[][] uplinks = {{2, 1}, {2, 1}, {1, 2}, {1, 1}};
    Fabric exact = Fabrics.clos(uplinks);
    int entries = entries(TableCompiler.compile(routing(exact), Map.of(), HARDWARE), "s1-0");
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < exact.switchCount(); s++) {
      builder.addSwitch(exact.switchId(s), exact.stage(s), s == 0 ? entries - 1 : 1000);
    }
    for (int link = 0; link < exact.linkCount(); link++) {
      builder.addLink(exact.end(2 * link), exact.end(2 * link + 1), exact.capacityBps(2 * link));
    }
    for (int i = 0; i < exact.subnetCount(); i++) {
      builder.addSubnet(exact.switchId(exact.subnetSwitch(i)), exact.subnetPrefix(i));
    }
    DesiredState desired = TableCompiler.compile(routing(builder.build()), Map.of(), HARDWARE);
    List<GroupState> groups = desired.groupsAt("s1-0");
    List<long[]> weights = new ArrayList<>();
    for (GroupState group : groups) {
      weights.add(IntStream.range(0, group.memberCount()).mapToLong(group::idealWeight).toArray());
    }
    FittedGroups fitted = GroupSetFitting.of(weights).into(entries - 1);
    assertTrue(fitted.oversubscription().compareTo(Ratio.ONE) > 0);
    for (int g = 0; g < groups.size(); g++) {
      assertArrayEquals(fitted.weights(g), groups.get(g).group().weights());
    }
  }

  /** Two links of 400 Gb/s and one of 100 Gb/s to the other switch, and what limits allow. */
  private static Routing nativeRouting(Limits limits) {
    FabricBuilder builder =
        new FabricBuilder()
            .addSwitch("a", 1, limits, SwitchTarget.NATIVE_WEIGHTS, LeaveOut.AUTO)
            .addSwitch("b", 1, limits, SwitchTarget.NATIVE_WEIGHTS, LeaveOut.AUTO);
    long[] gbps = {400, 400, 100};
    for (int i = 0; i < gbps.length; i++) {
      builder.addLink("a/" + (i + 1), "b/" + (i + 1), gbps[i] * 1_000_000_000L);
    }
    builder.addSubnet("a", Ipv4Prefix.parse("10.0.0.0/24"));
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.1.0/24"));
    return routing(builder.build());
  }

  private static String nativeGroup(Limits limits) {
    DesiredState desired = TableCompiler.compile(nativeRouting(limits), Map.of(), HARDWARE);
    assertEquals(SwitchTarget.NATIVE_WEIGHTS, desired.target("a"));
    GroupState state = desired.groupsAt("a").get(0);
    assertEquals(state.group().bucketCount(), state.entries());
    return state.group().toString();
  }

  @Test
  void aMemberOfANativeGroupTakesOneEntryWhateverItsWeight() {
    assertEquals(
        "group 0x1: port 1 has 4, port 2 has 4, port 3 has 1 of 9",
        nativeGroup(Limits.ofEntries(3)));
    assertEquals("group 0x1: port 1 has 1, port 2 has 1 of 2", nativeGroup(Limits.ofEntries(2)));
  }

  @Test
  void weightsKeepToTheLargestThatANativeGroupMayHave() {
    // 3:3:1 has 9/7 where leaving the port out has 9/8.
    assertEquals(
        "group 0x1: port 1 has 1, port 2 has 1 of 2",
        nativeGroup(Limits.NONE.with(Limits.Kind.MAX_WEIGHT, 3)));
    // 4:3:1 has 9/8 as well, and one port more.
    assertEquals(
        "group 0x1: port 1 has 4, port 2 has 3, port 3 has 1 of 8",
        nativeGroup(Limits.NONE.with(Limits.Kind.MAX_TOTAL_WEIGHT, 8)));
    CannotFitException tooSmall =
        assertThrows(
            CannotFitException.class,
            () -> nativeGroup(Limits.NONE.with(Limits.Kind.MAX_TOTAL_WEIGHT, 1)));
    assertEquals(
        "a: a group has 2 ports, and its weights may be 1 together", tooSmall.getMessage());
  }

  private static int entries(DesiredState desired, String switchId) {
    return desired.groupsAt(switchId).stream().mapToInt(GroupState::entries).sum();
  }

  private static Routing routing(Fabric fabric) {
    return PathCalculator.routes(new Snapshot(1, fabric, List.of()), WeightRule.EFFECTIVE_CAPACITY);
  }
}
