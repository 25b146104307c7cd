package org.evenweave.sdd.policy;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.rate.RateLimits;
import org.evenweave.sdd.schedule.SddApi;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.sharing.SharedQueues;

/**
 * Traffic classes that share each host's bandwidth through the packet switch: a queue for each
 * class, whose flows take turns, and a rate for each queue that follows the host's reports (Tewari
 * 2015, sections 5.4.3 and 5.4.4).
 *
 * <p>A change reaches a host within a period of the report that asks for it. In between, classes
 * that begin to send may exceed the capacity together: each has the rate that it had.
 *
 * <p>Classes may be replaced at any time: one that keeps its name keeps its queue, its packets and,
 * until the next report, its rate. Queues of classes that are gone are closed once nothing is
 * mapped to them and they are empty.
 *
 * <p>Nothing blocks. Thread-safe; hold the lock of this object to read several things of the same
 * classes.
 */
public final class ClassSharing {
  private final IntFunction<String> nameOf;
  private final long periodNs;
  private final int firstQueue;
  private final RateLimits limits;
  private final SharedQueues recipe;
  private final Map<Integer, HostClasses> hosts = new HashMap<>();

  /** Of each host, what some classes get at most besides. */
  private final Map<Integer, Map<String, Long>> mostBps = new HashMap<>();

  private SharingConfig config;
  private ClassQueues queues;

  /**
   * @param nameOf each host's name
   * @param periodNs how often hosts report
   * @param firstQueue from which on queues are free
   * @param sdd opens queues through the packet switch
   */
  public ClassSharing(
      SharingConfig config, IntFunction<String> nameOf, long periodNs, int firstQueue, SddApi sdd) {
    this.config = config;
    this.nameOf = nameOf;
    this.periodNs = periodNs;
    this.firstQueue = firstQueue;
    this.queues = new ClassQueues(config.classes(), Map.of(), firstQueue, queue -> false);
    this.limits = new RateLimits(sdd, config.packetBytes());
    this.recipe = new SharedQueues(sdd, limits);
  }

  /** What counts now. */
  public synchronized SharingConfig config() {
    return config;
  }

  /** The flows that belong in the classes' queues now, and these queues' numbers. Immutable. */
  public synchronized Map<FlowMatch, Integer> queues() {
    return queues.flows();
  }

  /** The queue of a class, or a negative number if it has none. */
  public synchronized int queue(int trafficClass) {
    return queues.queueOf()[trafficClass];
  }

  /** The queue of the class of a name, or a negative number if it has none. */
  public synchronized int queue(String className) {
    return queues.byName().getOrDefault(className, ClassQueues.NO_QUEUE);
  }

  /** The name of the class that a queue is for, if it is one's. */
  public synchronized Optional<String> className(int queue) {
    return queues.classOf(queue).map(TrafficClass::name);
  }

  /**
   * Has other classes take the place of those there are, at all connected hosts too. Who calls this
   * then maps the flows of {@link #queues}.
   *
   * @throws IllegalArgumentException naming a connected host that has too few queues; nothing is
   *     changed then
   */
  public synchronized void replace(SharingConfig newConfig) {
    ClassQueues next =
        new ClassQueues(newConfig.classes(), queues.byName(), firstQueue, this::isClosing);
    for (HostClasses host : hosts.values()) {
      if (host.session().isUp() && host.session().maxQueues() < next.needed()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s has %d queues, and these classes need %d",
                host.session().name(),
                host.session().maxQueues(),
                next.needed()));
      }
    }
    config = newConfig;
    queues = next;
    limits.packetBytes(newConfig.packetBytes());
    for (HostClasses host : hosts.values()) {
      host.replace(configAt(host.session()), next);
      if (host.session().isUp()) {
        apply(host);
      }
    }
  }

  private boolean isClosing(int queue) {
    return hosts.values().stream()
        .anyMatch(host -> host.session().isUp() && host.closing().contains(queue));
  }

  private SharingConfig configAt(HostSession host) {
    return config
        .at(nameOf.apply(host.number()))
        .atMost(mostBps.getOrDefault(host.number(), Map.of()));
  }

  /**
   * Limits classes at a host further than the configuration does, until this is called again.
   *
   * @param classesMostBps what classes get at most, by name; 0: their queues are closed
   */
  public synchronized void restrict(int host, Map<String, Long> classesMostBps) {
    Map<String, Long> before = mostBps.getOrDefault(host, Map.of());
    if (before.equals(classesMostBps)) {
      return;
    }
    mostBps.put(host, Map.copyOf(classesMostBps));
    HostClasses classes = hosts.get(host);
    if (classes != null) {
      classes.replace(configAt(classes.session()), queues);
      if (classes.session().isUp()) {
        apply(classes);
      }
    }
  }

  /** Opens what is not open yet, and gives all their rates. */
  private void apply(HostClasses host) {
    int number = host.session().number();
    for (int queue : host.takeQueuesToOpen()) {
      recipe.open(number, queue);
    }
    recipe.setRates(number, queues.queueOf(), host.ratesBps());
    host.closedQueues().forEach(queue -> recipe.close(number, queue));
  }

  /** A host has connected, and has none of the conditions that it had: opens the queues. */
  public synchronized void hostUp(HostSession session) {
    limits.forget(session.number());
    HostClasses before = hosts.get(session.number());
    HostClasses host = new HostClasses(session, configAt(session), queues, periodNs);
    if (before != null) {
      host.continueClosing(before);
    }
    hosts.put(session.number(), host);
    apply(host);
  }

  /** A new demand report of the host is there. */
  public synchronized void demandReported(HostSession session) {
    HostClasses host = hosts.get(session.number());
    if (host == null || host.session() != session) {
      return;
    }
    if (host.report(session.demand())) {
      apply(host);
    }
    host.close(this::closed);
  }

  private synchronized void closed(HostClasses host, int queue) {
    host.closing().remove(queue);
    if (hosts.get(host.session().number()) == host) {
      limits.forget(host.session().number(), queue);
    }
  }

  /** What a class gets and uses at a host; empty if the host has never been connected. */
  public synchronized Optional<ClassState> state(int host, int trafficClass) {
    return Optional.ofNullable(hosts.get(host)).map(found -> found.state(trafficClass));
  }

  /** What a class may send at a host, or 0 if the host has never been connected. */
  public long rateBps(int host, int trafficClass) {
    return state(host, trafficClass).map(ClassState::rateBps).orElse(0L);
  }
}
