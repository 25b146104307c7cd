package org.evenweave.app.southbound;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
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
 * Adds to ONOS's flow store the rules that switches hold and the store lacks. The store is in
 * memory: it is empty after the restart of a single instance, and stale by seconds on a new master.
 * A rule that it lacks ONOS cannot remove on request (it confirms the removal all the same), and
 * may remove by itself.
 */
final class FlowStoreReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(FlowStoreReconciler.class);

  private final ApplicationId application;
  private final FlowRuleService flows;
  private final FlowTranslator translator;
  private final BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> request;
  private final Executor executor;

  /**
   * @param request as {@link FlowRequests#request}
   * @param executor for reads of the store, which may block on another instance
   */
  FlowStoreReconciler(
      ApplicationId application,
      FlowRuleService flows,
      FlowTranslator translator,
      BiFunction<DeviceId, List<SwitchOperation>, CompletableFuture<Void>> request,
      Executor executor) {
    this.application = application;
    this.flows = flows;
    this.translator = translator;
    this.request = request;
    this.executor = executor;
  }

  /**
   * Adds the rules that a switch holds and ONOS's store lacks or has with other actions. ONOS sends
   * the switch their flow-mods again, which change nothing there. Completes when all are added.
   */
  CompletableFuture<Void> reconcile(DeviceId device, Collection<FlowRule> held) {
    return CompletableFuture.supplyAsync(() -> unknown(device, held), executor)
        .thenCompose(
            unknown -> {
              if (unknown.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              LOG.info(
                  "{}: adding {} rules that the switch holds to ONOS's flow store",
                  device,
                  unknown.size());
              return request.apply(
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
