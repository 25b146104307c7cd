package org.evenweave.app.southbound;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.evenweave.app.cluster.LeaderReports;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;

/**
 * Notices from ONOS's polls (every 5 s), and from the application's own readings, that a switch
 * holds other rules than before, and reports that to the instance where the engine runs, which
 * reads the switch. ONOS itself does not report rules that are not in its stores. A rule that only
 * a reading between two polls has seen would else be believed until the next audit. Every instance
 * has one, for the switches that it is master of.
 */
public final class RuleChanges implements AutoCloseable {
  private final OpenFlowChannel channel;
  private final LeaderReports<List<Object>> reports;
  private final Map<DeviceId, Polls> polls = new ConcurrentHashMap<>();

  /** Of one switch; on the thread that reads from it. */
  private static final class Polls {
    /** By transaction id, the sum so far of a poll whose reply has further parts. */
    final Map<Long, Long> unfinished = new HashMap<>();

    /** Of the last whole poll; null before the first. */
    Long last;
  }

  /** Polls whose replies never end, at most: older ones are dropped with all others. */
  private static final int MOST_UNFINISHED = 8;

  /**
   * @param leader the instance where the engine runs; null if there is none
   * @param toEngine takes on that instance the switch
   * @param executor to call it on
   */
  public RuleChanges(
      OpenFlowChannel channel,
      ClusterCommunicationService cluster,
      Supplier<NodeId> leader,
      Consumer<DeviceId> toEngine,
      Executor executor) {
    this.channel = channel;
    reports =
        new LeaderReports<>(
            "evenweave-rules-changed",
            MasterRequests.SERIALIZER,
            cluster,
            leader,
            message -> toEngine.accept(WireFormat.device(message)),
            executor);
    channel.onRules(this::onRules);
  }

  @Override
  public void close() {
    channel.onRules((device, part) -> {});
    reports.close();
  }

  private void onRules(DeviceId device, OFFlowStatsReply part) {
    Polls ofDevice = polls.computeIfAbsent(device, any -> new Polls());
    synchronized (ofDevice) {
      long sum = ofDevice.unfinished.getOrDefault(part.getXid(), 0L);
      for (OFFlowStatsEntry entry : part.getEntries()) {
        sum += digest(entry);
      }
      if (part.getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
        if (ofDevice.unfinished.size() >= MOST_UNFINISHED) {
          ofDevice.unfinished.clear();
        }
        ofDevice.unfinished.put(part.getXid(), sum);
        return;
      }
      ofDevice.unfinished.remove(part.getXid());
      boolean changed = ofDevice.last != null && ofDevice.last != sum;
      ofDevice.last = sum;
      if (changed) {
        reports.send(WireFormat.request(device, 0, 0, List.of()));
      }
    }
  }

  /** Equal for equal rules, whatever they have counted; sums do not depend on the order. */
  private static long digest(OFFlowStatsEntry entry) {
    long hash =
        Objects.hash(
            entry.getTableId(),
            entry.getPriority(),
            entry.getMatch(),
            entry.getInstructions(),
            entry.getCookie());
    // The finaliser of splitmix64: sums of plain hashes of similar rules are alike too often.
    hash = (hash ^ (hash >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return hash ^ (hash >>> 31);
  }
}
