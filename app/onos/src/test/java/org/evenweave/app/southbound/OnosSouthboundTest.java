package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.evenweave.app.Logged;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.group.GroupServiceAdapter;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.types.OFPort;

/** With an ONOS of one instance, which is the switch's master or is not. */
class OnosSouthboundTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final int ID = 0x4557_0003;
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");
  private static final FlowRule RULE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.1.0/24"), 3);
  private static final FlowRule OTHER = FlowRule.arpToController();

  private final SwitchNames names = new SwitchNames(datapathId -> "s1-0");
  private final PendingChanges pending = new PendingChanges();
  private final VirtualLoop loop = new VirtualLoop();
  private final FakeCluster cluster = new FakeCluster(ONE);
  private final FakeFlows onos = new FakeFlows(APPLICATION);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final OpenFlowChannel channel = new OpenFlowChannel(switches);
  private CompletableFuture<Void> mayChange = CompletableFuture.completedFuture(null);
  private final OnosSouthbound southbound =
      new OnosSouthbound(
          APPLICATION,
          names,
          () -> mayChange,
          new GroupRequests(
              APPLICATION,
              new GroupServiceAdapter(),
              channel,
              pending,
              cluster.messagesOf(ONE),
              cluster,
              ONE,
              Runnable::run),
          new FlowRequests(
              APPLICATION,
              onos,
              channel,
              pending,
              cluster.messagesOf(ONE),
              cluster,
              ONE,
              Runnable::run),
          onos,
          new PacketServiceAdapter(),
          new SwitchReader(
              APPLICATION, channel, cluster.messagesOf(ONE), cluster, ONE, Runnable::run),
          pending,
          Runnable::run,
          loop);

  @BeforeEach
  void name() {
    names.nameOf(DEVICE);
  }

  @Test
  void aSwitchWhoseTablesCannotBeReadIsNamedAndCounted() {
    cluster.master = null;
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    loop.runFor(1);
    Throwable cause = assertThrows(CompletionException.class, read::join).getCause();
    assertEquals("s1-0", ((SouthboundException) cause).switchId());
    assertEquals(1, pending.unreadable().getCount());
  }

  @Test
  void theLogWarnsOnceThatUdpIsNotSpread() {
    List<String> warnings =
        Logged.alarms(
            () -> {
              southbound.read("s1-0");
              southbound.read("s1-0");
            });
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("UDP"), warnings::toString);
  }

  @Test
  void aGroupIdIsNotReusedWhileItsGroupMayBePendingDeletion() {
    cluster.master = null;
    int[] ids = southbound.groupIds("s1-0").limit(2).toArray();
    SelectGroup group = new SelectGroup(ids[0], new int[] {7, 9}, new int[] {2, 1});
    southbound.apply("s1-0", List.of(SwitchOperation.deleteGroup(group)));
    assertEquals(ids[1], southbound.groupIds("s1-0").findFirst().getAsInt());
    loop.runFor(GroupRequests.DELETED_NANOS);
    assertEquals(ids[0], southbound.groupIds("s1-0").findFirst().getAsInt());
  }

  @Test
  void anEngineThatMayNotChangeSwitchesRequestsNothing() {
    mayChange = CompletableFuture.failedFuture(new IllegalStateException("another leads"));
    CompletableFuture<Void> changed =
        southbound.apply("s1-0", List.of(SwitchOperation.putFlow(RULE)));
    loop.runFor(1);
    Throwable cause = assertThrows(CompletionException.class, changed::join).getCause();
    assertEquals("s1-0", ((SouthboundException) cause).switchId());
    assertEquals(List.of(), List.copyOf(pending.entries()));
    assertEquals(List.of(), onos.batches);
  }

  @Test
  void aRuleThatOnosLacksIsReconciledBeforeTheNextChange() {
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    switchHolds(RULE);
    assertEquals(1, onos.batches.size());
    assertFalse(read.isDone());
    southbound.apply("s1-0", List.of(SwitchOperation.putFlow(OTHER)));
    loop.runFor(1);
    assertEquals(1, onos.batches.size());
    onosDoes(RULE);
    assertEquals(2, onos.batches.size());
    assertEquals(Map.of(RULE.key(), RULE), read.join().flows());
  }

  /** It may be the state before the change: reconciling it would undo the change. */
  @Test
  void aReadBeforeAChangeIsNotReconciledAfterIt() {
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    southbound.apply("s1-0", List.of(SwitchOperation.deleteFlow(RULE)));
    onos.batches.clear();
    switchHolds(RULE);
    assertTrue(read.isDone());
    assertEquals(List.of(), onos.batches);
  }

  @Test
  void aReadDuringAChangeIsNotReconciled() {
    southbound.apply("s1-0", List.of(SwitchOperation.putFlow(OTHER)));
    CompletableFuture<SwitchTables> during = southbound.read("s1-0");
    onosDoes(OTHER);
    onos.batches.clear();
    switchHolds(RULE);
    assertTrue(during.isDone());
    assertEquals(List.of(), onos.batches);
    southbound.read("s1-0");
    switchHolds(RULE);
    assertEquals(1, onos.batches.size());
  }

  /** ONOS has buckets watch no port. */
  @Test
  void groupsThatWatchNoPortAreChangedAsAnyChangeIsAndReadAgain() {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    mayChange = asked;
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    switchHoldsGroup(OFPort.ANY);
    assertEquals(List.of(), groupMods(), "not before this engine is known to lead");
    asked.complete(null);
    switches.answerGroups(DEVICE, latest(OFGroupDescStatsRequest.class), group(OFPort.ANY));
    assertEquals(1, groupMods().size());
    assertEquals(
        "MODIFY_GROUP",
        pending.entries().get(0).operations().get(0).kind().name(),
        "it is among the changes that are not confirmed");
    switches.answerGroups(DEVICE, latest(OFGroupDescStatsRequest.class), group(OFPort.of(2)));
    assertEquals(List.of(), pending.entries());
    switchHoldsGroup(OFPort.of(2));
    assertEquals(Set.of(ID), read.join().groups().keySet());
  }

  @Test
  void anEngineThatIsOvertakenChangesNoGroupByReadingIt() {
    mayChange = CompletableFuture.failedFuture(new IllegalStateException("another leads"));
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    switchHoldsGroup(OFPort.ANY);
    Throwable cause = assertThrows(CompletionException.class, read::join).getCause();
    assertEquals("s1-0: another leads", cause.getMessage());
    assertEquals(List.of(), groupMods());
    assertEquals(List.of(), pending.entries());
  }

  private static OFGroupDescStatsEntry group(OFPort watched) {
    return FakeOpenFlow.entry(ID, OFGroupType.SELECT, FakeOpenFlow.bucket(2, 5, watched));
  }

  private void switchHoldsGroup(OFPort watched) {
    switches.answerGroups(DEVICE, latest(OFGroupDescStatsRequest.class), group(watched));
    switches.answerRules(DEVICE, latest(OFFlowStatsRequest.class));
    loop.runFor(1);
  }

  private List<OFMessage> groupMods() {
    return switches.written.stream()
        .filter(OFGroupMod.class::isInstance)
        .collect(Collectors.toList());
  }

  /** Replies to the latest statistics requests. */
  private void switchHolds(FlowRule rule) {
    switches.answerGroups(DEVICE, latest(OFGroupDescStatsRequest.class));
    switches.answerRules(DEVICE, latest(OFFlowStatsRequest.class), FlowEntries.ofOnos(rule, 7));
    loop.runFor(1);
  }

  private long latest(Class<?> kind) {
    return switches.written.stream()
        .filter(kind::isInstance)
        .reduce((before, after) -> after)
        .orElseThrow()
        .getXid();
  }

  /** ONOS sends what adds the rule, and confirms all it was asked for. */
  private void onosDoes(FlowRule rule) {
    long cookie = new FlowTranslator(APPLICATION).toOnos(DEVICE, rule).id().value();
    switches.write(FakeOpenFlow.Dpid.dpid(DEVICE.uri()), FlowEntries.addition(rule, cookie));
    onos.confirm();
    loop.runFor(1);
  }
}
