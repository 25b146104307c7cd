package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.Sessions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each host its queues: queue k for destination k, shut but for its slots, and one behind the
 * last for everything that goes through the packet switch. Behind that are the queues of {@link
 * org.evenweave.sdd.policy.ClassSharing}, which opens them itself.
 *
 * <p>Addresses are known from the hosts' greetings, so a host that connects is mapped at all others
 * too. Repeating a mapping does no harm.
 */
final class QueueSetup {
  private static final Logger LOG = LoggerFactory.getLogger(QueueSetup.class);

  /** The packet queue goes first: its packets are few, and acknowledgements among them. */
  static final int PACKET_PRIORITY = Observed.MAX_PRIORITY + 1;

  private final Directory directory;
  private final long packetBps;
  private final List<FlowMatch> packetFlows;
  private final List<CircuitClass> circuitClasses;
  private Map<FlowMatch, Integer> queueOfFlow;
  private final List<byte[]>[] addressesOf;

  /** Of each host: the last session that was set up, and the flows that it has mapped. */
  private final HostSession[] sessionOf;

  private final Map<FlowMatch, Integer>[] flowsOf;

  /**
   * @param packetBps the limit of each host's packet queue, 0 for none
   * @param packetFlows flows between hosts that do not wait for circuits
   * @param circuitClasses those that have queues for circuits of their own
   * @param classFlows further ones, and the queues for them
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  QueueSetup(
      Directory directory,
      long packetBps,
      List<FlowMatch> packetFlows,
      List<CircuitClass> circuitClasses,
      Map<FlowMatch, Integer> classFlows) {
    this.directory = directory;
    this.packetBps = packetBps;
    this.packetFlows = packetFlows;
    this.circuitClasses = circuitClasses;
    this.queueOfFlow = withPacketFlows(classFlows);
    this.addressesOf = new List[directory.count()];
    this.sessionOf = new HostSession[directory.count()];
    this.flowsOf = new Map[directory.count()];
    Arrays.fill(flowsOf, Map.of());
  }

  private Map<FlowMatch, Integer> withPacketFlows(Map<FlowMatch, Integer> classFlows) {
    Map<FlowMatch, Integer> all = new LinkedHashMap<>();
    packetFlows.forEach(flow -> all.put(flow, directory.packetQueue()));
    all.putAll(classFlows);
    return all;
  }

  /** A host has connected. */
  synchronized void hostUp(HostSession host, Sessions sessions) {
    List<byte[]> before = addressesOf[host.number()];
    addressesOf[host.number()] = host.addresses();
    sessionOf[host.number()] = host;
    open(host);
    unmapStale(host);
    map(host, directory.packetQueue(), FlowMatch.all());
    // To addresses of nobody in the directory.
    queueOfFlow.forEach(
        (flow, queue) -> {
          if (queue != directory.packetQueue()) {
            map(host, queue, flow);
          }
        });
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
    flowsOf[host.number()] = queueOfFlow;
  }

  /**
   * Other flows of traffic classes and their queues. Each flow that changes its queue takes its
   * packets along, in order, as hosts do it.
   */
  synchronized void replaceClassFlows(Map<FlowMatch, Integer> classFlows) {
    queueOfFlow = withPacketFlows(classFlows);
    for (int number = 0; number < sessionOf.length; number++) {
      HostSession host = sessionOf[number];
      if (host != null && host.isUp()) {
        Map<FlowMatch, Integer> before = flowsOf[number];
        queueOfFlow.forEach(
            (flow, queue) -> {
              if (!queue.equals(before.get(flow))) {
                forms(flow, host).forEach(form -> map(host, queue, form));
              }
            });
        unmapStale(host);
        flowsOf[number] = queueOfFlow;
      }
    }
  }

  /** Takes back the flows that a host has mapped and that have no queue any more. */
  private void unmapStale(HostSession host) {
    for (FlowMatch flow : flowsOf[host.number()].keySet()) {
      if (!queueOfFlow.containsKey(flow)) {
        forms(flow, host).forEach(form -> noteFailure(host, host.unmapFlow(form)));
      }
    }
  }

  /** The flow as a host has it mapped: to whomever, and to each address of the others. */
  private List<FlowMatch> forms(FlowMatch flow, HostSession at) {
    List<FlowMatch> forms = new ArrayList<>(List.of(flow));
    for (int number = 0; number < addressesOf.length; number++) {
      if (number != at.number() && addressesOf[number] != null) {
        addressesOf[number].forEach(address -> forms.add(flow.toMapped(address)));
      }
    }
    return forms;
  }

  private void open(HostSession host) {
    for (int queue = 0; queue < directory.count(); queue++) {
      if (queue != host.number()) {
        noteFailure(host, host.createQueue(queue, QueueConfig.open().closedByDefault()));
        for (int c = 1; c < directory.circuitClasses(); c++) {
          QueueConfig ofClass =
              QueueConfig.open()
                  .closedByDefault()
                  .priority(circuitClasses.get(c - 1).demand().priority());
          noteFailure(host, host.createQueue(directory.queueTo(queue, c), ofClass));
        }
      }
    }
    int packetQueue = directory.packetQueue();
    QueueConfig config =
        QueueConfig.open().throughPacketSwitch().priority(PACKET_PRIORITY).drainRateBps(packetBps);
    noteFailure(host, host.createQueue(packetQueue, config));
  }

  private static void map(HostSession at, int queue, FlowMatch flow) {
    noteFailure(at, at.mapFlow(queue, flow, 0));
  }

  private void map(HostSession at, int destination, List<byte[]> addresses) {
    if (addresses == null) {
      return;
    }
    for (byte[] address : addresses) {
      map(at, destination, FlowMatch.all().toMapped(address));
      for (int c = 1; c < directory.circuitClasses(); c++) {
        for (FlowMatch flow : circuitClasses.get(c - 1).flows()) {
          map(at, directory.queueTo(destination, c), flow.toMapped(address));
        }
      }
      queueOfFlow.forEach((flow, queue) -> map(at, queue, flow.toMapped(address)));
    }
  }

  /** Takes back the mappings of addresses that a host no longer has. */
  private void unmap(HostSession at, List<byte[]> before, List<byte[]> now) {
    if (before == null) {
      return;
    }
    for (byte[] address : before) {
      if (now.stream().noneMatch(kept -> Arrays.equals(kept, address))) {
        noteFailure(at, at.unmapFlow(FlowMatch.all().toMapped(address)));
        for (CircuitClass each : circuitClasses) {
          each.flows().forEach(flow -> noteFailure(at, at.unmapFlow(flow.toMapped(address))));
        }
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
