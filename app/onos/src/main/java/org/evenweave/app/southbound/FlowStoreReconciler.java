package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRuleService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps ONOS's flow store in step with what switches hold. The store is in memory: it is empty
 * after a lone instance's restart, and a new master's copy can be seconds old. What it does not
 * know, ONOS cannot remove when asked to (it then says it has), and may remove by itself.
 */
final class FlowStoreReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(FlowStoreReconciler.class);

  private final ApplicationId application;
  private final FlowRuleService flows;
  private final FlowTranslator translator;
  private final FlowChanges changes;
  private final Executor executor;

  /**
   * @param executor for questions to the store, which can wait for another instance
   */
  FlowStoreReconciler(
      ApplicationId application,
      FlowRuleService flows,
      FlowTranslator translator,
      FlowChanges changes,
      Executor executor) {
    this.application = application;
    this.flows = flows;
    this.translator = translator;
    this.changes = changes;
    this.executor = executor;
  }

  /**
   * Adds to ONOS's store the rules that a switch holds and the store does not know as such. The
   * switch is given them anew by that, which changes nothing in it. Completes when all are there.
   */
  CompletableFuture<Void> enter(DeviceId device, Collection<FlowRule> held) {
    return CompletableFuture.supplyAsync(() -> unknown(device, held), executor)
        .thenCompose(
            unknown -> {
              if (unknown.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              LOG.info("{}: ONOS did not know {} rules that it holds", device, unknown.size());
              return changes.apply(
                  device,
                  unknown.stream().map(SwitchOperation::putFlow).collect(Collectors.toList()));
            });
  }

  private List<FlowRule> unknown(DeviceId device, Collection<FlowRule> held) {
    Map<FlowId, FlowEntry> known = new HashMap<>();
    for (FlowEntry entry : flows.getFlowEntries(device)) {
      boolean stays =
          entry.state() == FlowEntryState.ADDED || entry.state() == FlowEntryState.PENDING_ADD;
      if (stays && entry.appId() == application.id()) {
        known.put(entry.id(), entry);
      }
    }
    List<FlowRule> unknown = new ArrayList<>();
    for (FlowRule rule : held) {
      org.onosproject.net.flow.FlowRule asOnos = translator.toOnos(device, rule);
      FlowEntry entry = known.get(asOnos.id());
      if (entry == null || !entry.treatment().equals(asOnos.treatment())) {
        unknown.add(rule);
      }
    }
    return unknown;
  }
}
