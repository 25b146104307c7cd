package org.evenweave.app.southbound;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.evenweave.app.cluster.LeaderReports;
import org.evenweave.engine.port.FlowRule;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;

/**
 * Forwards switches' reports of removed rules to the instance where the engine runs: a switch sends
 * them to its master, which may be another. Every instance has one.
 */
public final class RemovedRules implements AutoCloseable {
  private final OpenFlowChannel channel;
  private final LeaderReports<List<Object>> reports;

  /**
   * @param leader the instance where the engine runs; null if there is none
   * @param toEngine takes on that instance the switch, and a rule in the place of the removed one
   * @param executor to call it on
   */
  public RemovedRules(
      OpenFlowChannel channel,
      ClusterCommunicationService cluster,
      Supplier<NodeId> leader,
      BiConsumer<DeviceId, FlowRule> toEngine,
      Executor executor) {
    this.channel = channel;
    reports =
        new LeaderReports<>(
            "evenweave-rule-removed",
            MasterRequests.SERIALIZER,
            cluster,
            leader,
            removed -> toEngine.accept(WireFormat.device(removed), WireFormat.toRule(removed)),
            executor);
    channel.onFlowRemoved(this::onRemoved);
  }

  @Override
  public void close() {
    channel.onFlowRemoved((device, message) -> {});
    reports.close();
  }

  private void onRemoved(DeviceId device, OFFlowRemoved message) {
    OwnEntries.place(message).ifPresent(rule -> reports.send(WireFormat.ruleOf(device, rule)));
  }
}
