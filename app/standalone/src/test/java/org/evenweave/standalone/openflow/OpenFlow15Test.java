package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTableReader;
import org.evenweave.openflow.OperationStep;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.ver15.OFFactoryVer15;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/** Against openflowj's own OpenFlow 1.5 where it has the message, else against the bytes. */
class OpenFlow15Test {
  private static final OFFactory OF13 = OpenFlow13.FACTORY;
  private static final OFFactory OF15 = OFFactoryVer15.INSTANCE;
  private static final byte[] FRAME = {1, 2, 3};

  @Provide
  Arbitrary<FlowRule> rules() {
    return Any.rules(OpenFlow13.FIRST_GROUP, OpenFlow13.LAST_GROUP);
  }

  @Provide
  Arbitrary<SelectGroup> groups() {
    return Any.groups(OpenFlow13.FIRST_GROUP, OpenFlow13.LAST_GROUP);
  }

  static Dialect dialect(long datapathId) {
    Dialect dialect = new Dialect();
    dialect.agreeOn(OpenFlow15.WIRE_VERSION);
    dialect.seedHash(datapathId);
    return dialect;
  }

  private static byte[] said(Dialect dialect, OFMessage message) {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageEncoder(dialect));
    channel.writeOutbound(message);
    ByteBuf bytes = channel.readOutbound();
    channel.finish();
    try {
      return ByteBufUtil.getBytes(bytes);
    } finally {
      bytes.release();
    }
  }

  private static Object heard(Dialect dialect, byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(dialect));
    channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    Object message = channel.readInbound();
    if (message instanceof ForeignPart) {
      message = channel.readInbound();
    }
    channel.finish();
    return message;
  }

  private static OFMessage read15(byte[] bytes) throws OFParseError {
    return OF15.getReader().readFrom(Unpooled.wrappedBuffer(Wire.readable(bytes)));
  }

  @Property(tries = 200)
  void rulesAreTheSameInBothVersions(@ForAll("rules") FlowRule rule) throws OFParseError {
    OFFlowAdd flow = (OFFlowAdd) read15(said(dialect(7), FlowMessages.add(rule, 9)));
    assertEquals(9, flow.getXid());
    // The same message in 1.3 but for its version byte.
    byte[] bytes = Wire.bytes(flow);
    bytes[0] = OpenFlow13.WIRE_VERSION;
    assertArrayEquals(Wire.bytes(FlowMessages.add(rule, 9)), bytes);
  }

  @Test
  void aPacketOutHasItsPortInAMatch() throws OFParseError {
    OFPacketOut sent =
        OF13.buildPacketOut()
            .setXid(3)
            .setBufferId(OFBufferId.NO_BUFFER)
            .setInPort(OFPort.CONTROLLER)
            .setActions(List.of(OF13.actions().output(OFPort.of(5), 0)))
            .setData(FRAME)
            .build();
    OFPacketOut read = (OFPacketOut) read15(said(dialect(7), sent));
    assertEquals(OFPort.CONTROLLER, read.getMatch().get(MatchField.IN_PORT));
    assertEquals(List.of(OF15.actions().output(OFPort.of(5), 0)), read.getActions());
    assertArrayEquals(FRAME, read.getData());
  }

  @Test
  void allPortsAndAllGroupsAreAskedFor() throws OFParseError {
    byte[] ports = said(dialect(7), OF13.buildPortDescStatsRequest().setXid(1).build());
    assertEquals(OFPort.ANY, ((OFPortDescStatsRequest) read15(ports)).getPortNo());
    assertEquals(
        "0612001800000002000700000000" + "0000" + "fffffffc00000000",
        ByteBufUtil.hexDump(said(dialect(7), OF13.buildGroupDescStatsRequest().setXid(2).build())));
  }

  @Test
  void aGroupHasNumberedBucketsAndTheSelectionMethod() {
    byte[] bytes =
        said(dialect(7), GroupCodec.add(OpenFlow13.FACTORY, Any.group(OwnGroups.id(5), 1, 3), 2));
    String param = String.format(Locale.ROOT, "%016x", dialect(7).selectionMethodParameter());
    assertEquals(
        "060f009000000002" // header
            + "0000010045570005" // add, SELECT, group
            + "00500000ffffffff" // 80 bytes of buckets
            + "0028001000000000" // bucket 0 of 40 bytes, 16 of actions
            + "00000010000000010000000000000000" // output:1
            + "0000000800010000" // weight 1
            + "0001000800000001" // watch port 1
            + "0028001000000001"
            + "00000010000000020000000000000000"
            + "0000000800030000"
            + "0001000800000002"
            + "ffff00280000154d0000000100000000" // selection method of Netronome
            + "64705f68617368000000000000000000" // dp_hash
            + param,
        ByteBufUtil.hexDump(bytes));
    byte[] deleted = said(dialect(7), GroupCodec.delete(OpenFlow13.FACTORY, OwnGroups.id(5), 2));
    assertEquals("060f001800000002000201004557000500000000ffffffff", ByteBufUtil.hexDump(deleted));
  }

  /** As Open vSwitch 3.1 was seen to take and to describe it: in 1.5 it copies fields only. */
  @Test
  void theGroupThatLeadsToALargeTableHashesIntoTheMetadata() {
    SwitchOperation table =
        SwitchOperation.addGroup(SelectGroup.largeTable(OwnGroups.id(1), new int[512]));
    List<OperationStep> steps = OperationCodec.steps(table);
    OFMessage lead = steps.get(steps.size() - 1).message(OF13, 2);
    String metadata = "00190010800004080000455700010000";
    String move = "ffff001800002320000600090000000000014604" + "80000408";
    String copy = "001c00180009000000000000000146048000040800000000";
    String resubmit = "ffff001000002320000efff814000000";
    assertEquals(
        "040f005800000002"
            + "0000010045570001"
            + "00480001ffffffffffffffff00000000"
            + metadata
            + move
            + resubmit,
        ByteBufUtil.hexDump(said(new Dialect(), lead)));
    byte[] sent = said(dialect(7), lead);
    String start =
        "060f008800000002" + "0000010045570001" + "00480000ffffffff" + "0048003800000000";
    String end = resubmit + "0000000800010000" + "ffff00280000154d";
    assertTrue(ByteBufUtil.hexDump(sent).startsWith(start + metadata + copy + end));
    LargeTableReader reader = new LargeTableReader(OpenFlow13.FIRST_GROUP);
    OFGroupDescStatsReply reply = (OFGroupDescStatsReply) heard(dialect(7), description(sent));
    assertTrue(reader.add(reply.getEntries().get(0)));
    Map<Integer, SelectGroup> groups = new HashMap<>();
    reader.addTo(groups);
    assertEquals(512, groups.get(OwnGroups.id(1)).bucketCount());
    // Hashed by the basis of another switch it is not the group wanted, but can be read.
    OFGroupDescStatsReply seen = (OFGroupDescStatsReply) heard(dialect(8), description(sent));
    assertFalse(new LargeTableReader(OpenFlow13.FIRST_GROUP).add(seen.getEntries().get(0)));
    assertFalse(GroupCodec.read(seen.getEntries().get(0)).isSlotTable());
  }

  @Test
  void aPortsGroupHasNeitherWeightsNorAHash() {
    SwitchOperation table =
        SwitchOperation.addGroup(SelectGroup.largeTable(OwnGroups.id(1), new int[] {3, 4}));
    byte[] sent = said(dialect(7), OperationCodec.steps(table).get(2).message(OF13, 2));
    assertEquals(
        "060f005800000002"
            + "0000030020010003"
            + "00400000ffffffff"
            + "0020001000000000"
            + "00000010000000030000000000000000"
            + "0001000800000003"
            + "0020001000000001"
            + "00000010000000040000000000000000"
            + "0001000800000004",
        ByteBufUtil.hexDump(sent));
    OFGroupDescStatsReply reply = (OFGroupDescStatsReply) heard(dialect(7), description(sent));
    assertTrue(new LargeTableReader(OpenFlow13.FIRST_GROUP).add(reply.getEntries().get(0)));
    assertEquals(OFGroupType.FF, reply.getEntries().get(0).getGroupType());
  }

  /** What a switch answers that holds the group of a group mod. */
  private static byte[] description(byte[] groupMod) {
    ByteBuf mod = Unpooled.wrappedBuffer(groupMod);
    ByteBuf reply = Unpooled.buffer();
    reply.writeByte(6).writeByte(19).writeShort(0).writeInt(1).writeShort(7).writeZero(6);
    reply.writeShort(16 + groupMod.length - 24).writeBytes(mod, 10, 6);
    reply.writeBytes(mod, 16, 2).writeZero(6).writeBytes(mod, 24, groupMod.length - 24);
    reply.setShort(2, reply.readableBytes());
    return ByteBufUtil.getBytes(reply);
  }

  private static SelectGroup readBack(Dialect dialect, byte[] groupMod) {
    byte[] reply = description(groupMod);
    return GroupCodec.read(((OFGroupDescStatsReply) heard(dialect, reply)).getEntries().get(0));
  }

  @Property(tries = 200)
  void whatWasSentIsReadBack(@ForAll("groups") SelectGroup group) {
    byte[] sent = said(dialect(7), GroupCodec.modify(OpenFlow13.FACTORY, group, 1));
    assertTrue(sent.length <= 0xffff);
    // A reply of one group with the most buckets does not fit, and would come in no message.
    if (description(sent).length <= 0xffff) {
      assertEquals(group, readBack(dialect(7), sent));
    }
  }

  @Test
  void aGroupThatIsHashedInAnotherWayIsNotTheOneWanted() {
    SelectGroup group = Any.group(OwnGroups.id(5), 1, 2);
    Dialect unseeded = dialect(7);
    unseeded.leaveHash();
    byte[] plain = said(unseeded, GroupCodec.add(OpenFlow13.FACTORY, group, 1));
    byte[] seeded = said(dialect(7), GroupCodec.add(OpenFlow13.FACTORY, group, 1));
    assertEquals(group, readBack(unseeded, plain));
    assertNotEquals(group, readBack(dialect(7), plain));
    assertNotEquals(group, readBack(dialect(8), seeded));
    assertNotEquals(group, readBack(unseeded, seeded));
    assertEquals(OwnGroups.id(5), readBack(dialect(8), seeded).id());
  }

  @Test
  void neighbouringSwitchesHaveDifferentBases() {
    long distinct =
        LongStream.range(0, 10_000)
            .map(id -> dialect(id).selectionMethodParameter())
            .distinct()
            .count();
    assertEquals(10_000, distinct);
  }

  /** A message of 1.5 as a switch sends it, as it is heard here. */
  static OFMessage heard(OFMessage sent) {
    return (OFMessage) heard(dialect(7), Wire.bytes(sent));
  }

  private static OFPortDesc port15(int number) {
    return OF15.buildPortDesc()
        .setPortNo(OFPort.of(number))
        .setHwAddr(MacAddress.of(number))
        .setName("port" + number)
        .setConfig(Set.<OFPortConfig>of())
        .setState(Set.of(OFPortState.LINK_DOWN))
        .setProperties(List.of(OF15.buildPortDescPropEthernet().setCurrSpeed(5000).build()))
        .build();
  }

  @Test
  void portsAreHeardWithTheirSpeed() {
    OFPortDescStatsReply reply =
        OF15.buildPortDescStatsReply().setEntries(List.of(port15(1), port15(2))).build();
    List<OFPortDesc> ports =
        ((OFPortDescStatsReply) heard(dialect(7), Wire.bytes(reply))).getEntries();
    assertEquals(2, ports.size());
    assertEquals(
        new PortDescription(2, false, false, PortSettings.NONE, 5_000_000),
        PortDescription.of(ports.get(1)));
    assertEquals("port2", ports.get(1).getName());
    OFPortStatus status =
        OF15.buildPortStatus().setReason(OFPortReason.DELETE).setDesc(port15(3)).build();
    OFPortStatus read = (OFPortStatus) heard(dialect(7), Wire.bytes(status));
    assertEquals(OFPortReason.DELETE, read.getReason());
    assertEquals(
        new PortDescription(3, false, false, PortSettings.NONE, 5_000_000),
        PortDescription.of(read.getDesc()));
  }

  @Test
  void aPacketInForAReasonThat13HasNotIsOneForAnAction() {
    OFPacketIn packet =
        OF15.buildPacketIn()
            .setBufferId(OFBufferId.NO_BUFFER)
            .setReason(OFPacketInReason.ACTION)
            .setTableId(TableId.ZERO)
            .setCookie(OpenFlow13.ENGINE_COOKIE)
            .setMatch(OF15.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(4)).build())
            .setTotalLen(FRAME.length)
            .setData(FRAME)
            .build();
    for (int reason = 0; reason <= 5; reason++) {
      byte[] bytes = Wire.bytes(packet);
      bytes[14] = (byte) reason;
      OFPacketIn read = (OFPacketIn) heard(dialect(7), bytes);
      assertEquals(OFPort.of(4), read.getMatch().get(MatchField.IN_PORT));
      assertArrayEquals(FRAME, read.getData());
    }
  }

  /** A flow description as Open vSwitch sends one, with statistics of 56 bytes. */
  private static byte[] flowReply(FlowRule rule) {
    ByteBuf mod = Unpooled.wrappedBuffer(Wire.ofSwitch(FlowMessages.add(rule, 1)));
    ByteBuf reply = Unpooled.buffer();
    reply.writeByte(6).writeByte(19).writeShort(0).writeInt(1).writeShort(1).writeZero(6);
    reply.writeZero(2).writeZero(2).writeByte(0).writeZero(1);
    // Of the flow mod: priority at 30, time-outs at 26, cookie at 8, match from 48 on.
    reply.writeBytes(mod, 30, 2).writeBytes(mod, 26, 4).writeZero(4).writeBytes(mod, 8, 8);
    int matchBytes = (mod.getUnsignedShort(50) + 7) / 8 * 8;
    reply.writeBytes(mod, 48, matchBytes);
    // Duration, idle time, packets and bytes, as fields of a list, and padding.
    reply.writeShort(0).writeShort(52);
    reply.writeInt(0x8002_0008).writeInt(3).writeInt(500);
    reply.writeInt(0x8002_0208).writeInt(1).writeInt(7);
    reply.writeInt(0x8002_0808).writeLong(12);
    reply.writeInt(0x8002_0a08).writeLong(1L << 63).writeZero(4);
    reply.writeBytes(mod, 48 + matchBytes, mod.readableBytes() - 48 - matchBytes);
    reply.setShort(16, reply.readableBytes() - 16);
    reply.setShort(2, reply.readableBytes());
    return ByteBufUtil.getBytes(reply);
  }

  @Property(tries = 200)
  void rulesAreReadBackWithTheBytesThatTheyCounted(@ForAll("rules") FlowRule rule) {
    OFFlowStatsReply reply = (OFFlowStatsReply) heard(dialect(7), flowReply(rule));
    assertEquals(1, reply.getEntries().size());
    assertEquals(rule, FlowMessages.read(reply.getEntries().get(0)).get());
    assertEquals(OpenFlow13.ENGINE_COOKIE, reply.getEntries().get(0).getCookie());
    assertEquals(1L << 63, reply.getEntries().get(0).getByteCount().getValue());
    assertEquals(12, reply.getEntries().get(0).getPacketCount().getValue());
    assertEquals(3, reply.getEntries().get(0).getDurationSec());
    assertEquals(500, reply.getEntries().get(0).getDurationNsec());
  }

  /** A removed flow as OpenFlow 1.5.1, section 7.4.2, has it, with statistics of 56 bytes. */
  private static byte[] flowRemoved(FlowRule rule) {
    ByteBuf mod = Unpooled.wrappedBuffer(Wire.bytes(FlowMessages.add(rule, 1)));
    ByteBuf removed = Unpooled.buffer();
    removed.writeByte(6).writeByte(11).writeShort(0).writeInt(0).writeByte(0).writeByte(2);
    // Of the flow mod: priority at 30, time-outs at 26, cookie at 8, match from 48 on.
    removed.writeBytes(mod, 30, 2).writeBytes(mod, 26, 4).writeBytes(mod, 8, 8);
    removed.writeBytes(mod, 48, (mod.getUnsignedShort(50) + 7) / 8 * 8);
    removed.writeShort(0).writeShort(52).writeZero(52);
    removed.setShort(2, removed.readableBytes());
    return ByteBufUtil.getBytes(removed);
  }

  @Property(tries = 200)
  void removedRulesAreNamedByTheirPlace(@ForAll("rules") FlowRule rule) {
    OFFlowRemoved removed = (OFFlowRemoved) heard(dialect(7), flowRemoved(rule));
    assertEquals(rule.key(), FlowMessages.read(removed).map(FlowRule::key).orElse("none"));
  }

  @Test
  void messagesThat13HasNotAreForeign() {
    for (int type = 30; type <= 35; type++) {
      byte[] bytes = {6, (byte) type, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
      assertInstanceOf(ForeignMessage.class, heard(dialect(7), bytes));
    }
  }

  @Property(tries = 2000)
  void damagedMessagesAreReadOrForeign(@ForAll long seed) {
    Random random = new Random(seed);
    List<byte[]> corpus = new ArrayList<>();
    corpus.add(flowReply(FlowRule.deliver(5, 1, 2, 3)));
    corpus.add(flowRemoved(FlowRule.deliver(5, 1, 2, 3)));
    corpus.add(
        description(
            said(
                dialect(7),
                GroupCodec.add(OpenFlow13.FACTORY, Any.group(OwnGroups.id(5), 1, 3), 2))));
    corpus.add(Wire.bytes(OF15.buildPortDescStatsReply().setEntries(List.of(port15(1))).build()));
    corpus.add(
        Wire.bytes(OF15.buildPortStatus().setReason(OFPortReason.ADD).setDesc(port15(3)).build()));
    byte[] message = corpus.get(random.nextInt(corpus.size()));
    for (int damage = 0; damage < 1 + random.nextInt(3); damage++) {
      byte[] values = {0, 1, -1, 127, -128, (byte) random.nextInt()};
      message[4 + random.nextInt(message.length - 4)] = values[random.nextInt(values.length)];
    }
    assertNotNull(heard(dialect(7), message));
  }
}
