package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.TableEntry;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFGroupModFailedCode;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.types.OFGroup;

class MessageDecoderTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");

  /** What a switch says in its life, as bytes. */
  private static final List<byte[]> CORPUS = corpus();

  private static List<byte[]> corpus() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2, 3);
    List<OFMessage> messages = new ArrayList<>();
    messages.add(FakeOpenFlowSwitch.hello());
    messages.addAll(peer.answers(OF.buildFeaturesRequest().build()));
    messages.addAll(peer.answers(OF.buildPortDescStatsRequest().build()));
    messages.addAll(
        peer.answers(OF.buildRoleRequest().setRole(OFControllerRole.ROLE_NOCHANGE).build()));
    messages.add(OF.buildBarrierReply().setXid(3).build());
    messages.add(OF.buildEchoRequest().setData(new byte[] {1, 2, 3}).build());
    messages.add(OF.buildEchoReply().build());
    messages.add(FakeOpenFlowSwitch.packetIn(2, new byte[60]));
    messages.add(peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 1)));
    messages.addAll(
        peer.answers(GroupCodec.modify(OpenFlow13.FACTORY, Any.group(OwnGroups.id(9), 1), 4)));
    peer.answers(GroupCodec.add(OpenFlow13.FACTORY, Any.group(OwnGroups.id(1), 1, 2, 3), 4));
    for (FlowRule rule :
        List.of(
            FlowRule.arpToController(),
            FlowRule.routeToGroup(PREFIX, OwnGroups.id(1)),
            FlowRule.prefixToController(Ipv4Prefix.parse("0.0.0.0/0")),
            FlowRule.deliver(5, 1, 2, 3))) {
      peer.answers(FlowMessages.add(rule, 5));
    }
    messages.addAll(
        peer.answers(
            OF.buildFlowStatsRequest()
                .setXid(1)
                .setCookie(OpenFlow13.ENGINE_COOKIE)
                .setCookieMask(OpenFlow13.EXACT_COOKIE)
                .build()));
    messages.addAll(peer.answers(OF.buildGroupDescStatsRequest().setXid(2).build()));
    List<byte[]> bytes = new ArrayList<>();
    messages.forEach(message -> bytes.add(Wire.bytes(message)));
    return bytes;
  }

  @Property(tries = 200)
  void howTheStreamIsCutMakesNoDifference(@ForAll long seed) {
    Random random = new Random(seed);
    List<byte[]> corpus = new ArrayList<>(CORPUS);
    Collections.shuffle(corpus, random);
    List<String> whole = new ArrayList<>();
    ByteBuf stream = Unpooled.buffer();
    for (byte[] message : corpus) {
      whole.add(Wire.decode(message).toString());
      stream.writeBytes(message);
    }
    List<String> cut = new ArrayList<>();
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(new Dialect()));
    while (stream.isReadable()) {
      int bytes = Math.min(stream.readableBytes(), 1 + random.nextInt(40));
      channel.writeInbound(stream.readBytes(bytes));
      for (Object m = channel.readInbound(); m != null; m = channel.readInbound()) {
        cut.add(m.toString());
      }
    }
    assertEquals(whole, cut);
    channel.finishAndReleaseAll();
  }

  /**
   * Real messages with bytes changed, left out, put in, or cut off, in the middle of a real
   * connection: either the channel goes on, or it is closed with one report; nothing else comes out
   * (an undeclared exception would fail the writing), and the same holds for what follows.
   */
  @Property(tries = 2000)
  void damagedMessagesCloseTheConnectionOrAreHarmless(@ForAll long seed) {
    Random random = new Random(seed);
    boolean wasUp = random.nextInt(4) > 0;
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    ChannelFixture fixture = wasUp ? ChannelFixture.withUp(peer) : new ChannelFixture(peer);
    fixture.answering = wasUp;
    fixture.mayTurnTo15 = true;
    if (wasUp) {
      fixture.answering = false;
      fixture.connection.readAll();
      fixture.connection.apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
      fixture.settle();
      assertTrue(fixture.channel.isActive());
    }
    for (int i = 0; i < 6 && fixture.channel.isActive(); i++) {
      byte[] message = CORPUS.get(random.nextInt(CORPUS.size())).clone();
      if (wasUp && random.nextBoolean()) {
        // As if it answered one of the requests above.
        message[7] =
            (byte) (fixture.sent.get(fixture.sent.size() - 1).getXid() - random.nextInt(4));
      }
      fixture.fromSwitch(damaged(message, random));
    }
    long downs = fixture.events.stream().filter(event -> event.startsWith("down")).count();
    boolean isBarred = fixture.events.contains("barred s7");
    boolean isDown = !fixture.channel.isActive() || isBarred;
    assertEquals(wasUp && isDown ? 1 : 0, downs, fixture.events.toString());
    fixture.channel.finishAndReleaseAll();
  }

  @Property(tries = 300)
  void garbageIsClosedOrWaitedFor(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] garbage = new byte[random.nextInt(300)];
    random.nextBytes(garbage);
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.fromSwitch(garbage);
    fixture.pass(ChannelFixture.TIMEOUT.plusMillis(200));
    assertFalse(fixture.channel.isActive());
    assertEquals(List.of(), fixture.events);
    fixture.channel.finishAndReleaseAll();
  }

  private static byte[] damaged(byte[] message, Random random) {
    ByteBuf bytes = Unpooled.buffer();
    bytes.writeBytes(message);
    int damages = random.nextInt(4);
    for (int i = 0; i < damages; i++) {
      // Mostly behind the first four bytes, so that much gets past the header's checks.
      int at = random.nextInt(8) == 0 ? random.nextInt(4) : 4 + random.nextInt(message.length - 4);
      byte[] values = {0, 1, -1, 127, -128, (byte) random.nextInt()};
      bytes.setByte(at, values[random.nextInt(values.length)]);
    }
    int length = message.length;
    if (random.nextInt(4) == 0) {
      length = Math.max(8, random.nextInt(message.length + 1));
      bytes.setShort(2, length);
    }
    return ByteBufUtil.getBytes(bytes, 0, length);
  }

  @Test
  void afterOneBrokenHeaderNothingMoreIsRead() {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(new Dialect()));
    byte[] malformed = {4, 10, 0, 7, 0, 0, 0, 0};
    byte[] good = Wire.bytes(OF.buildEchoRequest().build());
    assertThrows(
        MalformedMessageException.class,
        () -> channel.writeInbound(Unpooled.wrappedBuffer(malformed, good)));
    channel.writeInbound(Unpooled.wrappedBuffer(good));
    assertFalse(channel.finish());
  }

  @Test
  void aMessageMayNotReadOnIntoTheNext() {
    // A packet-in whose match says it goes on for long.
    byte[] packet = Wire.bytes(FakeOpenFlowSwitch.packetIn(1, new byte[0]));
    packet[27] = 100;
    byte[] next = Wire.bytes(OF.buildEchoRequest().build());
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(new Dialect()));
    channel.writeInbound(Unpooled.wrappedBuffer(packet, next));
    assertInstanceOf(ForeignMessage.class, channel.readInbound());
    assertInstanceOf(OFEchoRequest.class, channel.readInbound());
    channel.finishAndReleaseAll();
  }

  @Test
  void aForeignGroupThatCannotBeReadDoesNotCostOurs() {
    OFGroupDescStatsEntry ours =
        TableEntry.of(GroupCodec.add(OpenFlow13.FACTORY, Any.group(OwnGroups.id(5), 1, 2), 1));
    OFGroupDescStatsEntry foreign =
        ours.createBuilder()
            .setGroup(OFGroup.of(OpenFlow13.LAST_GROUP + 1))
            .setGroupType(OFGroupType.ALL)
            .build();
    byte[] reply =
        Wire.bytes(
            OF.buildGroupDescStatsReply().setEntries(List.of(foreign, ours, foreign)).build());
    // The type of the foreign group's first action: header 16, group 8, bucket 16.
    reply[16 + 8 + 16] = 0x7f;
    assertEquals(
        List.of(ours),
        assertInstanceOf(OFGroupDescStatsReply.class, Wire.decode(reply)).getEntries());
    ByteBuffer.wrap(reply).putInt(16 + 4, OwnGroups.id(5));
    assertInstanceOf(ForeignMessage.class, Wire.decode(reply), "now it is ours");
  }

  @Test
  void anErrorIsNamedInWords() {
    byte[] error =
        Wire.bytes(
            OF.errorMsgs()
                .buildGroupModFailedErrorMsg()
                .setXid(0xfffffffeL)
                .setCode(OFGroupModFailedCode.LOOP)
                .build());
    SwitchError read = assertInstanceOf(SwitchError.class, Wire.decode(error));
    assertEquals("group mod failed: LOOP", read.toString());
    assertEquals(0xfffffffeL, read.xid());
    byte[] hello = {1, 1, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 'n', 'o', '\n', 27};
    assertEquals(
        "hello failed: INCOMPATIBLE (no??)",
        assertInstanceOf(SwitchError.class, Wire.decode(hello)).toString());
  }
}
