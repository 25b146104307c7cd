package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Two instances; the first is master of the switch, and its ONOS does what the test says. */
class FlowRequestsTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");
  private static final FlowRule RULE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.1.0/24"), 3);
  private static final SwitchOperation PUT = SwitchOperation.putFlow(RULE);
  private static final SwitchOperation DELETION = SwitchOperation.deleteFlow(RULE);
  private static final long COOKIE =
      new FlowTranslator(APPLICATION).toOnos(DEVICE, RULE).id().value();
  private static final OFFlowMod ADDS = FlowEntries.addition(RULE, COOKIE);
  private static final OFFlowMod DELETES = FlowEntries.deletion(RULE, COOKIE);

  private final FakeCluster cluster = new FakeCluster(ONE);
  private final FakeOpenFlow.Connected switches = new FakeOpenFlow.Connected();
  private final List<Runnable> underway = new ArrayList<>();
  private final PendingChanges pending = new PendingChanges();
  private final FakeFlows onosOfOne = new FakeFlows(APPLICATION);
  private final FakeFlows onosOfTwo = new FakeFlows(APPLICATION);
  private final FlowRequests one = instance(ONE, onosOfOne, switches);
  private final FlowRequests two = instance(TWO, onosOfTwo, new FakeOpenFlow.Connected());

  @Test
  void theMasterAppliesTheRequestsOfEveryInstance() {
    FlowRule delivery = FlowRule.deliver(0x0a00_0002, 9, 1, 2);
    for (FlowRequests instance : List.of(one, two)) {
      onosOfOne.batches.clear();
      instance.request(DEVICE, List.of(PUT, SwitchOperation.deleteFlow(delivery)));
      assertEquals(
          List.of(
              "ADD DefaultTrafficSelector{criteria=[ETH_TYPE:ipv4, IPV4_DST:10.0.1.0/24]}",
              "REMOVE DefaultTrafficSelector{criteria=[ETH_TYPE:ipv4, IPV4_DST:10.0.0.2/32]}"),
          onosOfOne.inWords());
    }
    assertEquals(List.of(), onosOfTwo.batches);
  }

  @Test
  void aChangeIsDoneWhenItIsSentAndConfirmed() {
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(PUT));
    onosSends(ADDS);
    assertFalse(requested.isDone());
    assertEquals(List.of(PUT), pending.entries().get(0).operations());
    onosOfOne.confirm();
    requested.join();
    assertEquals(List.of(), pending.entries());
    assertEquals(1, pending.confirmations().getCount());
  }

  @Test
  void theConfirmationMayPrecedeTheFlowMod() {
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(PUT));
    onosOfOne.confirm();
    assertFalse(requested.isDone());
    onosSends(ADDS);
    requested.join();
  }

  /** ONOS compares the reply with the store after the change, and would undo the change. */
  @Test
  void aChangeIsDoneOnlyWhenOnosHasProcessedEarlierReplies() {
    switches.say(DEVICE, rulesBefore(5));
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(PUT));
    onosSends(ADDS);
    onosOfOne.confirm();
    assertFalse(requested.isDone());
    onosSends(DELETES);
    switches.processed(DEVICE, rulesBefore(5));
    assertEquals(List.of(ADDS, DELETES, ADDS), switches.written.subList(0, 3));
    assertFalse(requested.isDone(), "no reply of the switch after the last flow-mod");
    OFMessage question = switches.lastWritten();
    switches.say(
        DEVICE, FakeOpenFlow.OF.buildPortDescStatsReply().setXid(question.getXid()).build());
    assertFalse(
        requested.isDone(), "ONOS is still to correct its store, which sends the flow-mod again");
    onosOfOne.batches.clear();
    runUnderway();
    assertFalse(requested.isDone());
    onosOfOne.confirm();
    requested.join();
  }

  /** The two are reported on different threads. */
  @Test
  void aReplyMayBeProcessedBeforeItsArrivalIsReported() {
    switches.processed(DEVICE, rulesBefore(5));
    switches.say(DEVICE, rulesBefore(5));
    changed(PUT, ADDS);
  }

  @Test
  void anotherSwitchsReplyDelaysNothing() {
    switches.say(DeviceId.deviceId("of:0000000000000002"), rulesBefore(5));
    changed(PUT, ADDS);
  }

  private static OFMessage rulesBefore(long xid) {
    return FakeOpenFlow.rules(xid);
  }

  /** As when its store does not know the rule that is to be removed. */
  @Test
  void aChangeConfirmedWithoutAFlowModFails() {
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(DELETION));
    onosOfOne.confirm();
    assertRefused(requested, "nothing");
  }

  @Test
  void aRefusalReachesTheRequester() {
    for (FlowRequests instance : List.of(one, two)) {
      onosOfOne.batches.clear();
      CompletableFuture<Void> requested = instance.request(DEVICE, List.of(PUT));
      onosOfOne.refuse();
      assertRefused(requested, "refused");
    }
    assertEquals(List.of(), pending.entries());
    assertEquals(2, pending.refused().getCount());
  }

  @Test
  void aChangeThatOnosDoesNotConfirmTimesOut() {
    pending.giveUpAfter(() -> 1);
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(PUT));
    CompletionException error = assertThrows(CompletionException.class, requested::join);
    assertTrue(error.getCause() instanceof TimeoutException, String.valueOf(error));
    assertEquals(1, pending.givenUp().getCount());
  }

  @Test
  void aSwitchWithoutAMasterIsNotChanged() {
    cluster.master = null;
    assertRefused(one.request(DEVICE, List.of(PUT)), "no instance");
    assertEquals(List.of(), onosOfOne.batches);
  }

  @Test
  void anUndoneChangeIsRepeatedInTheSwitchAndInOnos() {
    changed(PUT, ADDS);
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES, ADDS), switches.written);
    onosOfOne.batches.clear();
    runUnderway();
    assertEquals(1, onosOfOne.batches.size());
    assertEquals(1, pending.undoings().getCount());
    switches.written.clear();
    changed(DELETION, DELETES);
    onosSends(ADDS);
    assertEquals(List.of(DELETES, ADDS, DELETES), switches.written);
    assertEquals(2, pending.undoings().getCount());
  }

  @Test
  void anObsoleteChangeIsNotAppliedAgain() {
    changed(PUT, ADDS);
    onosSends(DELETES);
    changed(DELETION, DELETES);
    onosOfOne.batches.clear();
    runUnderway();
    assertEquals(List.of(), onosOfOne.batches);
  }

  @Test
  void releasedRulesMayBeRemovedWhicheverInstanceIsMaster() {
    changed(PUT, ADDS);
    two.close();
    two.releaseRules(List.of(node(ONE), node(TWO)));
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  @Test
  void aClosedInstanceDoesNotKeepOthersFromReleasing() {
    changed(PUT, ADDS);
    two.close();
    one.releaseRules(List.of(node(ONE), node(TWO)));
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  @Test
  void aClosedInstanceServesNoRequestsAndRepeatsNothing() {
    changed(PUT, ADDS);
    one.close();
    assertEquals(Set.of(TWO), cluster.listening());
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  private void changed(SwitchOperation operation, OFFlowMod message) {
    onosOfOne.batches.clear();
    CompletableFuture<Void> requested = two.request(DEVICE, List.of(operation));
    onosSends(message);
    onosOfOne.confirm();
    assertTrue(requested.isDone());
  }

  private void runUnderway() {
    List<Runnable> now = List.copyOf(underway);
    underway.clear();
    now.forEach(Runnable::run);
  }

  private void onosSends(OFFlowMod message) {
    switches.write(FakeOpenFlow.Dpid.dpid(DEVICE.uri()), message);
  }

  private static DefaultControllerNode node(NodeId id) {
    return new DefaultControllerNode(id, IpAddress.valueOf("127.0.0.1"));
  }

  private static void assertRefused(CompletableFuture<?> requested, String reason) {
    CompletionException error = assertThrows(CompletionException.class, requested::join);
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
    assertTrue(error.getCause().getMessage().contains(reason), String.valueOf(error));
  }

  private FlowRequests instance(NodeId id, FakeFlows onos, FakeOpenFlow.Connected connected) {
    return new FlowRequests(
        APPLICATION,
        onos,
        new OpenFlowChannel(connected),
        pending,
        cluster.messagesOf(id),
        cluster,
        id,
        underway::add);
  }
}
