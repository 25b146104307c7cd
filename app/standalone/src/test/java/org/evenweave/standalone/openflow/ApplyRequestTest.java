package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.openflow.Any;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFMessage;

class ApplyRequestTest {
  private final ApplyRequest request =
      ApplyRequest.of("s1", List.of(SwitchOperation.addGroup(Any.group(OwnGroups.id(1), 1))));

  private final List<Thread> told = new ArrayList<>();

  /** A thread in between would have to be woken first, for each round of a plan. */
  @Test
  void aConfirmationIsPassedOnByTheThreadThatReadIt() {
    Transaction transaction = request.next();
    List<OFMessage> messages = transaction.messages(1);
    request.future().thenRun(() -> told.add(Thread.currentThread()));
    assertTrue(
        transaction.onReply(
            OpenFlow13.FACTORY.buildBarrierReply().setXid(messages.size()).build()));
    assertEquals(List.of(Thread.currentThread()), told);
  }

  @Test
  void aFailureIsPassedOnByTheThreadThatSawIt() {
    request.future().whenComplete((nothing, error) -> told.add(Thread.currentThread()));
    assertFalse(request.hasEnded());
    request.next().onLost("connection lost");
    assertEquals(List.of(Thread.currentThread()), told);
  }
}
