package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports of changed rules, as Open vSwitch 3.1.0 sends them. */
class FlowMonitorTest {
  private static final String HEAD_13 = "ffff0000000000004f4e46000000074e";
  private static final String HEAD_15 = "0010000000000000";
  private static final String RULE = "0001001680000a020800800019080a000200ffffff000000";
  private static final String ADDED_13 = "003000000000fde800000000001600000000000000000bad" + RULE;
  private static final String DELETED_13 =
      "003000010002fde800000000001600000000000000000bad" + RULE;
  private static final String MODIFIED_13 =
      "003000020000fde800000000001600000000000000000bad" + RULE;
  private static final String OURS_13 = "0008000300000006";
  private static final String ADDED_15 = "00300001000000000000fde8000000000000000000000bad" + RULE;
  private static final String OURS_15 = "0008000400000006";
  private static final String PAUSED_15 = "0008000500000000";

  private static ByteBuf reply(int version, String... parts) {
    byte[] body = ByteBufUtil.decodeHexDump(String.join("", parts));
    return Unpooled.buffer()
        .writeByte(version)
        .writeByte(19)
        .writeShort(OpenFlow13.HEADER_BYTES + body.length)
        .writeInt(0)
        .writeBytes(body);
  }

  private static boolean isByOthers(int version, String... parts) {
    ByteBuf reply = reply(version, parts);
    assertTrue(FlowMonitor.isOne(reply));
    return FlowMonitor.read(reply).isByOthers();
  }

  @Test
  void whatOthersAddRemoveAndModifyIsTheirsAndWhatIsAbbreviatedIsOurs() {
    for (String update : List.of(ADDED_13, DELETED_13, MODIFIED_13)) {
      assertTrue(isByOthers(4, HEAD_13, update));
      assertTrue(isByOthers(4, HEAD_13, OURS_13, update));
    }
    assertFalse(isByOthers(4, HEAD_13, OURS_13, OURS_13));
    assertFalse(isByOthers(4, HEAD_13), "the answer to the request");
    assertTrue(isByOthers(6, HEAD_15, OURS_15, ADDED_15));
    assertFalse(isByOthers(6, HEAD_15, OURS_15));
    assertTrue(isByOthers(6, HEAD_15, PAUSED_15), "updates are left out");
    assertTrue(isByOthers(4, HEAD_13, "00000003"), "no length");
  }

  @Test
  void otherMultipartRepliesAreNone() {
    assertFalse(FlowMonitor.isOne(reply(4, HEAD_15, ADDED_15)));
    assertFalse(FlowMonitor.isOne(reply(4, "ffff000000000000", "000023200000074e")));
    assertFalse(FlowMonitor.isOne(reply(4, "ffff000000000000")));
    assertFalse(FlowMonitor.isOne(reply(6, "0001000000000000")));
    ByteBuf request = FlowMonitor.request(4, 7);
    assertFalse(FlowMonitor.isOne(request));
  }

  @Test
  void theRequestIsThatOfOvsOfctlButForChangesOfOurOwn() {
    assertEquals(
        "0412003000000006" + HEAD_13 + "00000000000e0004ffffffffff0000000001000400000000",
        ByteBufUtil.hexDump(FlowMonitor.request(4, 6)));
    ByteBuf request = FlowMonitor.request(6, 6);
    assertEquals(request.readableBytes(), request.getUnsignedShort(2));
  }

  @Test
  void changesOfOthersAreReportedWhileTheSwitchIsUp() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    assertEquals(1, fixture.monitorRequests);
    int before = fixture.events.size();
    fixture.fromSwitch(ByteBufUtil.getBytes(reply(4, HEAD_13, OURS_13)));
    assertEquals(before, fixture.events.size());
    fixture.fromSwitch(ByteBufUtil.getBytes(reply(4, HEAD_13, ADDED_13)));
    assertEquals(List.of("rules changed"), fixture.events.subList(before, before + 1));
    assertTrue(fixture.channel.isActive());
  }
}
