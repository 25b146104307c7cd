package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.U64;

/**
 * The bytes of OpenFlow 1.3.5 in hex, the same with every release of openflowj. A line is a header,
 * a match field, an action or a bucket.
 */
class EncodingTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);

  @Test
  void aRouteToAGroup() {
    assertEquals(
        String.join(
            "",
            "040e006800000009000000000000000000000000000000000000000000002728ffffffffffffffffffffffff00000000",
            "00010020",
            "80000606024556570001",
            "80000a020800",
            "800019080a000100ffffff00",
            "0004001800000000",
            "0018000800000000",
            "0016000800000007"),
        Bytes.of(flowAdd(FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), 7))));
  }

  @Test
  void aDelivery() {
    assertEquals(
        String.join(
            "",
            "040e009000000009000000000000000000000000000000000000000000002730ffffffffffffffffffffffff00000000",
            "0001001c",
            "80000606024556570001",
            "80000a020800",
            "800018040a00010700000000",
            "0004004000000000",
            "0018000800000000",
            "00190010800008060200000000010000",
            "00190010800006060000000000fe0000",
            "00000010000000030000000000000000"),
        Bytes.of(flowAdd(FlowRule.deliver(0x0a000107, 3, 0x02_00_00_00_00_01L, 0xfeL))));
  }

  /** A drop has no instructions. */
  @Test
  void aDropOfTaggedFrames() {
    assertEquals(
        String.join(
            "",
            "040e00400000000900000000000000000000000000000000000000000000ea60ffffffffffffffffffffffff00000000",
            "0001000c",
            "80000d041000100000000000"),
        Bytes.of(flowAdd(GuardRules.dropTagged())));
  }

  @Test
  void aHairpin() {
    assertEquals(
        String.join(
            "",
            "040e009800000009000000000000000000000000000000000000000000003a98ffffffffffffffffffffffff00000000",
            "00010024",
            "8000000400000003",
            "80000606024556570001",
            "80000a020800",
            "800018040a00010700000000",
            "0004004000000000",
            "0018000800000000",
            "00190010800008060200000000010000",
            "00190010800006060000000000fe0000",
            "00000010fffffff80000000000000000"),
        Bytes.of(flowAdd(FlowRule.hairpin(0x0a000107, 3, 0x02_00_00_00_00_01L, 0xfeL))));
  }

  @Test
  void anArpReply() {
    assertEquals(
        String.join(
            "",
            "040e00f000000009000000000000000000000000000000000000000000009c41ffffffffffffffffffffffff00000000",
            "00010032",
            "8000000400000003",
            "80000a020806",
            "80002a020001",
            "80002c040a000107",
            "80002e040a000001",
            "80003006020000000001000000000000",
            "0004008800000000",
            "00190010800008060000000000fe0000",
            "00190010800006060200000000010000",
            "0019001080002a020002000000000000",
            "00190010800030060000000000fe0000",
            "0019001080002c040a00000100000000",
            "00190010800032060200000000010000",
            "0019001080002e040a00010700000000",
            "00000010fffffff80000000000000000"),
        Bytes.of(
            flowAdd(FlowRule.arpReply(0x0a000001, 0xfeL, 0x0a000107, 0x02_00_00_00_00_01L, 3))));
  }

  @Test
  void aGroup() {
    assertEquals(
        String.join(
            "",
            "040f0050000000090001010000000005",
            "0020000300000001ffffffff0000000000000010000000010000000000000000",
            "0020000400000002ffffffff0000000000000010000000020000000000000000"),
        Bytes.of(GroupCodec.modify(OF, new SelectGroup(5, new int[] {1, 2}, new int[] {3, 4}), 9)));
  }

  @Test
  void theEntriesOfALargeTable() {
    SwitchOperation table =
        SwitchOperation.addGroup(SelectGroup.largeTable(5, new int[] {1, 2, 2, 1}));
    List<OperationStep> steps = new OperationMessages(U64.of(7), U64.NO_MASK, 0).steps(table);
    List<String> messages = new ArrayList<>();
    steps.forEach(step -> messages.add(Bytes.of(step.message(OF, 9))));
    // All slots are deleted, each port's group is deleted and added, then come four slots.
    assertEquals(1 + 2 * 2 + 4 + 1, messages.size());
    assertEquals(
        String.join(
            "",
            "040e004800000009",
            "0000000000000007ffffffffffffffff1403000000000000ffffffffffffffffffffffff00000000",
            "00010018",
            "800005100000000000050000ffffffffffff0000"),
        messages.get(0));
    assertEquals(
        String.join(
            "",
            "040f005000000009000003002005" + "0001",
            "0020000000000001ffffffff0000000000000010000000010000000000000000",
            "0020000000000002ffffffff0000000000000010000000020000000000000000"),
        messages.get(2));
    assertEquals(
        String.join(
            "",
            "040e005000000009",
            "000000000000000700000000000000001400000000000001ffffffffffffffffffffffff00000000",
            "00010010",
            "800004080000000000050001",
            "00040010000000000016000820050002"),
        messages.get(6));
    assertEquals(
        String.join(
            "",
            "040f003000000009" + "0000020000000005",
            "00200000ffffffffffffffff00000000",
            "00190010800004080000000000050002"),
        messages.get(9));
  }

  @Test
  void theRequestForPacketsWhoseTtlIsUsedUp() {
    assertEquals(
        String.join(
            "",
            "041c002000000009", // Each mask of a master, then of a slave.
            "0000000700000000",
            "0000000700000007",
            "0000000f00000000"),
        Bytes.of(ExpiredPacketReports.request(OF, 9)));
    for (OFVersion version : List.of(OFVersion.OF_14, OFVersion.OF_15)) {
      OFFactory factory = OFFactories.getFactory(version);
      assertEquals(
          "0" + version.getWireVersion() + "1c001000000009" + "000100080000003f",
          Bytes.of(ExpiredPacketReports.request(factory, 9)));
    }
  }

  private static OFFlowAdd flowAdd(FlowRule rule) {
    return OF.buildFlowAdd()
        .setXid(9)
        .setPriority(rule.priority())
        .setBufferId(OFBufferId.NO_BUFFER)
        .setMatch(FlowCodec.match(OF, rule))
        .setInstructions(FlowCodec.instructions(OF, rule))
        .build();
  }
}
