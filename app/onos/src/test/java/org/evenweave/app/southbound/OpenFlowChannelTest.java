package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.evenweave.app.southbound.FakeOpenFlow.bucket;
import static org.evenweave.app.southbound.FakeOpenFlow.entry;
import static org.evenweave.app.southbound.FakeOpenFlow.groups;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.types.TableId;

class OpenFlowChannelTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId OTHER = DeviceId.deviceId("of:0000000000000002");

  private final FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
  private final OpenFlowChannel channel = new OpenFlowChannel(controller);

  @Test
  void aReplyInSeveralMessagesIsWholeWithTheLast() {
    CompletableFuture<List<OFStatsReply>> replies = ask(17);
    OFStatsReply first =
        groups(
            17, Set.of(OFStatsReplyFlags.REPLY_MORE), entry(1, OFGroupType.SELECT, bucket(1, 1)));
    controller.say(DEVICE, first);
    assertFalse(replies.isDone());
    OFStatsReply last = groups(17, Set.of(), entry(2, OFGroupType.SELECT, bucket(1, 1)));
    controller.say(DEVICE, last);
    assertEquals(List.of(first, last), replies.join());
  }

  @Test
  void theReplyToAnotherRequestIsIgnored() {
    CompletableFuture<List<OFStatsReply>> replies = ask(17);
    controller.answerGroups(DEVICE, 18);
    controller.answerGroups(OTHER, 17);
    assertFalse(replies.isDone());
  }

  @Test
  void aRequestToASwitchThatIsNotConnectedHereFails() {
    controller.connected = false;
    assertRefused(ask(17));
  }

  @Test
  void nothingIsSentToASwitchOfAnotherMasterSinceOnosWouldDropIt() {
    controller.role = FakeOpenFlow.RoleState.SLAVE;
    assertRefused(ask(17));
    assertEquals(List.of(), controller.written);
  }

  @Test
  void aControllerWithoutTheMethodsOfOnosIsRefused() {
    assertThrows(IllegalStateException.class, () -> new OpenFlowChannel(new Object()));
  }

  @Test
  void removedRulesAreReportedWithTheirSwitch() {
    List<String> heard = new ArrayList<>();
    channel.onFlowRemoved(
        (device, message) -> heard.add(device + " " + OwnEntries.place(message).orElseThrow()));
    FlowRule rule = FlowRule.arpToController();
    controller.say(
        OTHER,
        OF.buildFlowRemoved()
            .setReason(OFFlowRemovedReason.DELETE)
            .setTableId(TableId.ZERO)
            .setPriority(OwnEntries.priority(rule))
            .setMatch(FlowEntries.match(rule))
            .build());
    assertEquals(List.of(OTHER + " " + rule), heard);
  }

  @Test
  void closingTakesTheListenerAway() {
    assertNotNull(controller.listener);
    channel.close();
    assertNull(controller.listener);
  }

  private CompletableFuture<List<OFStatsReply>> ask(long xid) {
    return channel.request(
        DEVICE, xid, (factory, id) -> factory.buildGroupDescStatsRequest().setXid(id).build());
  }

  private static void assertRefused(CompletableFuture<?> asked) {
    CompletionException error = assertThrows(CompletionException.class, asked::join);
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
  }
}
