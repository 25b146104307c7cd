package org.evenweave.app;

import java.util.Collection;
import java.util.concurrent.Executor;
import org.evenweave.app.cluster.LeaderEpoch;
import org.evenweave.app.network.SwitchNames;
import org.evenweave.app.southbound.FlowRequests;
import org.evenweave.app.southbound.GroupRequests;
import org.evenweave.app.southbound.OnosSouthbound;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.SwitchReader;
import org.evenweave.engine.runtime.ThreadLoop;
import org.onlab.util.SharedExecutors;
import org.onosproject.cluster.Node;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.group.GroupService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/**
 * This instance's part in reading and changing switches: serves the requests of the leader for the
 * switches that this instance is master of, and makes the leader's southbound.
 */
final class SwitchAccess implements AutoCloseable {
  private final ApplicationId application;
  private final FlowRuleService flows;
  private final PacketService packets;
  private final PendingChanges pending;
  private final SwitchReader reader;
  private final GroupRequests groupRequests;
  private final FlowRequests flowRequests;

  /**
   * @param local this instance
   * @param reads runs the reads that other instances request
   */
  SwitchAccess(
      ApplicationId application,
      NodeId local,
      OpenFlowChannel channel,
      GroupService groups,
      FlowRuleService flows,
      PacketService packets,
      ClusterCommunicationService messages,
      MastershipService masterships,
      PendingChanges pending,
      Executor reads) {
    this.application = application;
    this.flows = flows;
    this.packets = packets;
    this.pending = pending;
    reader = new SwitchReader(application, channel, messages, masterships, local, reads);
    groupRequests =
        new GroupRequests(
            application,
            groups,
            channel,
            pending,
            messages,
            masterships,
            local,
            SharedExecutors.getPoolThreadExecutor());
    flowRequests =
        new FlowRequests(
            application,
            flows,
            channel,
            pending,
            messages,
            masterships,
            local,
            SharedExecutors.getPoolThreadExecutor());
  }

  /** The southbound of an engine, or of a purge, which changes switches while the epoch lasts. */
  OnosSouthbound southbound(LeaderEpoch epoch, SwitchNames names, ThreadLoop loop) {
    return new OnosSouthbound(
        application,
        names,
        epoch::confirm,
        groupRequests,
        flowRequests,
        flows,
        packets,
        reader,
        pending,
        SharedExecutors.getPoolThreadExecutor(),
        loop);
  }

  /** As {@link FlowRequests#releaseRules}; also after the end of this. */
  void releaseRules(Collection<? extends Node> instances) {
    flowRequests.releaseRules(instances);
  }

  @Override
  public void close() {
    reader.close();
    groupRequests.close();
    flowRequests.close();
  }
}
