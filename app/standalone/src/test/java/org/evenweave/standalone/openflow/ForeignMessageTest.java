package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.openflow.TableEntry;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadRequestErrorMsg;

/** Messages that no controller requested: of every type, version and vendor. */
class ForeignMessageTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final String UP = "up s7 [port 1 up 10000000000 bps]";

  /**
   * Open vSwitch's (include/openflow/openflow-common.h): Nicira, ONF, Netronome, HP, Novell, Intel,
   * OpenFlow's own of Stanford; openflowj's: Big Switch; and one that nobody has.
   */
  private static final int[] VENDORS = {
    0x00002320,
    0x4f4e4600,
    0x0000154d,
    0x00002481,
    0x00000001,
    0x0000aa01,
    0x000026e1,
    0x005c16c7,
    0x7fffffff
  };

  private final FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1);
  private final ChannelFixture fixture = ChannelFixture.withUp(peer);

  private static byte[] message(int version, int type, byte[] body) {
    ByteBuf message = Unpooled.buffer();
    message.writeByte(version).writeByte(type).writeShort(8 + body.length).writeInt(0xbeef);
    return ByteBufUtil.getBytes(message.writeBytes(body));
  }

  private static byte[] experimenter(int vendor, int type, int moreBytes) {
    ByteBuf body = Unpooled.buffer();
    body.writeInt(vendor).writeInt(type).writeZero(moreBytes);
    return message(OpenFlow13.WIRE_VERSION, 4, ByteBufUtil.getBytes(body));
  }

  private void assertWorks() {
    assertTrue(fixture.channel.isActive(), fixture.events.toString());
    CompletableFuture<SwitchReading> tables = fixture.connection.readAll();
    fixture.settle();
    assertEquals(Set.of("lldp"), tables.join().own().flows().keySet());
  }

  private long counted() {
    return fixture.connection.foreignMessages().values().stream().mapToLong(n -> n).sum();
  }

  @Test
  void everyVendorsMessagesAreCountedByKindAndAnsweredByAnError() {
    long before = fixture.sent(OFBadRequestErrorMsg.class).size();
    for (int vendor : VENDORS) {
      fixture.fromSwitch(experimenter(vendor, 14, 16));
    }
    assertEquals(VENDORS.length, fixture.connection.foreignMessages().size());
    assertEquals(1, fixture.connection.foreignMessages().get("EXPERIMENTER 0x00002320 type 14"));
    List<OFBadRequestErrorMsg> answers = fixture.sent(OFBadRequestErrorMsg.class);
    assertEquals(VENDORS.length, answers.size() - before);
    for (OFBadRequestErrorMsg answer : answers) {
      assertEquals(OFBadRequestCode.BAD_EXPERIMENTER, answer.getCode());
      assertEquals(0xbeef, answer.getXid());
    }
    assertEquals(List.of(UP), fixture.events);
    assertWorks();
  }

  @Test
  void everyTypeOfEveryVendorIsSurvived() {
    int sent = 0;
    for (int vendor : VENDORS) {
      for (int type = 0; type <= 3000; type += type < 70 ? 1 : 37) {
        for (int moreBytes : new int[] {0, 1, 8, 40}) {
          fixture.fromSwitch(experimenter(vendor, type, moreBytes));
          sent++;
        }
      }
    }
    assertEquals(List.of(UP), fixture.events);
    assertEquals(sent, counted());
    assertTrue(fixture.connection.foreignMessages().size() <= 65, "kinds are bounded");
    assertWorks();
  }

  @Property(tries = 30)
  void messagesOfEveryTypeAndVersionAreSurvived(@ForAll long seed) {
    Random random = new Random(seed);
    FakeOpenFlowSwitch other = new FakeOpenFlowSwitch(7, 1);
    ChannelFixture channel = ChannelFixture.withUp(other);
    // So that what is answered by accident is no part of the test.
    channel.answering = false;
    for (int version = 1; version <= 6; version++) {
      for (int type = 0; type < 50; type++) {
        for (int length : new int[] {0, 4, 8, 16, 24, 56, 200}) {
          byte[] body = new byte[length];
          random.nextBytes(body);
          channel.fromSwitch(message(version, type, body));
          assertTrue(
              channel.channel.isActive(), "version " + version + " type " + type + " " + length);
        }
      }
    }
  }

  @Property(tries = 30)
  void unaskedMultipartRepliesOfEveryTypeAreSurvived(@ForAll long seed) {
    Random random = new Random(seed);
    for (int type = 0; type <= 0xffff; type += type < 30 ? 1 : 4095) {
      byte[] body = new byte[8 + random.nextInt(100)];
      random.nextBytes(body);
      body[0] = (byte) (type >> 8);
      body[1] = (byte) type;
      long before = counted();
      fixture.fromSwitch(message(OpenFlow13.WIRE_VERSION, 19, body));
      assertTrue(fixture.channel.isActive(), "multipart type " + type);
      assertEquals(before + 1, counted(), "multipart type " + type);
    }
  }

  @Test
  void aPacketForAReasonThatNoVersionHasIsCountedByItsReason() {
    byte[] packet = Wire.bytes(FakeOpenFlowSwitch.packetIn(1, new byte[60]));
    packet[14] = 9;
    fixture.fromSwitch(packet);
    fixture.fromSwitch(packet);
    assertEquals(Map.of("PACKET_IN with reason 9", 2L), fixture.connection.foreignMessages());
    assertEquals(List.of(UP), fixture.events);
    assertWorks();
  }

  @Test
  void aMessageOfAnotherVersionIsAnsweredByAnError() {
    fixture.fromSwitch(message(1, 10, new byte[20]));
    assertEquals(
        Map.of("PACKET_IN of OpenFlow wire version 1", 1L), fixture.connection.foreignMessages());
    assertEquals(
        OFBadRequestCode.BAD_VERSION, fixture.sent(OFBadRequestErrorMsg.class).get(0).getCode());
    assertWorks();
  }

  @Test
  void aFloodIsAnsweredByFewErrors() {
    for (int i = 0; i < 10_000; i++) {
      fixture.fromSwitch(experimenter(0x2320, 14, 0));
    }
    assertEquals(10_000, counted());
    assertTrue(fixture.sent(OFBadRequestErrorMsg.class).size() <= 1000);
    assertWorks();
  }

  /** Nicira's action resubmit, in a rule with the engine's cookie. */
  @Test
  void aRuleOfOursWithAVendorsActionsIsReadAsForeignAndCostsNoOther() {
    Ipv4Prefix changed = Ipv4Prefix.parse("10.0.1.0/24");
    Ipv4Prefix kept = Ipv4Prefix.parse("10.0.2.0/24");
    OFFlowStatsEntry first = entry(FlowRule.routeToPort(changed, 2));
    OFFlowStatsEntry second = entry(FlowRule.routeToPort(kept, 3));
    fixture.answering = false;
    CompletableFuture<SwitchReading> tables = fixture.connection.readAll();
    fixture.settle();
    long xid = fixture.sent(OFFlowStatsRequest.class).get(0).getXid();
    byte[] reply =
        Wire.bytes(OF.buildFlowStatsReply().setXid(xid).setEntries(List.of(first, second)).build());
    int lengthOfFirst = ((reply[16] & 0xff) << 8) | (reply[17] & 0xff);
    // The last action of the first rule, an output of 16 bytes, becomes Nicira's resubmit.
    byte[] resubmit = ByteBufUtil.decodeHexDump("ffff001000002320000efff814000000");
    System.arraycopy(resubmit, 0, reply, 16 + lengthOfFirst - 16, 16);
    fixture.fromSwitch(reply);
    fixture.fromSwitch(OF.buildGroupDescStatsReply().setXid(xid + 1).build());
    assertEquals(
        Map.of(FlowRule.routeToPort(kept, 3).key(), FlowRule.routeToPort(kept, 3)),
        tables.join().own().flows(),
        "the changed rule is missing, so an audit replaces it");
    assertEquals(1, tables.join().foreign().rules().size());
    assertEquals(Map.of(), fixture.connection.foreignMessages());
  }

  private static OFFlowStatsEntry entry(FlowRule rule) {
    return TableEntry.of(FlowMessages.add(rule, 1));
  }

  @Test
  void anAnswerThatCannotBeReadFailsItsRequestAlone() {
    fixture.answering = false;
    CompletableFuture<SwitchReading> tables = fixture.connection.readAll();
    fixture.settle();
    long xid = fixture.sent(OFFlowStatsRequest.class).get(0).getXid();
    byte[] reply = Wire.bytes(OF.buildGroupDescStatsReply().setXid(xid + 1).build());
    byte[] broken = Arrays.copyOf(reply, reply.length + 8);
    broken[3] = (byte) broken.length;
    broken[17] = 99;
    fixture.fromSwitch(broken);
    assertTrue(tables.isCompletedExceptionally());
    fixture.answering = true;
    assertWorks();
  }
}
