package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;

/** With an ONOS of one instance, which is the switch's master or is not. */
class OnosSouthboundTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
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
          new ClusterReader(
              cluster.messagesOf(ONE),
              cluster,
              ONE,
              new SwitchReader(channel, new FlowTranslator(APPLICATION)),
              Runnable::run),
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
  void anIdIsNotGivenAgainWhileOnosMayStillHaveItsGroupDownAsToBeRemoved() {
    cluster.master = null;
    int[] ids = southbound.groupIds("s1-0").limit(2).toArray();
    SelectGroup group = new SelectGroup(ids[0], new int[] {7, 9}, new int[] {2, 1});
    southbound.apply("s1-0", List.of(SwitchOperation.deleteGroup(group)));
    assertEquals(ids[1], southbound.groupIds("s1-0").findFirst().getAsInt());
    loop.runFor(DeletedGroups.REMEMBERED_NANOS);
    assertEquals(ids[0], southbound.groupIds("s1-0").findFirst().getAsInt());
  }

  @Test
  void anEngineThatMayNotChangeSwitchesAsksOnosForNothing() {
    mayChange = CompletableFuture.failedFuture(new IllegalStateException("another leads"));
    CompletableFuture<Void> changed =
        southbound.apply("s1-0", List.of(SwitchOperation.putFlow(RULE)));
    loop.runFor(1);
    Throwable cause = assertThrows(CompletionException.class, changed::join).getCause();
    assertEquals("s1-0", ((SouthboundException) cause).switchId());
    assertEquals(List.of(), List.copyOf(pending.entries()));
    assertEquals(List.of(), onos.asked);
  }

  @Test
  void whatASwitchHoldsAndOnosDoesNotKnowIsEnteredBeforeItIsChanged() {
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    switchHolds(RULE);
    assertEquals(1, onos.asked.size());
    assertFalse(read.isDone());
    southbound.apply("s1-0", List.of(SwitchOperation.putFlow(OTHER)));
    loop.runFor(1);
    assertEquals(1, onos.asked.size());
    onosDoes(RULE);
    assertEquals(2, onos.asked.size());
    assertEquals(Map.of(RULE.key(), RULE), read.join().flows());
  }

  /** It may be what the switch held before the change: entering it would undo the change. */
  @Test
  void whatWasReadBeforeAChangeIsNotEnteredAfterIt() {
    CompletableFuture<SwitchTables> read = southbound.read("s1-0");
    southbound.apply("s1-0", List.of(SwitchOperation.deleteFlow(RULE)));
    onos.asked.clear();
    switchHolds(RULE);
    assertTrue(read.isDone());
    assertEquals(List.of(), onos.asked);
  }

  @Test
  void whatIsReadDuringAChangeIsNotEnteredEither() {
    southbound.apply("s1-0", List.of(SwitchOperation.putFlow(OTHER)));
    CompletableFuture<SwitchTables> during = southbound.read("s1-0");
    onosDoes(OTHER);
    onos.asked.clear();
    switchHolds(RULE);
    assertTrue(during.isDone());
    assertEquals(List.of(), onos.asked);
    southbound.read("s1-0");
    switchHolds(RULE);
    assertEquals(1, onos.asked.size());
  }

  /** Answers the latest questions for the switch's tables. */
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
