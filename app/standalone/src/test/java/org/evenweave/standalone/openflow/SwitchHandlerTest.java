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
import org.evenweave.engine.port.SwitchTables;
import org.junit.jupiter.api.Test;
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
    FakeSwitch peer = new FakeSwitch(7, 1, 2);
    Conversation talk = Conversation.withUp(peer);
    assertEquals(List.of(UP_12), talk.events);
    assertEquals(OFControllerRole.ROLE_MASTER, peer.role);
    // The engine reads it back as one of its own, and so audits it.
    assertEquals(List.of(OpenFlow13.ENGINE_COOKIE), cookies(peer));
    CompletableFuture<SwitchTables> tables = talk.connection.read();
    talk.settle();
    assertEquals(Set.of("lldp"), tables.join().flows().keySet());
    assertTrue(talk.channel.isActive());
  }

  @Test
  void nothingIsReportedBeforeTheSwitchConfirmedTheProbesEntry() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1));
    talk.say(FakeSwitch.packetIn(1, new byte[42]));
    assertEquals(List.of(), talk.events);
  }

  @Test
  void portsThatComeInSeveralPartsAreAllReported() {
    FakeSwitch peer = new FakeSwitch(7, 1, 2);
    peer.entriesPerPart = 1;
    assertEquals(List.of(UP_12), Conversation.withUp(peer).events);
  }

  @Test
  void theLocalPortIsNobodysBusiness() {
    FakeSwitch peer = new FakeSwitch(7, 1, 2);
    peer.ports.put(-2, FakeSwitch.port(-2, true, 0));
    Conversation talk = Conversation.withUp(peer);
    talk.say(peer.portStatus(OFPortReason.MODIFY, FakeSwitch.port(-2, false, 0)));
    talk.say(peer.portStatus(OFPortReason.DELETE, FakeSwitch.port(-2, false, 0)));
    assertEquals(List.of(UP_12), talk.events);
  }

  @Test
  void masteryIsTakenFromAnEarlierMasterWithANewerGeneration() {
    FakeSwitch peer = new FakeSwitch(7, 1, 2);
    for (long generation : new long[] {0, 41, Long.MAX_VALUE, Long.MIN_VALUE, -2}) {
      peer.generation = generation;
      assertEquals(List.of(UP_12), Conversation.withUp(peer).events);
      assertEquals(generation + 1, peer.generation);
    }
  }

  @Test
  void helloOfANewerVersionWithABitmapOf13IsWelcome() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1, 2));
    byte[] hello = Wire.bytes(FakeSwitch.hello());
    hello[0] = 6;
    talk.say(hello);
    assertEquals(List.of(UP_12), talk.events);
  }

  @Test
  void anUnknownElementOfHelloIsSkipped() {
    byte[] known = Wire.bytes(FakeSwitch.hello());
    byte[] hello = new byte[known.length + 8];
    System.arraycopy(known, 0, hello, 0, 8);
    hello[3] = (byte) hello.length;
    // Type 99, length 5 (then padded to 8).
    hello[9] = 99;
    hello[11] = 5;
    System.arraycopy(known, 8, hello, 16, 8);
    Conversation talk = new Conversation(new FakeSwitch(7, 1, 2));
    talk.say(hello);
    assertEquals(List.of(UP_12), talk.events);
  }

  @Test
  void aSwitchWithNeitherOpenFlow13Nor15IsToldSo() {
    OFHello only14 =
        FakeSwitch.hello()
            .createBuilder()
            .setElements(
                List.of(OF.buildHelloElemVersionbitmap().setBitmaps(List.of(U32.of(0x20))).build()))
            .build();
    byte[] of10 = {1, 0, 0, 8, 0, 0, 0, 1};
    byte[] of14 = Wire.bytes(only14);
    of14[0] = 5;
    for (byte[] hello : List.of(of10, of14)) {
      Conversation talk = new Conversation(new FakeSwitch(7, 1));
      talk.say(hello);
      assertEquals(
          OFHelloFailedCode.INCOMPATIBLE, talk.sent(OFHelloFailedErrorMsg.class).get(0).getCode());
      assertFalse(talk.channel.isActive());
      assertEquals(List.of(), talk.events);
    }
  }

  @Test
  void anythingBeforeHelloEndsTheConversation() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1));
    talk.say(OF.buildEchoRequest().build());
    assertFalse(talk.channel.isActive());
    assertEquals(List.of(), talk.sent(OFFeaturesRequest.class));
  }

  @Test
  void whatIsNotOpenFlowEndsTheConversation() {
    for (String text : List.of("GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n")) {
      Conversation talk = new Conversation(new FakeSwitch(7, 1));
      talk.say(text.getBytes(StandardCharsets.US_ASCII));
      assertFalse(talk.channel.isActive());
    }
  }

  @Test
  void aMalformedMessageTakesAnUpSwitchDown() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    talk.say(new byte[] {4, 10, 0, 9, 0, 0, 0, 0, 1});
    assertEquals(List.of(UP_12, "down s7"), talk.events);
    assertFalse(talk.channel.isActive());
  }

  @Test
  void anAuxiliaryConnectionIsClosed() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1));
    talk.answering = false;
    talk.say(FakeSwitch.hello());
    talk.say(
        OF.buildFeaturesReply()
            .setDatapathId(DatapathId.of(7))
            .setAuxiliaryId(OFAuxId.of((short) 1))
            .build());
    assertFalse(talk.channel.isActive());
  }

  @Test
  void aRefusedHandshakeEndsTheConversation() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1));
    talk.answering = false;
    talk.say(FakeSwitch.hello());
    talk.say(OF.errorMsgs().buildHelloFailedErrorMsg().setCode(OFHelloFailedCode.EPERM).build());
    assertFalse(talk.channel.isActive());
    assertEquals(List.of(), talk.events);
  }

  @Test
  void aHandshakeThatStallsIsGivenUp() {
    Conversation talk = new Conversation(new FakeSwitch(7, 1));
    talk.answering = false;
    talk.say(FakeSwitch.hello());
    talk.pass(Conversation.TIMEOUT.minusMillis(200));
    assertTrue(talk.channel.isActive());
    talk.pass(Duration.ofMillis(400));
    assertFalse(talk.channel.isActive());
    assertEquals(List.of(), talk.events);
  }

  @Test
  void echoesAreAnsweredWithTheirXidAndData() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1));
    talk.say(OF.buildEchoRequest().setXid(99).setData(new byte[] {1, 2, 3}).build());
    List<OFEchoReply> replies = talk.sent(OFEchoReply.class);
    assertEquals(
        List.of(OF.buildEchoReply().setXid(99).setData(new byte[] {1, 2, 3}).build()), replies);
  }

  @Test
  void aSwitchThatAnswersEchoesStaysUp() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    talk.pass(Conversation.TIMEOUT.multipliedBy(10));
    assertEquals(List.of(UP_12), talk.events);
    assertTrue(talk.sent(OFEchoRequest.class).size() >= 10);
  }

  @Test
  void aSwitchThatAnswersNoEchoIsDownWithinOneAndAHalfTimeouts() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    talk.pass(Conversation.TIMEOUT.multipliedBy(3));
    talk.answering = false;
    talk.pass(Conversation.TIMEOUT.minusMillis(100));
    assertEquals(List.of(UP_12), talk.events);
    talk.pass(Conversation.TIMEOUT.dividedBy(2).plusMillis(200));
    assertEquals(List.of(UP_12, "down s7"), talk.events);
  }

  @Test
  void aLostConnectionTakesTheSwitchDownOnce() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    talk.channel.close();
    talk.pass(Conversation.TIMEOUT.multipliedBy(3));
    assertEquals(List.of(UP_12, "down s7"), talk.events);
  }

  @Test
  void eachChangeOfAPortIsReportedOnce() {
    FakeSwitch peer = new FakeSwitch(7, 1, 2);
    Conversation talk = Conversation.withUp(peer);
    talk.events.clear();
    talk.say(peer.portStatus(OFPortReason.MODIFY, FakeSwitch.port(1, false, 10_000_000)));
    talk.say(peer.portStatus(OFPortReason.MODIFY, FakeSwitch.port(1, false, 10_000_000)));
    talk.say(peer.portStatus(OFPortReason.MODIFY, FakeSwitch.port(1, true, 1_000_000)));
    talk.say(peer.portStatus(OFPortReason.ADD, FakeSwitch.port(3, true, 0)));
    talk.say(peer.portStatus(OFPortReason.DELETE, FakeSwitch.port(2, true, 10_000_000)));
    talk.say(peer.portStatus(OFPortReason.DELETE, FakeSwitch.port(2, true, 10_000_000)));
    assertEquals(
        List.of(
            "port 1 down 10000000000 bps",
            "port 1 up 1000000000 bps",
            "port 3 up 0 bps",
            "port 2 down 10000000000 bps"),
        talk.events);
  }

  @Test
  void aPortThatWentDownDuringTheHandshakeIsReportedDown() {
    FakeSwitch peer = new FakeSwitch(7, 1);
    Conversation talk = new Conversation(peer);
    talk.answering = false;
    talk.say(FakeSwitch.hello());
    talk.say(peer.answers(OF.buildFeaturesRequest().build()).get(0));
    talk.say(peer.answers(OF.buildPortDescStatsRequest().build()).get(0));
    talk.say(peer.portStatus(OFPortReason.MODIFY, FakeSwitch.port(1, false, 10_000_000)));
    talk.answering = true;
    talk.say(OF.buildRoleReply().setRole(OFControllerRole.ROLE_EQUAL).build());
    assertEquals(List.of("up s7 [port 1 down 10000000000 bps]"), talk.events);
  }

  @Test
  void packetsAreReportedWithThePortTheyCameInBy() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    talk.say(FakeSwitch.packetIn(2, new byte[42]));
    assertEquals(List.of(UP_12, "packet of 42 at 2"), talk.events);
  }

  @Test
  void aRemovedRuleIsReportedUnlessItIsSomeoneElses() {
    Conversation talk = Conversation.withUp(new FakeSwitch(7, 1, 2));
    OFFlowAdd rule = FlowCodec.add(FlowRule.lldpToController(), 1);
    OFFlowRemoved.Builder removed =
        OF.buildFlowRemoved()
            .setReason(OFFlowRemovedReason.DELETE)
            .setPriority(rule.getPriority())
            .setMatch(rule.getMatch());
    talk.say(removed.setCookie(U64.of(1)).build());
    talk.say(removed.setCookie(rule.getCookie()).build());
    assertEquals(List.of(UP_12, "removed lldp"), talk.events);
  }

  private static List<U64> cookies(FakeSwitch peer) {
    List<U64> cookies = new ArrayList<>();
    peer.flows.forEach(flow -> cookies.add(flow.getCookie()));
    return cookies;
  }
}
