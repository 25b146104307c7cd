package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.IpPrefix;
import org.evenweave.sdd.protocol.QueueConfig;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;

/**
 * Sets up each host's queues: queue k for destination k, closed except in its slots, and one after
 * the last for all traffic through the packet switch. After that are the queues of {@link
 * org.evenweave.sdd.policy.ClassSharing}, which opens them itself, before.
 *
 * <p>Addresses are known from the hosts' greetings, as far as {@link AddressOwners} has them. A
 * host that connects with other addresses is also mapped at all other hosts whose session has been
 * set up; the rest have no queues yet, and get the mapping with their setup.
 *
 * <p>A host removes the setup of a previous controller once all hosts have connected, because
 * before that the queues of its flows to the others are unknown; or after a time-out.
 */
final class QueueSetup {
  /** The packet queue goes first: its packets are few, and acknowledgements among them. */
  static final int PACKET_PRIORITY = Observed.MAX_PRIORITY + 1;

  /** Twice as long as hosts wait at most before they connect again. */
  private static final long PATIENCE_NS = 10_000_000_000L;

  private final Directory directory;
  private final long patiencePeriods;
  private final long packetBps;
  private final List<FlowMatch> packetFlows;
  private final List<CircuitClass> circuitClasses;
  private Map<FlowMatch, Integer> queueOfFlow;

  private final AddressOwners owners;

  /** Of each host, what is mapped to it. */
  private final List<List<IpPrefix>> mappedAddresses;

  /** What all hosts that are set up have mapped. */
  private FlowMappings mappings;

  /** Of each host: the last session that was set up, and what it had mapped last. */
  private final HostSession[] sessionOf;

  private final FlowMappings[] mappingsOf;

  /** Who has ever connected. */
  private final BitSet heard = new BitSet();

  /** Whose setup has not ended, and how often each of them has reported since. */
  private final Map<HostSession, Long> unended = new HashMap<>();

  /**
   * @param periodNs how often hosts report
   * @param packetBps the limit of each host's packet queue, 0 for none
   * @param packetFlows flows between hosts that do not wait for circuits
   * @param circuitClasses those that have queues for circuits of their own
   * @param classFlows further ones, and the queues for them
   */
  QueueSetup(
      Directory directory,
      long periodNs,
      long packetBps,
      List<FlowMatch> packetFlows,
      List<CircuitClass> circuitClasses,
      Map<FlowMatch, Integer> classFlows) {
    this.directory = directory;
    this.patiencePeriods = 1 + PATIENCE_NS / periodNs;
    this.packetBps = packetBps;
    this.packetFlows = packetFlows;
    this.circuitClasses = circuitClasses;
    this.queueOfFlow = withPacketFlows(classFlows);
    this.owners = new AddressOwners(directory);
    this.mappedAddresses = new ArrayList<>(Collections.nCopies(directory.count(), List.of()));
    this.sessionOf = new HostSession[directory.count()];
    this.mappingsOf = new FlowMappings[directory.count()];
    Arrays.fill(mappingsOf, FlowMappings.none(directory.count()));
    this.mappings = mappingsOf[0].with(directory.count(), anywhere());
  }

  private Map<FlowMatch, Integer> withPacketFlows(Map<FlowMatch, Integer> classFlows) {
    Map<FlowMatch, Integer> all = new LinkedHashMap<>();
    packetFlows.forEach(flow -> all.put(flow, directory.packetQueue()));
    all.putAll(classFlows);
    return all;
  }

  /** The mapping of flows to addresses that no host in the directory has. */
  private Map<FlowMatch, Integer> anywhere() {
    Map<FlowMatch, Integer> queues = new LinkedHashMap<>();
    queues.put(FlowMatch.all(), directory.packetQueue());
    queues.putAll(queueOfFlow);
    return queues;
  }

