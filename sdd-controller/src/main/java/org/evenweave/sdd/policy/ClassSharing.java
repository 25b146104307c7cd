package org.evenweave.sdd.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.evenweave.sdd.config.SharingConfig;
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
 */
public final class ClassSharing implements QueuePolicy {
  /** Rates that differ by less than this part stay: each change is two requests. */
  private static final int WORTHWHILE_PART = 16;

  private final SharingConfig config;
  private final long periodNs;
  private final ClassQueues queues;
  private final RateLimits limits;
  private final SharedQueues recipe;
  private final Map<Integer, HostRates> hosts = new HashMap<>();

  /** One host's session. */
  private final class HostRates {
    final ClassQueues.Reports reports = queues.new Reports();
    final RateRule rule =
        config.method() == SharingConfig.Method.TREE
            ? new TreeRates(config)
            : new RcpRates(config, periodNs);
    final long[] foundBps = new long[config.classes().size()];
    final long[] ratesBps = new long[config.classes().size()];

    void adopt() {
      for (int c = 0; c < ratesBps.length; c++) {
        long change = Math.abs(foundBps[c] - ratesBps[c]);
        if (change > ratesBps[c] / WORTHWHILE_PART) {
          ratesBps[c] = foundBps[c];
        }
      }
    }
  }

  /**
   * @param periodNs how often hosts report
   * @param firstQueue from which on queues are free
   * @param sdd opens queues through the packet switch
   */
  public ClassSharing(SharingConfig config, long periodNs, int firstQueue, SddApi sdd) {
    this.config = config;
    this.periodNs = periodNs;
    this.queues = new ClassQueues(config.classes(), firstQueue);
    this.limits = new RateLimits(sdd, config.packetBytes());
    this.recipe = new SharedQueues(sdd, limits);
  }

  @Override
  public Map<FlowMatch, Integer> queues() {
    return queues.flows();
  }

  /** The queue of a class, or a negative number if it has none. */
  public int queue(int trafficClass) {
    return queues.queueOf()[trafficClass];
  }

  /** The name of the class that a queue is for, if it is one's. */
  public Optional<String> className(int queue) {
    for (int c = 0; c < config.classes().size(); c++) {
      if (queue(c) == queue) {
        return Optional.of(config.classes().get(c).name());
      }
    }
    return Optional.empty();
  }

  @Override
  public synchronized void hostUp(HostSession host) {
    limits.forget(host.number());
    HostRates rates = new HostRates();
    hosts.put(host.number(), rates);
    for (int c = 0; c < rates.ratesBps.length; c++) {
      if (queue(c) >= 0) {
        recipe.open(host.number(), queue(c));
      }
      // Until the first reports: nobody is kept waiting, and ceilings hold.
      rates.ratesBps[c] = Math.min(config.capacityBps(), config.classes().get(c).ceilingBps());
    }
    recipe.setRates(host.number(), queues.queueOf(), rates.ratesBps);
  }

  @Override
  public synchronized void demandReported(HostSession host) {
    HostRates rates = hosts.get(host.number());
    long periods = rates == null ? 0 : rates.reports.take(host.demand());
    if (periods > 0) {
      rates.rule.rates(rates.reports, Math.multiplyExact(periods, periodNs), rates.foundBps);
      rates.adopt();
      recipe.setRates(host.number(), queues.queueOf(), rates.ratesBps);
    }
  }

  /** What a class gets at a host, or 0 if the host has never been connected. */
  public synchronized long rateBps(int host, int trafficClass) {
    HostRates rates = hosts.get(host);
    return rates == null ? 0 : rates.ratesBps[trafficClass];
  }
}
