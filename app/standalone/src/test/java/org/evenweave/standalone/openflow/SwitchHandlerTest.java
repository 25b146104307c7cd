package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFAsyncSet;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFHello;
import org.projectfloodlight.openflow.protocol.OFHelloFailedCode;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.errormsg.OFHelloFailedErrorMsg;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;

class SwitchHandlerTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final String UP_12 =
      "up s7 [port 1 up 10000000000 bps, port 2 up 10000000000 bps]";

  @Test
  void aSwitchComesUpAsMasterWithItsPortsAndTheRuleForProbes() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(List.of(UP_12), fixture.events);
    assertEquals(OFControllerRole.ROLE_MASTER, peer.role);
    // The engine reads it back as one of its own, and so audits it.
    assertEquals(List.of(OpenFlow13.ENGINE_COOKIE), cookies(peer));
    CompletableFuture<SwitchTables> tables =
        fixture.connection.readAll().thenApply(SwitchReading::own);
    fixture.settle();
    assertEquals(Set.of("lldp"), tables.join().flows().keySet());
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void aSwitchHoldsGroupsAsItsHardwareDoes() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    assertEquals(SwitchTarget.OVS_UNIT_BUCKETS, ChannelFixture.withUp(peer).connection.target());
    peer.hardware = "BigChip 9000";
    assertEquals(SwitchTarget.REPLICATED_ENTRIES, ChannelFixture.withUp(peer).connection.target());
  }

  @Test
  void theLimitsThatASwitchReportsAreKnownBeforeItsTablesAreRead() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    peer.mostGroups = 1024;
    peer.mostRules = 8192;
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(List.of(UP_12), fixture.events);
    assertEquals("groups 1024, rules 8192", fixture.connection.limits().toString());
  }

  @Test
  void theNumbersByWhichOpenVSwitchSaysThatItHasNoLimitAreNone() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    assertEquals(Limits.NONE, ChannelFixture.withUp(peer).connection.limits());
    peer.hardware = "BigChip 9000";
    assertEquals("rules 1000000", ChannelFixture.withUp(peer).connection.limits().toString());
    peer.mostRules = 0;
    assertEquals(Limits.NONE, ChannelFixture.withUp(peer).connection.limits());
  }

  @Test
  void aSwitchThatRefusesToSayWhatItIsCountsAsOpenVSwitch() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    peer.hardware = null;
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(List.of(UP_12), fixture.events);
    assertEquals(SwitchTarget.OVS_UNIT_BUCKETS, fixture.connection.target());
  }

  @Test
  void aMasterGetsPacketsWhoseTtlIsUsedUp() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    assertEquals(1, fixture.sent(OFAsyncSet.class).size());
    peer.takesAsyncConfig = false;
    assertEquals(List.of(UP_12), ChannelFixture.withUp(peer).events, "one that refuses is used");
  }

  @Test
  void nothingIsReportedBeforeTheSwitchConfirmedTheProbesEntry() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.fromSwitch(FakeOpenFlowSwitch.packetIn(1, new byte[42]));
    assertEquals(List.of(), fixture.events);
  }

  @Test
  void portsThatComeInSeveralPartsAreAllReported() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    peer.entriesPerPart = 1;
    assertEquals(List.of(UP_12), ChannelFixture.withUp(peer).events);
  }

  @Test
  void theLocalPortIsIgnored() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    peer.ports.put(-2, FakeOpenFlowSwitch.port(-2, true, 0));
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.fromSwitch(peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(-2, false, 0)));
    fixture.fromSwitch(peer.portStatus(OFPortReason.DELETE, FakeOpenFlowSwitch.port(-2, false, 0)));
    assertEquals(List.of(UP_12), fixture.events);
  }

  @Test
  void masteryIsTakenFromAnEarlierMasterWithANewerGeneration() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    for (long generation : new long[] {0, 41, Long.MAX_VALUE, Long.MIN_VALUE, -2}) {
      peer.generation = generation;
      assertEquals(List.of(UP_12), ChannelFixture.withUp(peer).events);
      assertEquals(generation + 1, peer.generation);
    }
  }

  @Test
  void helloOfANewerVersionWithABitmapOf13IsWelcome() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1, 2));
    byte[] hello = Wire.bytes(FakeOpenFlowSwitch.hello());
    hello[0] = 6;
    fixture.fromSwitch(hello);
    assertEquals(List.of(UP_12), fixture.events);
  }

  @Test
  void anUnknownElementOfHelloIsSkipped() {
    byte[] known = Wire.bytes(FakeOpenFlowSwitch.hello());
    byte[] hello = new byte[known.length + 8];
    System.arraycopy(known, 0, hello, 0, 8);
    hello[3] = (byte) hello.length;
    // Type 99, length 5 (then padded to 8).
    hello[9] = 99;
    hello[11] = 5;
    System.arraycopy(known, 8, hello, 16, 8);
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.fromSwitch(hello);
    assertEquals(List.of(UP_12), fixture.events);
  }

  @Test
  void aSwitchWithNeitherOpenFlow13Nor15IsToldSo() {
    OFHello only14 =
        FakeOpenFlowSwitch.hello()
            .createBuilder()
            .setElements(
                List.of(OF.buildHelloElemVersionbitmap().setBitmaps(List.of(U32.of(0x20))).build()))
            .build();
    byte[] of10 = {1, 0, 0, 8, 0, 0, 0, 1};
    byte[] of14 = Wire.bytes(only14);
    of14[0] = 5;
    for (byte[] hello : List.of(of10, of14)) {
      ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
      fixture.fromSwitch(hello);
      assertEquals(
          OFHelloFailedCode.INCOMPATIBLE,
          fixture.sent(OFHelloFailedErrorMsg.class).get(0).getCode());
      assertFalse(fixture.channel.isActive());
      assertEquals(List.of(), fixture.events);
    }
  }

  @Test
  void anythingBeforeHelloClosesTheConnection() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.fromSwitch(OF.buildEchoRequest().build());
    assertFalse(fixture.channel.isActive());
    assertEquals(List.of(), fixture.sent(OFFeaturesRequest.class));
  }

  @Test
  void whatIsNotOpenFlowClosesTheConnection() {
    for (String text : List.of("GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n")) {
      ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
      fixture.fromSwitch(text.getBytes(StandardCharsets.US_ASCII));
      assertFalse(fixture.channel.isActive());
    }
  }

  @Test
  void aBrokenHeaderTakesAnUpSwitchDown() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.fromSwitch(new byte[] {4, 10, 0, 7, 0, 0, 0, 0});
    assertEquals(List.of(UP_12, "down s7"), fixture.events);
    assertFalse(fixture.channel.isActive());
  }

  @Test
  void anAuxiliaryConnectionIsClosed() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.answering = false;
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.fromSwitch(
        OF.buildFeaturesReply()
            .setDatapathId(DatapathId.of(7))
            .setAuxiliaryId(OFAuxId.of((short) 1))
            .build());
    assertFalse(fixture.channel.isActive());
  }

  @Test
  void aRefusedHandshakeClosesTheConnection() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.answering = false;
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.fromSwitch(
        OF.errorMsgs().buildHelloFailedErrorMsg().setCode(OFHelloFailedCode.EPERM).build());
    assertFalse(fixture.channel.isActive());
    assertEquals(List.of(), fixture.events);
  }

  @Test
  void aHandshakeThatStallsIsGivenUp() {
    ChannelFixture fixture = new ChannelFixture(new FakeOpenFlowSwitch(7, 1));
    fixture.answering = false;
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.pass(ChannelFixture.TIMEOUT.minusMillis(200));
    assertTrue(fixture.channel.isActive());
    fixture.pass(Duration.ofMillis(400));
    assertFalse(fixture.channel.isActive());
    assertEquals(List.of(), fixture.events);
  }

  @Test
  void echoesAreAnsweredWithTheirXidAndData() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1));
    fixture.fromSwitch(OF.buildEchoRequest().setXid(99).setData(new byte[] {1, 2, 3}).build());
    List<OFEchoReply> replies = fixture.sent(OFEchoReply.class);
    assertEquals(
        List.of(OF.buildEchoReply().setXid(99).setData(new byte[] {1, 2, 3}).build()), replies);
  }

  @Test
  void aSwitchThatAnswersEchoesStaysUp() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(10));
    assertEquals(List.of(UP_12), fixture.events);
    assertTrue(fixture.sent(OFEchoRequest.class).size() >= 10);
  }

  @Test
  void aSwitchThatAnswersNoEchoIsDownWithinOneAndAHalfTimeouts() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(3));
    fixture.answering = false;
    fixture.pass(ChannelFixture.TIMEOUT.minusMillis(100));
    assertEquals(List.of(UP_12), fixture.events);
    fixture.pass(ChannelFixture.TIMEOUT.dividedBy(2).plusMillis(200));
    assertEquals(List.of(UP_12, "down s7"), fixture.events);
  }

  @Test
  void aLostConnectionTakesTheSwitchDownOnce() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.channel.close();
    fixture.pass(ChannelFixture.TIMEOUT.multipliedBy(3));
    assertEquals(List.of(UP_12, "down s7"), fixture.events);
  }

  @Test
  void eachChangeOfAPortIsReportedOnce() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1, 2);
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.events.clear();
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 10_000_000)));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 10_000_000)));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, true, 1_000_000)));
    fixture.fromSwitch(peer.portStatus(OFPortReason.ADD, FakeOpenFlowSwitch.port(3, true, 0)));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.DELETE, FakeOpenFlowSwitch.port(2, true, 10_000_000)));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.DELETE, FakeOpenFlowSwitch.port(2, true, 10_000_000)));
    assertEquals(
        List.of(
            "port 1 down 10000000000 bps",
            "port 1 up 1000000000 bps",
            "port 3 up 0 bps",
            "port 2 down 10000000000 bps"),
        fixture.events);
  }

  @Test
  void aPortThatStopsBeingLiveIsDownThoughItsLinkIsUp() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7);
    peer.ports.put(1, FakeOpenFlowSwitch.port(1, Set.of(OFPortState.LIVE), 10_000_000));
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    for (Set<OFPortState> state :
        List.of(
            Set.<OFPortState>of(),
            Set.of(OFPortState.LINK_DOWN),
            Set.<OFPortState>of(),
            Set.of(OFPortState.LIVE))) {
      fixture.fromSwitch(
          peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, state, 10_000_000)));
    }
    assertEquals(
        List.of(
            "up s7 [port 1 up 10000000000 bps]",
            "port 1 down 10000000000 bps",
            "port 1 up 10000000000 bps"),
        fixture.events);
  }

  @Test
  void aPortThatWasNeverLiveIsUpWhileItsLinkIs() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1);
    peer.ports.put(2, FakeOpenFlowSwitch.port(2, Set.of(OFPortState.LIVE), 10_000_000));
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, true, 1_000_000)));
    assertEquals(List.of(UP_12, "port 1 up 1000000000 bps"), fixture.events);
  }

  @Test
  void aPortWithTheNumberOfOneThatIsGoneNeedsNotBeLive() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7);
    peer.ports.put(1, FakeOpenFlowSwitch.port(1, Set.of(OFPortState.LIVE), 10_000_000));
    ChannelFixture fixture = ChannelFixture.withUp(peer);
    fixture.events.clear();
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.DELETE, FakeOpenFlowSwitch.port(1, true, 10_000_000)));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.ADD, FakeOpenFlowSwitch.port(1, true, 10_000_000)));
    assertEquals(
        List.of("port 1 down 10000000000 bps", "port 1 up 10000000000 bps"), fixture.events);
  }

  @Test
  void aPortThatWentDownDuringTheHandshakeIsReportedDown() {
    FakeOpenFlowSwitch peer = new FakeOpenFlowSwitch(7, 1);
    ChannelFixture fixture = new ChannelFixture(peer);
    fixture.answering = false;
    fixture.fromSwitch(FakeOpenFlowSwitch.hello());
    fixture.fromSwitch(peer.answers(OF.buildFeaturesRequest().build()).get(0));
    fixture.fromSwitch(peer.answers(OF.buildPortDescStatsRequest().build()).get(0));
    fixture.fromSwitch(
        peer.portStatus(OFPortReason.MODIFY, FakeOpenFlowSwitch.port(1, false, 10_000_000)));
    fixture.answering = true;
    fixture.fromSwitch(OF.buildRoleReply().setRole(OFControllerRole.ROLE_EQUAL).build());
    assertEquals(List.of("up s7 [port 1 down 10000000000 bps]"), fixture.events);
  }

  @Test
  void packetsAreReportedWithThePortTheyCameInBy() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    fixture.fromSwitch(FakeOpenFlowSwitch.packetIn(2, new byte[42]));
    assertEquals(List.of(UP_12, "packet of 42 at 2"), fixture.events);
  }

  @Test
  void aRemovedRuleIsReportedUnlessItIsSomeoneElses() {
    ChannelFixture fixture = ChannelFixture.withUp(new FakeOpenFlowSwitch(7, 1, 2));
    OFFlowAdd rule = FlowMessages.add(FlowRule.lldpToController(), 1);
    OFFlowRemoved.Builder removed =
        OF.buildFlowRemoved()
            .setReason(OFFlowRemovedReason.DELETE)
            .setTableId(rule.getTableId())
            .setPriority(rule.getPriority())
            .setMatch(rule.getMatch());
    fixture.fromSwitch(removed.setCookie(U64.of(1)).build());
    fixture.fromSwitch(removed.setCookie(rule.getCookie()).build());
    assertEquals(List.of(UP_12, "removed lldp"), fixture.events);
  }

  private static List<U64> cookies(FakeOpenFlowSwitch peer) {
    List<U64> cookies = new ArrayList<>();
    peer.flows.forEach(flow -> cookies.add(flow.getCookie()));
    return cookies;
  }
}
