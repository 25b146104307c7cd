package org.evenweave.app;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.evenweave.app.cluster.PacketRelay;
import org.evenweave.app.southbound.OpenFlowChannel;
import org.evenweave.app.southbound.RemovedRules;
import org.evenweave.app.southbound.RuleChanges;
import org.onlab.util.Tools;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards messages from the switches of this instance to the instance that runs the engine, and
 * there to the engine.
 */
final class LeaderReports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderReports.class);

  /** Period of reporting packets that were dropped. */
  private static final long DROPPED_SECONDS = 1;

  /** Waits for nothing: ARP answers and probes that come late look like hosts and links lost. */
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Tools.groupedThreads("evenweave", "reports-%d", LOG));

  private final PacketRelay packetRelay;
  private final RemovedRules removedRules;
  private final RuleChanges ruleChanges;

  /**
   * @param application requests packets
   * @param leader the instance where the engine runs; null if there is none
   */
  LeaderReports(
      PacketService packets,
      ApplicationId application,
      ClusterCommunicationService messages,
      OpenFlowChannel channel,
      Supplier<NodeId> leader,
      EngineRunner runner) {
    packetRelay =
        new PacketRelay(
            packets,
            application,
            messages,
            leader,
            runner::packetIn,
            runner::packetsDropped,
            executor,
            System::nanoTime);
    removedRules = new RemovedRules(channel, messages, leader, runner::ruleRemoved, executor);
    ruleChanges = new RuleChanges(channel, messages, leader, runner::rulesChanged, executor);
    executor.scheduleWithFixedDelay(
        packetRelay::reportDropped, DROPPED_SECONDS, DROPPED_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    packetRelay.close();
    removedRules.close();
    ruleChanges.close();
    executor.shutdown();
  }
}
