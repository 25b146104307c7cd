package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.OperationStep;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFQueueStatsRequest;

/** Changes of a switch, and what confirms them. */
class ChunkTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final DeviceId OTHER = DeviceId.deviceId("of:0000000000000002");
  private static final SelectGroup GROUP =
      new SelectGroup(0x4557_0003, new int[] {1, 2}, new int[] {3, 4});
  private static final FlowRule RULE =
      FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), GROUP.id());
  private static final List<OperationStep> STEPS =
      Stream.of(
              SwitchOperation.addGroup(GROUP),
              SwitchOperation.putFlow(RULE),
              SwitchOperation.deleteFlow(FlowRule.arpToController()))
          .flatMap(operation -> OwnEntries.OPERATIONS.steps(operation).stream())
          .collect(Collectors.toList());

  private final FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
  private final OpenFlowChannel channel = new OpenFlowChannel(controller);

  @Test
  void changesGoOutInOrderAndAreConfirmedByTheReplyToWhatFollowsThem() {
    CompletableFuture<Void> change = channel.change(DEVICE, STEPS);
    assertTrue(controller.written.get(0) instanceof OFGroupAdd);
    assertTrue(controller.written.get(1) instanceof OFFlowAdd);
    assertTrue(controller.written.get(2) instanceof OFFlowDeleteStrict);
    assertTrue(controller.written.get(3) instanceof OFQueueStatsRequest);
    assertEquals(
        List.of(FakeOpenFlow.bucket(1, 3), FakeOpenFlow.bucket(2, 4)),
        ((OFGroupMod) controller.written.get(0)).getBuckets());
    assertFalse(change.isDone());
    controller.confirm(OTHER);
    assertFalse(change.isDone(), "another switch");
    controller.confirm(DEVICE);
    assertTrue(change.isDone() && !change.isCompletedExceptionally());
  }

  /** ONOS warns of every reply to a barrier request that is not its own; others may reorder. */
  @Test
  void aSwitchThatMayReorderGetsABarrier() {
    controller.hardware = "a switch";
    CompletableFuture<Void> change = channel.change(DEVICE, STEPS);
    OFBarrierRequest barrier = controller.last(OFBarrierRequest.class);
    assertEquals(controller.lastWritten(), barrier);
    controller.say(DEVICE, OF.buildBarrierReply().setXid(barrier.getXid()).build());
    assertTrue(change.isDone() && !change.isCompletedExceptionally());
  }

  @Test
  void aChunkWithAnOperationThatTheSwitchRefusesFails() {
    CompletableFuture<Void> change = channel.change(DEVICE, STEPS);
    controller.refuse(DEVICE, controller.written.get(0));
    assertFalse(change.isDone(), "what follows is under way");
    controller.confirm(DEVICE);
    assertRefused(change, "refused ADD_GROUP group 0x45570003: GROUP_MOD_FAILED/OUT_OF_GROUPS");
  }

  @Test
  void aConfirmationThatTheSwitchRefusesConfirmsNothing() {
    CompletableFuture<Void> change = channel.change(DEVICE, STEPS);
    controller.refuse(DEVICE, controller.lastWritten());
    assertRefused(change, "refused the confirmation");
  }

  /** It drops messages while it changes a switch's role, or keeps them until it is master again. */
  @Test
  void aChunkOfWhichOnosDroppedAMessageIsNotConfirmedByTheReplyToTheRest() {
    controller.unsent = OFFlowAdd.class::isInstance;
    CompletableFuture<Void> change = channel.change(DEVICE, STEPS);
    assertRefused(change, "no longer its master");
    controller.confirm(DEVICE);
    assertTrue(change.isCompletedExceptionally());
  }

  @Test
  void nothingIsWrittenToASwitchOfAnotherMaster() {
    controller.role = FakeOpenFlow.RoleState.SLAVE;
    assertRefused(channel.change(DEVICE, STEPS), "another master");
    controller.connected = false;
    assertRefused(channel.change(DEVICE, STEPS), "not connected");
    assertEquals(List.of(), controller.written);
  }

  /** The threads that send and receive race. */
  @Test
  void aReplyBeforeOnosHasReportedTheRequestAsSentCounts() {
    controller.beforeReport =
        message -> {
          if (message instanceof OFQueueStatsRequest) {
            controller.say(
                DEVICE,
                OF.buildQueueStatsReply().setXid(message.getXid()).setEntries(List.of()).build());
          }
        };
    assertTrue(channel.change(DEVICE, STEPS).isDone());
  }

  @Test
  void chunksUnderWayHaveTransactionsOfTheirOwn() {
    CompletableFuture<Void> first = channel.change(DEVICE, STEPS);
    CompletableFuture<Void> second = channel.change(DEVICE, STEPS);
    Set<Long> xids = new HashSet<>();
    controller.written.stream().map(OFMessage::getXid).forEach(xids::add);
    assertEquals(2 * (STEPS.size() + 1), xids.size());
    controller.refuse(DEVICE, controller.written.get(0));
    controller.confirm(DEVICE);
    assertTrue(second.isDone() && !second.isCompletedExceptionally());
    assertFalse(first.isDone());
  }

  private static void assertRefused(CompletableFuture<?> change, String reason) {
    CompletionException error = assertThrows(CompletionException.class, change::join);
    assertTrue(error.getCause() instanceof SouthboundException, String.valueOf(error));
    assertTrue(error.getCause().getMessage().contains(reason), String.valueOf(error));
  }
}
