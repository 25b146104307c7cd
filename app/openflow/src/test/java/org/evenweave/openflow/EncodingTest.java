package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFBufferId;

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
            "040e006000000009000000000000000000000000000000000000000000002728ffffffffffffffffffffffff00000000",
            "00010016",
            "80000a020800",
            "800019080a000100ffffff000000",
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
            "040e008800000009000000000000000000000000000000000000000000002730ffffffffffffffffffffffff00000000",
            "00010012",
            "80000a020800",
            "800018040a000107000000000000",
            "0004004000000000",
            "0018000800000000",
            "00190010800008060200000000010000",
            "00190010800006060000000000fe0000",
            "00000010000000030000000000000000"),
        Bytes.of(flowAdd(FlowRule.deliver(0x0a000107, 3, 0x02_00_00_00_00_01L, 0xfeL))));
  }

  @Test
  void anArpAnswer() {
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
            flowAdd(FlowRule.answerArp(0x0a000001, 0xfeL, 0x0a000107, 0x02_00_00_00_00_01L, 3))));
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
