package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.TableEntry;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;

/** What a switch may cost, in virtual time; a good switch of the largest kind costs less. */
class BadSwitchTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final Set<OFStatsReplyFlags> MORE = Set.of(OFStatsReplyFlags.REPLY_MORE);

  private final FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);

  private static CompletableFuture<SwitchTables> read(ChannelFixture fixture) {
    CompletableFuture<SwitchTables> tables =
        fixture.connection.readAll().thenApply(SwitchReading::own);
    fixture.settle();
    return tables;
  }

  private static String failure(CompletableFuture<?> future) {
    assertTrue(future.isDone());
    return assertThrows(CompletionException.class, future::join).getCause().getMessage();
  }

  private static void setWritable(ChannelFixture fixture, boolean writable) {
    fixture.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
    fixture.settle();
  }

  @Test
  void aSwitchThatDoesNotReadIsDisconnectedAfterTheTimeout() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    setWritable(fixture, false);
    CompletableFuture<SwitchTables> tables = read(fixture);
    fixture.pass(ChannelFixture.TIMEOUT.minusMillis(100));
    assertTrue(fixture.channel.isActive());
    fixture.pass(Duration.ofMillis(200));
    assertFalse(fixture.channel.isActive());
    assertEquals("down s7", fixture.events.get(1));
    assertEquals(
        "s7: connection lost (does not read: more than 1024 KiB unread for 5000 ms)",
        failure(tables));
  }

  /** Without a bound the answers would fill the memory. */
  @Test
  void aSwitchThatAsksForEchoesAndReadsNoneCostsABoundedBufferUntilTheTimeout() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.reading = false;
    byte[] data = new byte[60_000];
    while (fixture.channel.isWritable()) {
      fixture.fromSwitch(OF.buildEchoRequest().setData(data).build());
    }
    fixture.pass(ChannelFixture.TIMEOUT.minusMillis(100));
    for (int request = 0; request < 100; request++) {
      fixture.fromSwitch(OF.buildEchoRequest().setData(data).build());
    }
    long unread = fixture.channel.unsafe().outboundBuffer().totalPendingWriteBytes();
    assertTrue(unread < OpenFlowServer.MAX_UNREAD_BYTES + 2 * data.length, unread + " bytes");
    assertTrue(fixture.channel.isActive());
    fixture.pass(Duration.ofMillis(200));
    assertFalse(fixture.channel.isActive());
    assertEquals("down s7", fixture.events.get(1));
  }

  @Test
  void aSwitchThatReadsOnInTimeStaysConnected() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    for (int time = 0; time < 10; time++) {
      setWritable(fixture, false);
      fixture.pass(ChannelFixture.TIMEOUT.minusMillis(500));
      setWritable(fixture, true);
    }
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void echoesAskedForWhileTheBufferIsFullAreAnsweredOnceWhenItIsNot() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    setWritable(fixture, false);
    for (int xid = 1; xid <= 1000; xid++) {
      fixture.fromSwitch(OF.buildEchoRequest().setXid(xid).build());
    }
    assertEquals(0, fixture.sent(OFEchoReply.class).size());
    setWritable(fixture, true);
    assertEquals(1, fixture.sent(OFEchoReply.class).size());
    assertEquals(1000, fixture.sent(OFEchoReply.class).get(0).getXid());
  }

  @Test
  void anAnswerOfEndlessPartsEndsTheConnection() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.answering = false;
    CompletableFuture<SwitchTables> tables = read(fixture);
    long xid = fixture.sent(OFFlowStatsRequest.class).get(0).getXid();
    byte[] part = Wire.bytes(OF.buildFlowStatsReply().setXid(xid).setFlags(MORE).build());
    int parts = 0;
    while (fixture.channel.isActive() && parts < 100_000) {
      fixture.fromSwitch(part);
      parts++;
    }
    assertEquals(65_537, parts);
    assertEquals(
        "s7: tables not read: connection lost (an answer is too long: 65537 messages, 1048592"
            + " bytes; at most 65536 and 268435456)",
        failure(tables));
  }

  @Test
  void anAnswerThatTricklesEndsTheConnection() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.answering = false;
    CompletableFuture<SwitchTables> tables = read(fixture);
    long xid = fixture.sent(OFFlowStatsRequest.class).get(0).getXid();
    for (int second = 0; second < 60 && fixture.channel.isActive(); second++) {
      fixture.fromSwitch(OF.buildEchoReply().build());
      fixture.fromSwitch(OF.buildFlowStatsReply().setXid(xid).setFlags(MORE).build());
      fixture.pass(Duration.ofSeconds(1));
    }
    assertEquals(
        "s7: tables not read: connection lost (an answer is not complete after 30000 ms and 30"
            + " messages)",
        failure(tables));
  }

  @Test
  void anAnswerOfTooManyRulesEndsTheConnection() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.answering = false;
    CompletableFuture<SwitchTables> tables = read(fixture);
    long xid = fixture.sent(OFFlowStatsRequest.class).get(0).getXid();
    for (int from = 0;
        from < 2 * ReadRequest.MAX_ENTRIES && fixture.channel.isActive();
        from += 300) {
      List<OFFlowStatsEntry> entries = new ArrayList<>();
      for (int host = from; host < from + 300; host++) {
        entries.add(TableEntry.of(FlowMessages.add(FlowRule.deliver(host, 1, 1, host), 1)));
      }
      fixture.fromSwitch(
          OF.buildFlowStatsReply().setXid(xid).setFlags(MORE).setEntries(entries).build());
    }
    assertEquals(
        "s7: tables not read: connection lost (reports more than 131072 of Evenweave's groups and"
            + " rules)",
        failure(tables));
  }

  @Test
  void portsBeyondTheLimitAreNotUsed() {
    for (int port = 1; port <= 20_000; port++) {
      peer.ports.put(port, FakeOpenFlowSwitch.port(port, true, 0));
    }
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(4096, fixture.events.get(0).split(", ").length);
    fixture.fromSwitch(peer.portStatus(OFPortReason.ADD, FakeOpenFlowSwitch.port(30_000, true, 0)));
    assertEquals(1, fixture.events.size());
    fixture.fromSwitch(peer.portStatus(OFPortReason.DELETE, FakeOpenFlowSwitch.port(1, true, 0)));
    fixture.fromSwitch(peer.portStatus(OFPortReason.ADD, FakeOpenFlowSwitch.port(30_000, true, 0)));
    assertEquals(
        List.of("port 1 down 0 bps", "port 30000 up 0 bps"),
        fixture.events.subList(1, fixture.events.size()));
  }

  @Test
  void aPortThatChangesThousandsOfTimesEndsTheConnection() {
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    for (int change = 0; change < 100_000 && fixture.channel.isActive(); change++) {
      fixture.fromSwitch(
          peer.portStatus(
              OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, change % 2 == 1, 10_000_000)));
    }
    assertFalse(fixture.channel.isActive());
    assertTrue(fixture.events.size() < 10_000, fixture.events.size() + " events");
  }
}
