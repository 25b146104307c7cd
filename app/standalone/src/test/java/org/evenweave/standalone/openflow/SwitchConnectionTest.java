package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.foreign.ForeignTables;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.Any;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupModFailedCode;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class SwitchConnectionTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");

  private FakeOpenFlowSwitch peer;
  private ChannelFixture fixture;

  @BeforeEach
  void up() {
    peer = new FakeOpenFlowSwitch(7, 1, 2, 3, 4);
    fixture = ChannelFixture.withUp(peer);
    fixture.sent.clear();
  }

  @Provide
  Arbitrary<List<FlowRule>> rules() {
    return Any.rules(OpenFlow13.FIRST_GROUP, OpenFlow13.LAST_GROUP)
        .filter(rule -> rule.action() != FlowRule.Action.ROUTE_TO_GROUP)
        .list()
        .ofMaxSize(80);
  }

  @Property(tries = 100)
  void whatWasAppliedIsWhatIsRead(@ForAll("rules") List<FlowRule> rules) {
    up();
    SwitchTables fromHandshake = read().join();
    peer.entriesPerPart = 7;
    List<SwitchOperation> operations = new ArrayList<>();
    for (int id = 1; id <= 20; id++) {
      operations.add(SwitchOperation.addGroup(Any.group(OwnGroups.id(id), 1, id)));
      operations.add(
          SwitchOperation.putFlow(FlowRule.routeToGroup(Ipv4Prefix.host(id), OwnGroups.id(id))));
    }
    rules.forEach(rule -> operations.add(SwitchOperation.putFlow(rule)));
    rules.stream()
        .limit(rules.size() / 2)
        .forEach(rule -> operations.add(SwitchOperation.deleteFlow(rule)));
    apply(operations).join();
    assertEquals(fromHandshake.after(operations), read().join());
  }

  @Test
  void operationsGoOutInOrderAndThenABarrier() {
    fixture.answering = false;
    CompletableFuture<Void> done =
        apply(
            List.of(
                SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1, 2)),
                SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, OwnGroups.id(1))),
                SwitchOperation.modifyGroup(Any.group(OwnGroups.id(1), 1, 3))));
    List<String> types = new ArrayList<>();
    fixture.sent.forEach(message -> types.add(message.getType().toString()));
    assertEquals(List.of("GROUP_MOD", "FLOW_MOD", "GROUP_MOD", "BARRIER_REQUEST"), types);
    assertFalse(done.isDone());
    OFMessage barrier = fixture.sent.get(3);
    fixture.fromSwitch(OF.buildBarrierReply().setXid(barrier.getXid() + 1).build());
    assertFalse(done.isDone(), "another's barrier");
    fixture.fromSwitch(OF.buildBarrierReply().setXid(barrier.getXid()).build());
    done.join();
  }

  @Test
  void nothingToDoIsConfirmedByABarrierToo() {
    apply(List.of()).join();
    assertEquals(1, fixture.sent(OFBarrierRequest.class).size());
  }

  @Test
  void aRefusalNamesTheOperationAndTheSwitchsError() {
    assertEquals(
        "s7: PUT_FLOW 10.0.1.0/24 -> ROUTE_TO_GROUP 0x45570009 refused: bad action: BAD_OUT_GROUP",
        refusal(SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, OwnGroups.id(9)))));
    assertEquals(
        "s7: MODIFY_GROUP group 0x45570009 refused: group mod failed: UNKNOWN_GROUP",
        refusal(SwitchOperation.modifyGroup(Any.group(OwnGroups.id(9), 1))));
    apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(9), 1)))).join();
    assertEquals(
        "s7: ADD_GROUP group 0x45570009 refused: group mod failed: GROUP_EXISTS",
        refusal(SwitchOperation.addGroup(Any.group(OwnGroups.id(9), 1))));
  }

  @Test
  void ofSeveralRefusalsTheFirstOperationsIsReported() {
    fixture.answering = false;
    CompletableFuture<Void> done =
        apply(
            List.of(
                SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1)),
                SwitchOperation.addGroup(Any.group(OwnGroups.id(2), 1)),
                SwitchOperation.addGroup(Any.group(OwnGroups.id(3), 1))));
    fixture.fromSwitch(errorAbout(fixture.sent.get(2)));
    fixture.fromSwitch(errorAbout(fixture.sent.get(1)));
    assertFalse(done.isDone(), "an earlier operation may still be refused");
    fixture.fromSwitch(OF.buildBarrierReply().setXid(fixture.sent.get(3).getXid()).build());
    assertTrue(failure(done).contains("group 0x45570002 refused"), failure(done));
  }

  @Test
  void anErrorWithAnUnknownCodeStillReachesItsOperation() {
    fixture.answering = false;
    CompletableFuture<Void> done =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
    byte xid = (byte) fixture.sent.get(0).getXid();
    byte[] error = Wire.bytes(errorAbout(fixture.sent.get(0)));
    error[11] = 77;
    assertEquals(xid, error[7]);
    fixture.fromSwitch(error);
    byte[] strangeType = error.clone();
    strangeType[8] = 88;
    fixture.fromSwitch(strangeType);
    fixture.fromSwitch(OF.buildBarrierReply().setXid(fixture.sent.get(1).getXid()).build());
    assertEquals(
        "s7: ADD_GROUP group 0x45570001 refused: group mod failed: code 77", failure(done));
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void aLongListStopsAtTheFirstRefusal() {
    List<SwitchOperation> operations = new ArrayList<>();
    operations.add(SwitchOperation.modifyGroup(Any.group(OwnGroups.id(1), 1)));
    for (int id = 2; id <= 10 * ApplyRequest.CHUNK; id++) {
      operations.add(SwitchOperation.addGroup(Any.group(OwnGroups.id(id), 1)));
    }
    assertTrue(failure(apply(operations)).contains("UNKNOWN_GROUP"));
    assertTrue(peer.groups.size() < 3 * ApplyRequest.CHUNK, peer.groups.size() + " groups");
  }

  @Test
  void aLongListLeavesTheSwitchOnlySoMuchUnconfirmed() {
    fixture.answering = false;
    List<SwitchOperation> operations = new ArrayList<>();
    for (int id = 1; id <= 10 * ApplyRequest.CHUNK; id++) {
      operations.add(SwitchOperation.addGroup(Any.group(OwnGroups.id(id), 1)));
    }
    CompletableFuture<Void> done = apply(operations);
    assertEquals(RequestPipeline.WINDOW, fixture.sent.size());
    fixture.answering = true;
    for (OFMessage message : List.copyOf(fixture.sent)) {
      peer.answers(message).forEach(fixture::fromSwitch);
    }
    done.join();
    assertEquals(operations.size(), fixture.sent(OFGroupMod.class).size());
  }

  @Test
  void listsAreSentWithoutWaitingForEachOther() {
    fixture.answering = false;
    CompletableFuture<Void> first =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
    CompletableFuture<Void> second =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(2), 1))));
    assertEquals(4, fixture.sent.size());
    fixture.fromSwitch(OF.buildBarrierReply().setXid(fixture.sent.get(3).getXid()).build());
    assertTrue(second.isDone());
    assertFalse(first.isDone());
    fixture.fromSwitch(OF.buildBarrierReply().setXid(fixture.sent.get(1).getXid()).build());
    first.join();
  }

  @Test
  void aSwitchThatDoesNotConfirmInTimeFailsTheList() {
    fixture.answering = false;
    CompletableFuture<Void> done =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
    CompletableFuture<SwitchTables> tables = read();
    fixture.pass(ChannelFixture.TIMEOUT.minusMillis(100));
    assertFalse(done.isDone());
    fixture.pass(Duration.ofMillis(200));
    assertEquals(
        "s7: ADD_GROUP group 0x45570001 not confirmed: no answer within 5000 ms", failure(done));
    assertEquals("s7: tables not read: no answer within 5000 ms", failure(tables));
  }

  @Test
  void aSilentSwitchThatComesBackIsProgrammedAgain() {
    fixture.answering = false;
    CompletableFuture<Void> lost =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
    fixture.pass(Duration.ofSeconds(4));
    fixture.answering = true;
    // The echo is answered again, the list never is.
    fixture.fromSwitch(OF.buildEchoReply().build());
    fixture.pass(Duration.ofSeconds(2));
    assertTrue(lost.isCompletedExceptionally());
    for (int id = 2; id < 300; id++) {
      apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(id), 1)))).join();
    }
  }

  @Test
  void aLostConnectionFailsAllThatIsUnconfirmedAndAllThatFollows() {
    fixture.answering = false;
    CompletableFuture<Void> sent =
        apply(List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));
    CompletableFuture<SwitchTables> tables = read();
    fixture.channel.close();
    fixture.settle();
    CompletableFuture<Void> later = apply(List.of());
    for (CompletableFuture<?> future : List.of(sent, tables, later)) {
      assertTrue(failure(future).contains("connection lost"), failure(future));
    }
  }

  @Test
  void aListWithOneImpossibleOperationIsNotSentAtAll() {
    CompletableFuture<Void> done =
        apply(
            List.of(
                SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1)),
                SwitchOperation.addGroup(Any.group(-3, 1))));
    assertEquals(
        "s7: ADD_GROUP group 0xfffffffd not sent: group id 0xfffffffd is not in 0x45570001..0x4557ffff",
        failure(done));
    assertEquals(List.of(), fixture.sent);
  }

  @Test
  void othersRulesAndGroupsAreNotShown() {
    apply(
            List.of(
                SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1)),
                SwitchOperation.putFlow(FlowRule.arpToController())))
        .join();
    SwitchTables ours = read().join();
    OFGroup foreign = OFGroup.of(OpenFlow13.LAST_GROUP + 1);
    OFBucket bucket = OF.buildBucket().setActions(List.of(OF.actions().popVlan())).build();
    peer.groups.put(
        foreign.getGroupNumber(),
        OF.buildGroupDescStatsEntry()
            .setGroup(foreign)
            .setGroupType(OFGroupType.ALL)
            .setBuckets(List.of(bucket))
            .build());
    peer.answers(
        FlowMessages.add(FlowRule.prefixToController(PREFIX), 1)
            .createBuilder()
            .setCookie(U64.of(1))
            .build());
    assertEquals(3, peer.flows.size());
    assertEquals(ours, read().join());
  }

  @Test
  void whatIsOthersIsReadAndDeletedByItsMatchAndCookie() {
    OFFlowStatsEntry drop =
        OF.buildFlowStatsEntry()
            .setTableId(TableId.of(3))
            .setPriority(65_000)
            .setMatch(
                OF.buildMatch()
                    .setExact(MatchField.ETH_TYPE, EthType.IPv4)
                    .setExact(MatchField.IPV4_DST, IPv4Address.of("10.0.2.1"))
                    .build())
            .setCookie(U64.of(7))
            .build();
    OFFlowStatsEntry other = drop.createBuilder().setPriority(9).build();
    peer.flows.add(drop);
    peer.flows.add(other);
    CompletableFuture<SwitchReading> reading = fixture.connection.readAll();
    fixture.settle();
    ForeignTables foreign = reading.join().foreign();
    assertEquals(
        "[table=3,priority=65000,ip,nw_dst=10.0.2.1 actions=drop,"
            + " table=3,priority=9,ip,nw_dst=10.0.2.1 actions=drop]",
        foreign.rules().toString());
    assertEquals(7, foreign.rules().get(0).cookie());
    CompletableFuture<Void> removed =
        fixture.connection.removeForeign(foreign.rules().subList(0, 1));
    fixture.settle();
    removed.join();
    assertFalse(peer.flows.contains(drop));
    assertTrue(peer.flows.contains(other));
  }

  @Test
  void packetsGoOutOfTheGivenPort() {
    fixture.connection.sendPacket(3, new byte[] {1, 2, 3});
    fixture.settle();
    OFPacketOut packet = fixture.sent(OFPacketOut.class).get(0);
    assertEquals(List.of(OF.actions().output(OFPort.of(3), 0)), packet.getActions());
    assertArrayEquals(new byte[] {1, 2, 3}, packet.getData());
    assertEquals(OFPort.CONTROLLER, packet.getInPort());
  }

  @Test
  void aFrameThatFitsNoMessageIsRefusedAndTheConnectionStays() {
    byte[] huge = new byte[0xffff];
    assertThrows(IllegalArgumentException.class, () -> fixture.connection.sendPacket(3, huge));
    fixture.connection.sendPacket(3, new byte[0xffff - 48]);
    fixture.settle();
    assertEquals(1, fixture.sent(OFPacketOut.class).size());
    assertTrue(fixture.channel.isActive());
  }

  @Test
  void probesAreSentOnceTheSwitchHasPassedTheBarrierBehindThem() {
    fixture.answering = false;
    AtomicInteger sent = new AtomicInteger();
    fixture.connection.sendProbes(
        Map.of(3, new byte[] {3}, 4, new byte[] {4}), sent::incrementAndGet);
    fixture.settle();
    assertEquals(
        List.of(OFType.PACKET_OUT, OFType.PACKET_OUT, OFType.BARRIER_REQUEST),
        fixture.sent.stream().map(OFMessage::getType).collect(Collectors.toList()));
    assertEquals(0, sent.get());
    fixture.fromSwitch(OF.buildBarrierReply().setXid(fixture.sent.get(2).getXid()).build());
    assertEquals(1, sent.get());
  }

  /** What waits for room in the window could take longer than a round of probes. */
  @Test
  void theBarrierBehindProbesOvertakesOperationsThatWait() {
    fixture.answering = false;
    List<SwitchOperation> many =
        Collections.nCopies(
            10 * RequestPipeline.WINDOW,
            SwitchOperation.deleteFlow(FlowRule.prefixToController(PREFIX)));
    apply(many);
    int window = fixture.sent.size();
    AtomicInteger sent = new AtomicInteger();
    fixture.connection.sendProbes(Map.of(3, new byte[] {3}), sent::incrementAndGet);
    fixture.settle();
    assertEquals(window + 2, fixture.sent.size());
    fixture.fromSwitch(
        OF.buildBarrierReply().setXid(fixture.sent.get(window + 1).getXid()).build());
    assertEquals(1, sent.get());
  }

  private CompletableFuture<Void> apply(List<SwitchOperation> operations) {
    CompletableFuture<Void> done = fixture.connection.apply(operations);
    fixture.settle();
    return done;
  }

  private CompletableFuture<SwitchTables> read() {
    CompletableFuture<SwitchTables> tables =
        fixture.connection.readAll().thenApply(SwitchReading::own);
    fixture.settle();
    return tables;
  }

  private String refusal(SwitchOperation operation) {
    return failure(apply(List.of(operation)));
  }

  private static String failure(CompletableFuture<?> future) {
    assertTrue(future.isDone());
    Throwable cause = assertThrows(CompletionException.class, future::join).getCause();
    return assertInstanceOf(SouthboundException.class, cause).getMessage();
  }

  private static OFMessage errorAbout(OFMessage message) {
    return OF.errorMsgs()
        .buildGroupModFailedErrorMsg()
        .setXid(message.getXid())
        .setCode(OFGroupModFailedCode.OUT_OF_GROUPS)
        .build();
  }
}
