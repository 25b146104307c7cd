package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;

class FlowStoreReconcilerTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final FlowRule ROUTE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.1.0/24"), 3);
  private static final FlowRule DELIVERY = FlowRule.deliver(0x0a00_0002, 9, 1, 2);

  private final ApplicationId application = new DefaultApplicationId(7, "org.evenweave.app");
  private final FakeFlows onos = new FakeFlows(application);
  private final List<FlowRule> put = new ArrayList<>();
  private final CompletableFuture<Void> outcome = new CompletableFuture<>();
  private final FlowStoreReconciler reconciler =
      new FlowStoreReconciler(
          application,
          onos,
          new FlowTranslator(application),
          (device, operations) -> {
            operations.forEach(operation -> put.add(operation.flow()));
            return outcome;
          },
          Runnable::run);

  @Test
  void aRuleOfTheStoreIsNotRequestedAgain() {
    onos.knows(DEVICE, ROUTE, FlowEntry.FlowEntryState.ADDED);
    onos.knows(DEVICE, DELIVERY, FlowEntry.FlowEntryState.PENDING_ADD);
    assertTrue(reconciler.reconcile(DEVICE, List.of(ROUTE, DELIVERY)).isDone());
    assertEquals(List.of(), put);
  }

  @Test
  void aRuleMissingInTheStoreIsAddedBeforePlanning() {
    onos.knows(DEVICE, ROUTE, FlowEntry.FlowEntryState.ADDED);
    CompletableFuture<Void> reconciled = reconciler.reconcile(DEVICE, List.of(ROUTE, DELIVERY));
    assertFalse(reconciled.isDone());
    assertEquals(List.of(DELIVERY), put);
    outcome.complete(null);
    assertTrue(reconciled.isDone() && !reconciled.isCompletedExceptionally());
  }

  /** Else ONOS would bring the older actions back. */
  @Test
  void aRuleWithOtherActionsInTheStoreIsAddedAgain() {
    FlowRule older = FlowRule.routeToPort(ROUTE.prefix(), 4);
    onos.knows(DEVICE, older, FlowEntry.FlowEntryState.ADDED);
    reconciler.reconcile(DEVICE, List.of(ROUTE));
    assertEquals(List.of(ROUTE), put);
  }

  @Test
  void aRulePendingRemovalIsAddedAgain() {
    onos.knows(DEVICE, ROUTE, FlowEntry.FlowEntryState.PENDING_REMOVE);
    reconciler.reconcile(DEVICE, List.of(ROUTE));
    assertEquals(List.of(ROUTE), put);
  }

  @Test
  void aRefusalFailsTheReadSoThatItIsRetried() {
    CompletableFuture<Void> reconciled = reconciler.reconcile(DEVICE, List.of(ROUTE));
    outcome.completeExceptionally(new SouthboundException(DEVICE.toString(), "rules refused"));
    assertTrue(reconciled.isCompletedExceptionally());
  }
}
