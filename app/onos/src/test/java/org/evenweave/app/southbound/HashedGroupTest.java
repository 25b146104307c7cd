package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.openflow.LargeTableReader;
import org.evenweave.openflow.OperationStep;
import org.evenweave.openflow.TableEntry;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupAdd;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsEntry;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFQueueStatsRequest;
import org.projectfloodlight.openflow.protocol.action.OFAction;

/** Large tables by way of ONOS. */
class HashedGroupTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final int ID = 0x4557_0003;

  private static SelectGroup table(int slots) {
    int[] owners = new int[slots];
    Arrays.setAll(owners, slot -> 1 + slot % 3);
    return SelectGroup.largeTable(ID, owners);
  }

  private static OFMessage standIn(SelectGroup table) {
    List<OperationStep> steps = OwnEntries.OPERATIONS.steps(SwitchOperation.addGroup(table));
    return steps.get(steps.size() - 1).message(OF, 2);
  }

  private static boolean isTable(OFGroupDescStatsEntry described) {
    return new LargeTableReader(OwnEntries.FIRST_GROUP).add(HashedGroup.fromSwitch(described));
  }

  @Test
  void itMovesBitsOfTheHashIntoTheMetadataAndLooksThePacketUpAgain() {
    ByteBuf sent = Unpooled.buffer();
    HashedGroup.toSwitch(OF, standIn(table(512))).writeTo(sent);
    assertEquals(
        "040f005800000002"
            + "0000010045570003"
            + "00480001ffffffffffffffff00000000"
            + "0019001080000408"
            + "0000455700030000"
            + "ffff001800002320"
            + "0006000900000000"
            + "0001460480000408"
            + "ffff001000002320"
            + "000efff814000000",
        ByteBufUtil.hexDump(sent));
  }

  @Test
  void theGroupThatASwitchDescribesIsOneOfATable() {
    OFGroupMod real = (OFGroupMod) HashedGroup.toSwitch(OF, standIn(table(512)));
    assertTrue(isTable(TableEntry.of(real)));
  }

  @Test
  void aGroupThatLeadsElsewhereIsNoneOfATable() {
    OFGroupMod real = (OFGroupMod) HashedGroup.toSwitch(OF, standIn(table(512)));
    List<OFAction> actions = new ArrayList<>(real.getBuckets().get(0).getActions());
    actions.set(2, OF.actions().niciraResubmitTable(0xfff8, (short) 21));
    OFGroupMod toOtherTable =
        real.createBuilder()
            .setBuckets(
                List.of(real.getBuckets().get(0).createBuilder().setActions(actions).build()))
            .build();
    assertFalse(isTable(TableEntry.of(toOtherTable)));
    assertFalse(GroupCodec.read(TableEntry.of(toOtherTable)).isSlotTable());
    // The stand-in itself, should a switch hold it.
    assertFalse(isTable(TableEntry.of((OFGroupMod) standIn(table(512)))));
    assertFalse(isTable(FakeOpenFlow.entry(ID, OFGroupType.SELECT, FakeOpenFlow.bucket(1, 1))));
  }

  @Test
  void otherMessagesStayAsTheyAre() {
    for (OperationStep step : OwnEntries.OPERATIONS.steps(SwitchOperation.deleteGroup(table(16)))) {
      OFMessage message = step.message(OF, 1);
      assertSame(message, HashedGroup.toSwitch(OF, message));
    }
  }

  @Test
  void aTableIsReadAsItWasWrittenInChunks() {
    FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
    OpenFlowChannel channel = new OpenFlowChannel(controller);
    controller.beforeReport =
        message -> {
          if (message instanceof OFQueueStatsRequest) {
            controller.confirm(DEVICE);
          }
        };
    SwitchWriter writer = new SwitchWriter(channel);
    writer.apply(DEVICE, 1, List.of(SwitchOperation.addGroup(table(2048)))).join();
    List<OFGroupDescStatsEntry> groups = new ArrayList<>();
    List<OFFlowStatsEntry> rules = new ArrayList<>();
    for (OFMessage message : controller.changes()) {
      if (message instanceof OFGroupAdd) {
        groups.add(TableEntry.of((OFGroupMod) message));
      } else if (message instanceof OFFlowAdd) {
        rules.add(TableEntry.of((OFFlowAdd) message));
      }
    }
    CompletableFuture<SwitchTables> tables =
        new SwitchReader(channel).tables(DEVICE).thenApply(DeviceTables::own);
    controller.answerGroups(
        DEVICE,
        controller.last(OFGroupDescStatsRequest.class).getXid(),
        groups.toArray(OFGroupDescStatsEntry[]::new));
    controller.answerRules(
        DEVICE,
        controller.last(OFFlowStatsRequest.class).getXid(),
        rules.toArray(OFFlowStatsEntry[]::new));
    assertEquals(new SwitchTables(Map.of(ID, table(2048)), Map.of()), tables.join());
  }

  @Test
  void aTableThatHasNoFormIsRefusedUnsent() {
    FakeOpenFlow.Connected controller = new FakeOpenFlow.Connected();
    SwitchWriter writer = new SwitchWriter(new OpenFlowChannel(controller));
    SelectGroup odd = SelectGroup.largeTable(ID, new int[] {1, 2, 3});
    String problem =
        writer
            .apply(DEVICE, 1, List.of(SwitchOperation.addGroup(odd)))
            .handle((nothing, error) -> ((SouthboundException) error).getMessage())
            .join();
    assertTrue(problem.endsWith("group 0x45570003: 3 slots are no size of a large table"), problem);
    assertEquals(List.of(), controller.written);
  }
}
