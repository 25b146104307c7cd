package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;

class GroupCodecTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final SelectGroup DAMAGED =
      new SelectGroup(5, new int[] {FlowCodec.NO_PORT}, new int[] {1});

  @Provide
  Arbitrary<SelectGroup> groups() {
    return Any.groups();
  }

  @Property(tries = 200)
  void aGroupSurvivesTheWireToTheTableAndBack(@ForAll("groups") SelectGroup group) {
    assertEquals(group, readBack(GroupCodec.add(group, 1)));
    assertEquals(group, readBack(GroupCodec.modify(group, 1)));
  }

  @Test
  void everyBucketWatchesItsOwnPort() {
    OFGroupMod mod = Wire.carried(GroupCodec.add(Any.group(5, 1, 2, 3), 1));
    for (OFBucket bucket : mod.getBuckets()) {
      assertEquals(List.of(OF.actions().output(bucket.getWatchPort(), 0)), bucket.getActions());
      assertEquals(OFGroup.ANY, bucket.getWatchGroup());
    }
  }

  @Test
  void theLargestGroupFitsOneMessageAndALargerOneIsRefusedUnsent() {
    int[] slots = new int[GroupCodec.MAX_BUCKETS + 1];
    Arrays.fill(slots, 1);
    SelectGroup larger = SelectGroup.ofSlots(5, slots);
    SelectGroup largest = SelectGroup.ofSlots(5, Arrays.copyOf(slots, GroupCodec.MAX_BUCKETS));
    assertTrue(Wire.bytes(GroupCodec.add(largest, 1)).length <= 0xffff);
    assertNull(OperationCodec.problem(SwitchOperation.addGroup(largest)));
    assertEquals(
        "1637 buckets do not fit one OpenFlow message, which holds 1636",
        OperationCodec.problem(SwitchOperation.modifyGroup(larger)));
  }

  @Test
  void whatCannotBeSaidIsRefusedUnsent() {
    Ipv4Prefix prefix = Ipv4Prefix.parse("10.0.0.0/8");
    List<SwitchOperation> wrong =
        List.of(
            SwitchOperation.addGroup(Any.group(0, 1)),
            SwitchOperation.addGroup(Any.group(-1, 1)),
            SwitchOperation.addGroup(Any.group(OpenFlow13.LAST_GROUP + 1, 1)),
            SwitchOperation.deleteGroup(Any.group(OpenFlow13.LAST_GROUP + 1, 1)),
            SwitchOperation.addGroup(Any.group(5, GroupCodec.MAX_WEIGHT + 1)),
            SwitchOperation.addGroup(DAMAGED),
            SwitchOperation.putFlow(FlowRule.routeToGroup(prefix, 0)),
            SwitchOperation.putFlow(FlowRule.routeToPort(prefix, FlowCodec.NO_PORT)),
            SwitchOperation.putFlow(FlowRule.deliver(1, -2, 1, 2)));
    for (SwitchOperation operation : wrong) {
      assertNotNull(OperationCodec.problem(operation), operation.toString());
    }
  }

  @Test
  void whatWasReadAsDamagedCanStillBeDeleted() {
    assertNull(OperationCodec.problem(SwitchOperation.deleteGroup(DAMAGED)));
    assertNull(
        OperationCodec.problem(
            SwitchOperation.deleteFlow(
                FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/8"), FlowCodec.NO_PORT))));
  }

  @Test
  void aGroupThatSomeoneChangedEqualsNothingWanted() {
    OFBucket good = GroupCodec.add(Any.group(5, 1), 1).getBuckets().get(0);
    List<OFBucket> bad =
        List.of(
            good.createBuilder().setWatchPort(OFPort.of(2)).build(),
            good.createBuilder().setWatchPort(OFPort.ANY).build(),
            good.createBuilder().setActions(List.of()).build(),
            good.createBuilder().setActions(List.of(OF.actions().decNwTtl())).build());
    for (OFBucket bucket : bad) {
      assertEquals(DAMAGED, GroupCodec.read(entry(OFGroupType.SELECT, List.of(good, bucket))));
    }
    assertEquals(DAMAGED, GroupCodec.read(entry(OFGroupType.ALL, List.of(good))));
    assertEquals(DAMAGED, GroupCodec.read(entry(OFGroupType.SELECT, List.of())));
    assertEquals(Any.group(5, 1), GroupCodec.read(entry(OFGroupType.SELECT, List.of(good))));
  }

  private static OFGroupDescStatsEntry entry(OFGroupType type, List<OFBucket> buckets) {
    return OF.buildGroupDescStatsEntry()
        .setGroup(OFGroup.of(5))
        .setGroupType(type)
        .setBuckets(buckets)
        .build();
  }

  /** What is read of the group a group mod makes. */
  private static SelectGroup readBack(OFGroupMod mod) {
    OFGroupDescStatsEntry entry = FakeOpenFlowSwitch.entry(Wire.carried(mod));
    return GroupCodec.read(
        Wire.carried(OF.buildGroupDescStatsReply().setEntries(List.of(entry)).build())
            .getEntries()
            .get(0));
  }
}
