package org.evenweave.engine.forwarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

class RequestedChangesTest {
  private static final FlowRule RULE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 1);
  private static final List<SwitchOperation> DELETION = List.of(SwitchOperation.deleteFlow(RULE));
  private static final List<SwitchOperation> NEW_GROUP =
      List.of(SwitchOperation.addGroup(new SelectGroup(1, new int[] {1}, new int[] {1})));

  private long nowNanos = 1_000;
  private final RequestedChanges changes = new RequestedChanges(() -> nowNanos, 100);

  @Test
  void aRuleIsBeingDeletedUntilItsSwitchAnswers() {
    changes.asked("a", DELETION);
    assertTrue(changes.isDeleting("a", RULE));
    assertFalse(changes.isDeleting("b", RULE));
    changes.ended("a", DELETION);
    assertFalse(changes.isDeleting("a", RULE));
    assertEquals(1, changes.timesAsked("a"));
    assertEquals(0, changes.timesAsked("b"));
  }

  @Test
  void switchesSettleAfterTheLastChangeOfWhatPacketsMeet() {
    assertEquals(0, changes.untilSettledNanos());
    changes.asked("a", DELETION);
    changes.ended("a", DELETION);
    nowNanos += 40;
    assertEquals(60, changes.untilSettledNanos());
    changes.asked("b", NEW_GROUP);
    changes.ended("b", NEW_GROUP);
    assertEquals(60, changes.untilSettledNanos(), "nothing uses the group yet");
  }
}