  /** What counts for a host's addresses; of the same flows, what comes later. */
  private Map<FlowMatch, Integer> to(int number) {
    Map<FlowMatch, Integer> queues = new LinkedHashMap<>();
    for (IpPrefix address : mappedAddresses.get(number)) {
      queues.put(FlowMatch.all().to(address), number);
      for (int c = 1; c < directory.circuitClasses(); c++) {
        for (FlowMatch flow : circuitClasses.get(c - 1).flows()) {
          queues.put(flow.to(address), directory.queueTo(number, c));
        }
      }
      queueOfFlow.forEach((flow, queue) -> queues.put(flow.to(address), queue));
    }
    return queues;
  }

  /** A host has connected. */
  synchronized void hostUp(HostSession host) {
    int number = host.number();
    // Its session before is told nothing more.
    unended.remove(sessionOf[number]);
    sessionOf[number] = null;
    owners.connected(number, host.addresses());
    replace(withAddresses());
    owners
        .refused(number)
        .forEach(
            refusal ->
                host.log()
                    .warn("{} does not get {}: {}", host.name(), refusal.prefix(), refusal.why()));
    open(host);
    mappings.at(number, (flow, queue) -> map(host, queue, flow));
    if (host.takesEndSetup()) {
      unended.put(host, 0L);
    } else {
      // What other controllers had mapped stays at such a host.
      mappingsOf[number].to(mappings).at(number, (flow, queue) -> {}, flow -> unmap(host, flow));
    }
    mappingsOf[number] = mappings;
    sessionOf[number] = host;
    heard.set(number);
    if (heard.cardinality() == directory.count()) {
      unended.keySet().forEach(each -> noteFailure(each, each.endSetup()));
      unended.clear();
    }
  }

  /** A host has reported, as it does once a period. */
  synchronized void demandReported(HostSession host) {
    Long reports = unended.computeIfPresent(host, (same, before) -> before + 1);
    if (reports != null && reports >= patiencePeriods) {
      unended.remove(host);
      noteFailure(host, host.endSetup());
    }
  }

  /** A host's session has ended; what it has stays its own until another host says it. */
  synchronized void hostDown(HostSession host) {
    int number = host.number();
    if (sessionOf[number] == host) {
      unended.remove(host);
      sessionOf[number] = null;
      owners.disconnected(number);
      replace(withAddresses());
    }
  }

  /** What a host has said and does not get, and why. */
  synchronized Map<IpPrefix, String> refused(int number) {
    Map<IpPrefix, String> reasons = new LinkedHashMap<>();
    owners.refused(number).forEach(each -> reasons.put(each.prefix(), each.why()));
    return reasons;
  }

  private FlowMappings withAddresses() {
    FlowMappings next = mappings;
    for (int number = 0; number < directory.count(); number++) {
      if (mappedAddresses.get(number) != owners.of(number)) {
        mappedAddresses.set(number, owners.of(number));
        next = next.with(number, to(number));
      }
    }
    return next;
  }

  /**
   * Other flows of traffic classes and their queues. Each flow that changes its queue takes its
   * packets along, in order, as hosts do it.
   */
  synchronized void replaceClassFlows(Map<FlowMatch, Integer> classFlows) {
    queueOfFlow = withPacketFlows(classFlows);
    FlowMappings next = mappings.with(directory.count(), anywhere());
    for (int number = 0; number < directory.count(); number++) {
      next = next.with(number, to(number));
    }
    replace(next);
  }

  /** Tells the hosts that are set up what differs. */
  private void replace(FlowMappings next) {
    FlowMappings.Change change = mappings.to(next);
    mappings = next;
    for (int number = 0; number < sessionOf.length; number++) {
      HostSession host = sessionOf[number];
      if (host != null && host.isUp()) {
        change.at(number, (flow, queue) -> map(host, queue, flow), flow -> unmap(host, flow));
        mappingsOf[number] = next;
      }
    }
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

  private static void unmap(HostSession at, FlowMatch flow) {
    noteFailure(at, at.unmapFlow(flow));
  }

  private static void noteFailure(HostSession host, CompletableFuture<?> request) {
    request.whenComplete(
        (done, failure) -> {
          if (failure != null && host.isUp()) {
            host.log().warn("setting up queues: {}", failure.getMessage());
          }
        });
  }
}
