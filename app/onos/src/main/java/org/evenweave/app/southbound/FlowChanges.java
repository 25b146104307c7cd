package org.evenweave.app.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;

/** Changes the rules of one device; ONOS confirms a batch by a barrier of its own. */
final class FlowChanges {
  private final FlowRuleService flows;
  private final FlowTranslator translator;
  private final PendingChanges pending;

  FlowChanges(FlowRuleService flows, FlowTranslator translator, PendingChanges pending) {
    this.flows = flows;
    this.translator = translator;
    this.pending = pending;
  }

  /** Completes when the switch has confirmed all of the operations, which are on rules only. */
  CompletableFuture<Void> apply(DeviceId device, List<SwitchOperation> operations) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    FlowRuleOperations.Builder batch = FlowRuleOperations.builder();
    for (SwitchOperation operation : operations) {
      org.onosproject.net.flow.FlowRule rule = translator.toOnos(device, operation.flow());
      if (operation.kind() == SwitchOperation.Kind.PUT_FLOW) {
        batch.add(rule);
      } else {
        batch.remove(rule);
      }
    }
    PendingChanges.Entry entry = pending.add(device, operations);
    flows.apply(
        batch.build(
            new FlowRuleOperationsContext() {
              @Override
              public void onSuccess(FlowRuleOperations operations) {
                done.complete(null);
              }

              @Override
              public void onError(FlowRuleOperations failed) {
                done.completeExceptionally(
                    new SouthboundException(
                        device.toString(), "rules refused: " + failed.stages()));
              }
            }));
    return done.orTimeout(pending.timeoutNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (nothing, error) -> {
              if (error == null) {
                entry.confirmed();
              } else if (error instanceof TimeoutException) {
                entry.givenUp();
              } else {
                entry.refused();
              }
            });
  }
}
