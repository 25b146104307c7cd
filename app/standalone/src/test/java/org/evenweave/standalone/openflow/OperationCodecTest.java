package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.openflow.GroupCodec;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class OperationCodecTest {
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.0.0/8");
  private static final SelectGroup CHANGED =
      new SelectGroup(OwnGroups.id(5), new int[] {FlowCodec.NO_PORT}, new int[] {1});

  @Test
  void aGroupLargerThanAMessageIsRefusedUnsent() {
    int[] slots = new int[GroupCodec.MAX_BUCKETS + 1];
    Arrays.fill(slots, 1);
    SelectGroup larger = SelectGroup.ofSlots(OwnGroups.id(5), slots);
    SelectGroup largest =
        SelectGroup.ofSlots(OwnGroups.id(5), Arrays.copyOf(slots, GroupCodec.MAX_BUCKETS));
    assertNull(OperationCodec.problem(SwitchOperation.addGroup(largest)));
    assertEquals(
        "1637 buckets do not fit one OpenFlow message, which holds 1636",
        OperationCodec.problem(SwitchOperation.modifyGroup(larger)));
  }

  @Test
  void whatCannotBeSaidIsRefusedUnsent() {
    List<SwitchOperation> wrong =
        List.of(
            SwitchOperation.addGroup(Any.group(0, 1)),
            SwitchOperation.addGroup(Any.group(-1, 1)),
            SwitchOperation.addGroup(Any.group(OpenFlow13.LAST_GROUP + 1, 1)),
            SwitchOperation.deleteGroup(Any.group(OpenFlow13.LAST_GROUP + 1, 1)),
            SwitchOperation.addGroup(Any.group(OwnGroups.id(5), GroupCodec.MAX_WEIGHT + 1)),
            SwitchOperation.addGroup(CHANGED),
            SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, OwnGroups.id(0))),
            SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)),
            SwitchOperation.putFlow(FlowRule.deliver(1, -2, 1, 2)));
    for (SwitchOperation operation : wrong) {
      assertNotNull(OperationCodec.problem(operation), operation.toString());
    }
  }

  @Test
  void whatWasReadAsChangedCanStillBeDeleted() {
    assertNull(OperationCodec.problem(SwitchOperation.deleteGroup(CHANGED)));
    assertNull(
        OperationCodec.problem(
            SwitchOperation.deleteFlow(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT))));
  }
}
