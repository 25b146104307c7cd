package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;

class FlowBookTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final FlowRule ROUTE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.1.0/24"), 3);
  private static final FlowRule DELIVERY = FlowRule.deliver(0x0a00_0002, 9, 1, 2);

  private final ApplicationId application = new DefaultApplicationId(7, "org.evenweave.app");
  private final FlowTranslator translator = new FlowTranslator(application);
  private final PendingChanges pending = new PendingChanges();
  private final FakeFlows onos = new FakeFlows();
  private final FlowBook book =
      new FlowBook(
          application, onos, translator, new FlowChanges(onos, translator, pending), Runnable::run);

  @Test
  void whatOnosKnowsIsNotAskedForAgain() {
    onos.knows(ROUTE, FlowEntry.FlowEntryState.ADDED);
    onos.knows(DELIVERY, FlowEntry.FlowEntryState.PENDING_ADD);
    assertTrue(book.enter(DEVICE, List.of(ROUTE, DELIVERY)).isDone());
    assertEquals(List.of(), onos.asked);
  }

  @Test
  void whatOnosHasForgottenIsEnteredBeforeAnybodyPlansWithIt() {
    onos.knows(ROUTE, FlowEntry.FlowEntryState.ADDED);
    CompletableFuture<Void> entered = book.enter(DEVICE, List.of(ROUTE, DELIVERY));
    assertFalse(entered.isDone());
    assertEquals(List.of(translator.toOnos(DEVICE, DELIVERY)), onos.added());
    onos.confirm();
    assertTrue(entered.isDone() && !entered.isCompletedExceptionally());
  }

  /** Else ONOS would bring the older actions back. */
  @Test
  void whatOnosKnowsWithOtherActionsIsEnteredAnew() {
    onos.knows(FlowRule.routeToPort(ROUTE.prefix(), 4), FlowEntry.FlowEntryState.ADDED);
    book.enter(DEVICE, List.of(ROUTE));
    assertEquals(translator.toOnos(DEVICE, ROUTE).treatment(), onos.added().get(0).treatment());
  }

  @Test
  void whatOnosIsAboutToRemoveIsEnteredAnew() {
    onos.knows(ROUTE, FlowEntry.FlowEntryState.PENDING_REMOVE);
    book.enter(DEVICE, List.of(ROUTE));
    assertEquals(1, onos.added().size());
  }

  @Test
  void whenOnosRefusesTheReadingFailsSoThatItIsTriedAgain() {
    CompletableFuture<Void> entered = book.enter(DEVICE, List.of(ROUTE));
    onos.asked.get(0).callback().onError(onos.asked.get(0));
    assertTrue(entered.isCompletedExceptionally());
    assertEquals(List.of(), pending.entries());
  }

  private final class FakeFlows extends FlowRuleServiceAdapter {
    final List<FlowRuleOperations> asked = new ArrayList<>();
    private final List<FlowEntry> store = new ArrayList<>();

    void knows(FlowRule rule, FlowEntry.FlowEntryState state) {
      store.add(new DefaultFlowEntry(translator.toOnos(DEVICE, rule), state));
    }

    void confirm() {
      asked.forEach(operations -> operations.callback().onSuccess(operations));
    }

    List<org.onosproject.net.flow.FlowRule> added() {
      return asked.stream()
          .flatMap(operations -> operations.stages().stream())
          .flatMap(java.util.Collection::stream)
          .filter(operation -> operation.type() == FlowRuleOperation.Type.ADD)
          .map(FlowRuleOperation::rule)
          .collect(Collectors.toList());
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
      return store;
    }

    @Override
    public void apply(FlowRuleOperations operations) {
      asked.add(operations);
    }
  }
}
