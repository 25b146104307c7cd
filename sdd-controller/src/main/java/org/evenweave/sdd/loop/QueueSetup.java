package org.evenweave.sdd.loop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each host its queues: queue k for destination k, shut but for its slots, and one behind the
 * last for everything that goes through the packet switch. Behind that are the queues of a {@link
 * org.evenweave.sdd.policy.QueuePolicy}, which opens them itself.
 *
 * <p>Addresses are known from the hosts' greetings, so a host that connects is mapped at all others
 * too. Repeating a mapping does no harm.
 */
final class QueueSetup {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSetup.class);

  /** The packet queue goes first: its packets are few, and acknowledgements among them. */
  static final int PACKET_PRIORITY = 1;

  private final Directory directory;
  private final long packetBps;
  private final Map<FlowMatch, Integer> queueOfFlow = new LinkedHashMap<>();
  private final List<byte[]>[] addressesOf;

  /**
   * @param packetBps the limit of each host's packet queue, 0 for none
   * @param packetFlows flows between hosts that do not wait for circuits; destinations do not count
   * @param policyFlows further ones, and the queues for them
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  QueueSetup(
      Directory directory,
      long packetBps,
      List<FlowMatch> packetFlows,
      Map<FlowMatch, Integer> policyFlows) {
    this.directory = directory;
    this.packetBps = packetBps;
    packetFlows.forEach(flow -> queueOfFlow.put(flow, directory.packetQueue()));
    queueOfFlow.putAll(policyFlows);
    this.addressesOf = new List[directory.count()];
  }

  /** A host has connected. */
  synchronized void hostUp(HostSession host, Sessions sessions) {
    List<byte[]> before = addressesOf[host.number()];
    addressesOf[host.number()] = host.addresses();
    open(host);
    for (int number = 0; number < addressesOf.length; number++) {
      if (number == host.number()) {
        continue;
      }
      map(host, number, addressesOf[number]);
      HostSession other = sessions.host(number);
      if (other != null) {
        unmap(other, before, host.addresses());
        map(other, host.number(), host.addresses());
      }
    }
  }

  private void open(HostSession host) {
    for (int queue = 0; queue < directory.count(); queue++) {
      if (queue != host.number()) {
        noteFailure(host, host.createQueue(queue, QueueConfig.open().closedByDefault()));
      }
    }
    int packetQueue = directory.packetQueue();
    QueueConfig config =
        QueueConfig.open().throughPacketSwitch().priority(PACKET_PRIORITY).drainRateBps(packetBps);
    noteFailure(host, host.createQueue(packetQueue, config));
    noteFailure(host, host.mapFlow(packetQueue, FlowMatch.all(), 0));
    // To addresses of nobody in the directory.
    queueOfFlow.forEach(
        (flow, queue) -> {
          if (queue != packetQueue) {
            noteFailure(host, host.mapFlow(queue, flow, 0));
          }
        });
  }

  private void map(HostSession at, int destination, List<byte[]> addresses) {
    if (addresses == null) {
      return;
    }
    for (byte[] address : addresses) {
      noteFailure(at, at.mapFlow(destination, FlowMatch.all().toMapped(address), 0));
      queueOfFlow.forEach(
          (flow, queue) -> noteFailure(at, at.mapFlow(queue, flow.toMapped(address), 0)));
    }
  }

  /** Takes back the mappings of addresses that a host no longer has. */
  private void unmap(HostSession at, List<byte[]> before, List<byte[]> now) {
    if (before == null) {
      return;
    }
    for (byte[] address : before) {
      if (now.stream().noneMatch(kept -> java.util.Arrays.equals(kept, address))) {
        noteFailure(at, at.unmapFlow(FlowMatch.all().toMapped(address)));
        for (FlowMatch flow : queueOfFlow.keySet()) {
          noteFailure(at, at.unmapFlow(flow.toMapped(address)));
        }
      }
    }
  }

  private static void noteFailure(HostSession host, CompletableFuture<?> request) {
    request.whenComplete(
        (done, failure) -> {
          if (failure != null && host.isUp()) {
            LOG.warn("setting up queues: {}", failure.getMessage());
          }
        });
  }
}
