package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.evenweave.app.southbound.FakeOpenFlow.bucket;
import static org.evenweave.app.southbound.FakeOpenFlow.entry;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** Two instances, and a switch that one of them is master of. */
class MasterRequestsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId OTHER = DeviceId.deviceId("of:0000000000000002");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");
  private static final long EPOCH = 5;
  private static final int ID = 0x4557_0003;
  private static final List<FlowRule> RULES =
      List.of(
          FlowRule.arpToController(),
          FlowRule.arpReply(0xc000_0101, 0xffff_ffff_fffeL, 0xc000_0102, 3, 9),
          FlowRule.prefixToController(Ipv4Prefix.parse("10.0.0.0/24")),
          FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), ID),
          FlowRule.routeToPort(Ipv4Prefix.parse("192.0.2.0/24"), 7),
          FlowRule.deliver(0xc000_0201, 9, 0xffff_ffff_ffffL, 1));
  private static final List<SwitchOperation> CHANGE =
      List.of(SwitchOperation.putFlow(RULES.get(0)));

  private final FakeCluster cluster = new FakeCluster(ONE);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private NodeId leader = TWO;
  private final MasterRequests one = instance(ONE, switches);
  private final MasterRequests two = instance(TWO, new FakeOpenFlow.Connected());

  @Test
  void theMasterChangesTheSwitchWithoutAMessageToItself() {
    CompletableFuture<Void> change = one.apply(DEVICE, EPOCH, 1, CHANGE);
    assertFalse(change.isDone());
    switches.confirm(DEVICE);
    change.join();
    assertEquals(0, cluster.messages);
  }

  @Test
  void anotherInstanceChangesTheSwitchByItsMaster() {
    CompletableFuture<Void> change = two.apply(DEVICE, EPOCH, 1, CHANGE);
    assertEquals(1, switches.changes().size());
    assertFalse(change.isDone());
    switches.confirm(DEVICE);
    change.join();
    assertEquals(1, cluster.messages);
  }

  @Test
  void anotherInstanceReadsTheCountersOfPortsByTheMaster() {
    CompletableFuture<Map<Integer, PortCounters>> counters = two.ports(DEVICE);
    OFPortStatsEntry entry =
        OF.buildPortStatsEntry()
            .setPortNo(OFPort.of(3))
            .setRxPackets(U64.of(10))
            .setTxPackets(U64.of(-2))
            .setRxErrors(U64.of(1))
            .setRxCrcErr(U64.of(4))
            .setTxErrors(U64.of(-1))
            .setTxDropped(U64.of(7))
            .setDurationSec(2)
            .setDurationNsec(5)
            .build();
    switches.say(
        DEVICE,
        OF.buildPortStatsReply()
            .setXid(switches.last(OFPortStatsRequest.class).getXid())
            .setEntries(List.of(entry, entry.createBuilder().setPortNo(OFPort.LOCAL).build()))
            .build());
    assertEquals(Set.of(3), counters.join().keySet());
    PortCounters port = counters.join().get(3);
    assertEquals(10, port.rxPackets());
    assertEquals(-2, port.txPackets());
    assertEquals(4, port.rxErrors());
    assertEquals(PortCounters.UNSUPPORTED, port.txErrors());
    assertEquals(7, port.txDropped());
    assertEquals(2_000_000_005L, port.ageNanos());
    assertEquals(1, cluster.messages);
  }

  @Test
  void theLeaderHasTheMasterSendProbesAndKnowsThatTheyWereSent() {
    CompletableFuture<Void> sent =
        two.sendProbes(DEVICE, Map.of(3, new byte[] {1, 2}, 4, new byte[] {5}));
    assertFalse(sent.isDone());
    Map<OFPort, byte[]> frames = new HashMap<>();
    switches.written.forEach(
        message -> {
          if (message instanceof OFPacketOut) {
            OFActionOutput output = (OFActionOutput) ((OFPacketOut) message).getActions().get(0);
            frames.put(output.getPort(), ((OFPacketOut) message).getData());
          }
        });
    assertEquals(Set.of(OFPort.of(3), OFPort.of(4)), frames.keySet());
    assertArrayEquals(new byte[] {1, 2}, frames.get(OFPort.of(3)));
    switches.confirm(DEVICE);
    sent.join();
    leader = ONE;
    CompletableFuture<Void> here = one.sendProbes(DEVICE, Map.of(3, new byte[] {1}));
    switches.confirm(DEVICE);
    here.join();
  }

  /** All its ports are down; ONOS drops what it is sent while its master changes. */
  @Test
  void aSwitchWithoutAPortToProbeConfirmsTooOrFailsInASentence() {
    CompletableFuture<Void> sent = two.sendProbes(DEVICE, Map.of());
    switches.confirm(DEVICE);
    sent.join();
    switches.unsent = message -> true;
    assertRefused(two.sendProbes(DEVICE, Map.of()), "no longer its master");
  }

  /** ONOS logs a warning for the reply to a barrier that is not its own, here once a second. */
  @Test
  void aSwitchOfAnotherMakerConfirmsProbesByStatistics() {
    switches.hardware = "X";
    CompletableFuture<Void> sent = two.sendProbes(DEVICE, Map.of(3, new byte[] {1}));
    switches.say(
        DEVICE,
        OF.buildPortStatsReply().setXid(switches.last(OFPortStatsRequest.class).getXid()).build());
    sent.join();
  }

  /** It passes what the switch receives to that one. */
  @Test
  void aMasterThatKnowsOfAnotherLeaderSendsNoProbes() {
    for (NodeId known : Arrays.asList(ONE, null)) {
      leader = known;
      assertRefused(two.sendProbes(DEVICE, Map.of(3, new byte[] {1})), "another leader");
    }
    assertEquals(List.of(), switches.written);
  }

  @Test
  void whatTheSwitchRefusesIsRefusedToAnotherInstanceToo() {
    CompletableFuture<Void> change = two.apply(DEVICE, EPOCH, 1, CHANGE);
    switches.refuse(DEVICE, switches.changes().get(0));
    switches.confirm(DEVICE);
    assertRefused(change, "refused PUT_FLOW arp -> TO_CONTROLLER: GROUP_MOD_FAILED");
  }

  @Test
  void theLeaderOfAnEarlierEpochChangesAndReadsNothing() {
    two.apply(DEVICE, EPOCH + 1, 1, CHANGE);
    switches.confirm(DEVICE);
    int written = switches.written.size();
    assertRefused(one.apply(DEVICE, EPOCH, 9, CHANGE), "another leader");
    assertRefused(one.apply(OTHER, EPOCH, 9, CHANGE), "another leader");
    assertRefused(one.tables(OTHER, EPOCH, 9), "another leader");
    assertEquals(written, switches.written.size());
  }

  @Test
  void anInstanceThatIsCutOffGetsAFailureAndNoException() {
    cluster.storeResponds = false;
    assertRefused(one.apply(DEVICE, EPOCH, 1, CHANGE), "the cluster's store does not respond");
    assertRefused(one.tables(DEVICE, EPOCH, 2), "the cluster's store does not respond");
    assertEquals(List.of(), switches.written);
  }

  /** Numbers begin anew with each epoch. */
  @Test
  void aLaterEpochMayBeginWithAnyNumber() {
    one.apply(DEVICE, EPOCH, 100, CHANGE);
    one.apply(DEVICE, EPOCH + 1, 1, CHANGE);
    assertEquals(2, switches.changes().size());
  }

  /** Its leader has given it up, and read the switch since. */
  @Test
  void aRequestThatALaterOneOvertookChangesNothing() {
    one.tables(DEVICE, EPOCH, 2);
    assertRefused(two.apply(DEVICE, EPOCH, 1, CHANGE), "late");
    assertEquals(List.of(), switches.changes());
    one.apply(OTHER, EPOCH, 1, CHANGE);
    assertEquals(1, switches.changes().size(), "another switch");
  }

  @Test
  void afterARemovalNoLeaderChangesASwitch() {
    one.tables(DEVICE, MasterRequests.LAST_EPOCH, 1);
    assertRefused(two.apply(DEVICE, EPOCH, 1, CHANGE), "another leader");
  }

  @Test
  void manyChangesAreMadeInChunksAndTheRestIsNotOnceOneFails() {
    List<SwitchOperation> many = new ArrayList<>();
    for (int i = 0; i <= 2 * SwitchWriter.CHUNK; i++) {
      many.add(SwitchOperation.putFlow(FlowRule.routeToPort(Ipv4Prefix.of(i << 8, 24), 1)));
    }
    CompletableFuture<Void> change = one.apply(DEVICE, EPOCH, 1, many);
    assertEquals(SwitchWriter.CHUNK, switches.changes().size());
    switches.confirm(DEVICE);
    assertEquals(2 * SwitchWriter.CHUNK, switches.changes().size());
    switches.refuse(DEVICE, switches.changes().get(SwitchWriter.CHUNK));
    switches.confirm(DEVICE);
    assertRefused(change, "refused");
    assertEquals(2 * SwitchWriter.CHUNK, switches.changes().size());
  }

  @Test
  void anOvertakenLeaderDoesNotGoOnWithTheNextChunk() {
    List<SwitchOperation> many = new ArrayList<>();
    for (int i = 0; i <= SwitchWriter.CHUNK; i++) {
      many.add(SwitchOperation.putFlow(FlowRule.routeToPort(Ipv4Prefix.of(i << 8, 24), 1)));
    }
    CompletableFuture<Void> change = one.apply(DEVICE, EPOCH, 1, many);
    one.tables(OTHER, EPOCH + 1, 1);
    switches.confirm(DEVICE);
    assertRefused(change, "another leader");
    assertEquals(SwitchWriter.CHUNK, switches.changes().size());
  }

  /** The switch has another master in the middle of a list of changes. */
  @Test
  void aMasterThatIsReplacedBetweenTwoChunksConfirmsNothing() {
    List<SwitchOperation> many = new ArrayList<>();
    for (int i = 0; i <= SwitchWriter.CHUNK; i++) {
      many.add(SwitchOperation.putFlow(FlowRule.routeToPort(Ipv4Prefix.of(i << 8, 24), 1)));
    }
    CompletableFuture<Void> change = two.apply(DEVICE, EPOCH, 1, many);
    switches.role = FakeOpenFlow.RoleState.SLAVE;
    switches.confirm(DEVICE);
    assertRefused(change, "another master");
  }

  @Test
  void anotherInstanceReadsTheSameAsTheMaster() {
    assertEquals(wanted(), answered(one.tables(DEVICE, EPOCH, 1)));
    assertEquals(0, cluster.messages);
    assertEquals(wanted(), answered(two.tables(DEVICE, EPOCH, 2)));
    assertEquals(1, cluster.messages);
  }

  /** An empty answer would be taken for an empty switch. */
  @Test
  void whileASwitchHasNoMasterItCannotBeReadNorChanged() {
    cluster.master = null;
    assertRefused(one.tables(DEVICE, EPOCH, 1), "no instance");
    assertRefused(one.apply(DEVICE, EPOCH, 1, CHANGE), "no instance");
    assertRefused(one.counters(DEVICE), "no instance");
    assertRefused(one.routes(DEVICE), "no instance");
  }

  @Test
  void anInstanceThatIsNoLongerMasterDoesNotAnswerForTheSwitch() {
    switches.role = FakeOpenFlow.RoleState.SLAVE;
    assertRefused(one.tables(DEVICE, EPOCH, 1), "another master");
  }

  @Test
  void aClosedInstanceServesNoRequests() {
    one.close();
    assertRefused(two.tables(DEVICE, EPOCH, 1), "nobody listens");
    assertRefused(two.apply(DEVICE, EPOCH, 2, CHANGE), "nobody listens");
    assertRefused(two.counters(DEVICE), "nobody listens");
    assertRefused(two.routes(DEVICE), "nobody listens");
  }

  private static SwitchTables wanted() {
    Map<String, FlowRule> rules = new HashMap<>();
    RULES.forEach(rule -> rules.put(rule.key(), rule));
    return new SwitchTables(
        Map.of(ID, new SelectGroup(ID, new int[] {2, 3}, new int[] {5, 1})), rules);
  }

  private SwitchTables answered(CompletableFuture<DeviceTables> tables) {
    switches.answerGroups(
        DEVICE,
        switches.last(OFGroupDescStatsRequest.class).getXid(),
        entry(ID, OFGroupType.SELECT, bucket(2, 5), bucket(3, 1)));
    switches.answerRules(
        DEVICE,
        switches.last(OFFlowStatsRequest.class).getXid(),
        RULES.stream().map(FlowEntries::ours).toArray(OFFlowStatsEntry[]::new));
    return tables.join().own();
  }

  private static void assertRefused(CompletableFuture<?> asked, String reason) {
    CompletionException error = assertThrows(CompletionException.class, asked::join);
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
    assertTrue(error.getCause().getMessage().contains(reason), String.valueOf(error));
  }

  private MasterRequests instance(NodeId id, FakeOpenFlow.Connected connected) {
    return new MasterRequests(
        new OpenFlowChannel(connected), cluster.messagesOf(id), cluster, () -> leader, id);
  }
}
