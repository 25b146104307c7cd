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
  void theMasterAsksItsOwnOnosWhateverInstanceWantsIt() {
    FlowRule delivery = FlowRule.deliver(0x0a00_0002, 9, 1, 2);
    for (FlowRequests instance : List.of(one, two)) {
      onosOfOne.asked.clear();
      instance.ask(DEVICE, List.of(PUT, SwitchOperation.deleteFlow(delivery)));
      assertEquals(
          List.of(
              "ADD DefaultTrafficSelector{criteria=[ETH_TYPE:ipv4, IPV4_DST:10.0.1.0/24]}",
              "REMOVE DefaultTrafficSelector{criteria=[ETH_TYPE:ipv4, IPV4_DST:10.0.0.2/32]}"),
          onosOfOne.inWords());
    }
    assertEquals(List.of(), onosOfTwo.asked);
  }

  @Test
  void aChangeIsDoneWhenItWasSentAndConfirmed() {
    CompletableFuture<Void> asked = two.ask(DEVICE, List.of(PUT));
    onosSends(ADDS);
    assertFalse(asked.isDone());
    onosOfOne.confirm();
    asked.join();
  }

  @Test
  void theConfirmationMayBeHeardBeforeTheMessage() {
    CompletableFuture<Void> asked = two.ask(DEVICE, List.of(PUT));
    onosOfOne.confirm();
    assertFalse(asked.isDone());
    onosSends(ADDS);
    asked.join();
  }

  /** ONOS compares the reply with the store after the change, and would undo the change. */
  @Test
  void aChangeIsDoneOnlyWhenOnosIsThroughWithWhatItReadBefore() {
    switches.say(DEVICE, rulesBefore(5));
    CompletableFuture<Void> asked = two.ask(DEVICE, List.of(PUT));
    onosSends(ADDS);
    onosOfOne.confirm();
    assertFalse(asked.isDone());
    onosSends(DELETES);
    switches.processed(DEVICE, rulesBefore(5));
    assertEquals(List.of(ADDS, DELETES, ADDS), switches.written.subList(0, 3));
    assertFalse(asked.isDone(), "the switch has not answered after the last of them");
    OFMessage question = switches.lastWritten();
    switches.say(
        DEVICE, FakeOpenFlow.OF.buildPortDescStatsReply().setXid(question.getXid()).build());
    assertFalse(asked.isDone(), "ONOS's store is still to be put right, which sends it once more");
    onosOfOne.asked.clear();
    runUnderway();
    assertFalse(asked.isDone());
    onosOfOne.confirm();
    asked.join();
  }

  /** The two are heard of on different threads. */
  @Test
  void onosMayBeThroughWithAReplyBeforeItsArrivalIsHeardOf() {
    switches.processed(DEVICE, rulesBefore(5));
    switches.say(DEVICE, rulesBefore(5));
    changed(PUT, ADDS);
  }

  @Test
  void whatAnotherSwitchSaidDelaysNothing() {
    switches.say(DeviceId.deviceId("of:0000000000000002"), rulesBefore(5));
    changed(PUT, ADDS);
  }

  private static OFMessage rulesBefore(long xid) {
    return FakeOpenFlow.rules(xid);
  }

  /** As when its store does not know the rule that is to be removed. */
  @Test
  void whatOnosConfirmsWithoutSendingItHasFailed() {
    CompletableFuture<Void> asked = two.ask(DEVICE, List.of(DELETION));
    onosOfOne.confirm();
    assertRefused(asked, "nothing");
  }

  @Test
  void aRefusalIsHeardOfByWhoeverAsked() {
    for (FlowRequests instance : List.of(one, two)) {
      onosOfOne.asked.clear();
      CompletableFuture<Void> asked = instance.ask(DEVICE, List.of(PUT));
      onosOfOne.refuse();
      assertRefused(asked, "refused");
    }
  }

  @Test
  void aSwitchWithoutAMasterIsNotChanged() {
    cluster.master = null;
    assertRefused(one.ask(DEVICE, List.of(PUT)), "no instance");
    assertEquals(List.of(), onosOfOne.asked);
  }

  @Test
  void whatOnosUndoesIsDoneAgainInTheSwitchAndInOnos() {
    changed(PUT, ADDS);
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES, ADDS), switches.written);
    onosOfOne.asked.clear();
    runUnderway();
    assertEquals(1, onosOfOne.asked.size());
    assertEquals(1, pending.undoings().getCount());
    switches.written.clear();
    changed(DELETION, DELETES);
    onosSends(ADDS);
    assertEquals(List.of(DELETES, ADDS, DELETES), switches.written);
    assertEquals(2, pending.undoings().getCount());
  }

  @Test
  void onosIsNotAskedAgainForWhatIsNoLongerWanted() {
    changed(PUT, ADDS);
    onosSends(DELETES);
    changed(DELETION, DELETES);
    onosOfOne.asked.clear();
    runUnderway();
    assertEquals(List.of(), onosOfOne.asked);
  }

  @Test
  void rulesThatAreLetGoMayBeRemovedWhoeverIsTheirMaster() {
    changed(PUT, ADDS);
    two.close();
    two.letGo(List.of(node(ONE), node(TWO)));
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  @Test
  void anInstanceThatHasEndedDoesNotKeepOthersFromLettingGo() {
    changed(PUT, ADDS);
    two.close();
    one.letGo(List.of(node(ONE), node(TWO)));
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  @Test
  void anInstanceThatStopsIsNotAskedAnyMoreAndDoesNothingAgain() {
    changed(PUT, ADDS);
    one.close();
    assertEquals(Set.of(TWO), cluster.listening());
    onosSends(DELETES);
    assertEquals(List.of(ADDS, DELETES), switches.written);
  }

  private void changed(SwitchOperation operation, OFFlowMod message) {
    onosOfOne.asked.clear();
    CompletableFuture<Void> asked = two.ask(DEVICE, List.of(operation));
    onosSends(message);
    onosOfOne.confirm();
    assertTrue(asked.isDone());
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

  private static void assertRefused(CompletableFuture<?> asked, String reason) {
    CompletionException error = assertThrows(CompletionException.class, asked::join);
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
