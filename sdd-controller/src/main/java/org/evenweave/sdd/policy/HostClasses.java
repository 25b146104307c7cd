package org.evenweave.sdd.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.config.TrafficClass;
import org.evenweave.sdd.protocol.wire.Status;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;
import org.evenweave.sdd.session.RequestException;

/** The traffic classes of one host in one session. Guarded by {@link ClassSharing}. */
final class HostClasses {
  /** Rates that differ by less than this part stay: each change is two requests. */
  private static final int WORTHWHILE_PART = 16;

  private final HostSession session;
  private final long periodNs;
  private ClassQueues queues;
  private ClassReports reports;
  private RateRule rule;
  private long[] guaranteesBps;
  private long[] foundBps;
  private long[] ratesBps;
  private boolean[] isClosed;
  private final Set<Integer> opened = new HashSet<>();

  /** Queues of classes that are gone, which the host may still have. */
  private final Set<Integer> closing = new TreeSet<>();

  /** Those that it was asked to close; any thread. */
  private final Set<Integer> asked = ConcurrentHashMap.newKeySet();

  HostClasses(HostSession session, SharingConfig config, ClassQueues queues, long periodNs) {
    this.session = session;
    this.periodNs = periodNs;
    this.queues = queues;
    this.reports = new ClassReports(queues.queueOf());
    this.rule = ruleOf(config);
    this.guaranteesBps = guarantees(config);
    this.foundBps = new long[config.classes().size()];
    this.ratesBps = new long[config.classes().size()];
    for (int c = 0; c < ratesBps.length; c++) {
      ratesBps[c] = most(config, c);
    }
    this.isClosed = closed(config);
  }

  private RateRule ruleOf(SharingConfig config) {
    return config.method() == SharingConfig.Method.TREE
        ? new TreeRates(config)
        : new RcpRates(config, periodNs);
  }

  private static long[] guarantees(SharingConfig config) {
    return config.classes().stream().mapToLong(TrafficClass::guaranteedBps).toArray();
  }

  private static boolean[] closed(SharingConfig config) {
    boolean[] isClosed = new boolean[config.classes().size()];
    for (int c = 0; c < isClosed.length; c++) {
      isClosed[c] = config.classes().get(c).ceilingBps() == 0;
    }
    return isClosed;
  }

  /** Until reports say more: nobody is kept waiting, and ceilings hold. */
  private static long most(SharingConfig config, int c) {
    return Math.min(config.capacityBps(), config.classes().get(c).ceilingBps());
  }

  HostSession session() {
    return session;
  }

  long[] ratesBps() {
    return ratesBps;
  }

  Set<Integer> closing() {
    return closing;
  }

  ClassState state(int c) {
    return new ClassState(ratesBps[c], reports, c);
  }

  /** Other classes; those whose names stay have the rates that they had, if their ceilings let. */
  void replace(SharingConfig config, ClassQueues next) {
    long[] nextRatesBps = new long[config.classes().size()];
    for (int c = 0; c < nextRatesBps.length; c++) {
      nextRatesBps[c] = most(config, c);
      for (int old = 0; old < ratesBps.length; old++) {
        // One that a trigger had closed has no rate to go on with.
        boolean same = next.queueOf()[c] >= 0 && next.queueOf()[c] == queues.queueOf()[old];
        if (same && ratesBps[old] > 0) {
          nextRatesBps[c] = Math.min(nextRatesBps[c], ratesBps[old]);
        }
      }
    }
    closing.addAll(queues.byName().values());
    closing.removeAll(next.byName().values());
    opened.removeAll(closing);
    queues = next;
    reports = reports.with(next.queueOf());
    rule = ruleOf(config);
    guaranteesBps = guarantees(config);
    foundBps = new long[nextRatesBps.length];
    ratesBps = nextRatesBps;
    isClosed = closed(config);
  }

  /** The queues of classes that a trigger has closed. */
  List<Integer> closedQueues() {
    List<Integer> closed = new ArrayList<>();
    for (int c = 0; c < isClosed.length; c++) {
      if (isClosed[c] && queues.queueOf()[c] >= 0) {
        closed.add(queues.queueOf()[c]);
      }
    }
    return closed;
  }

  /** The queues that the host has to open; each is returned once. */
  List<Integer> takeQueuesToOpen() {
    List<Integer> unopened = new ArrayList<>();
    for (int queue : queues.byName().values()) {
      if (opened.add(queue)) {
        unopened.add(queue);
      }
    }
    return unopened;
  }

  /** Takes a report; whether there are rates by it. */
  boolean report(QueueDemand report) {
    long periods = reports.take(report);
    if (periods > 0) {
      rule.rates(reports, Math.multiplyExact(periods, periodNs), foundBps);
      for (int c = 0; c < ratesBps.length; c++) {
        long change = Math.abs(foundBps[c] - ratesBps[c]);
        boolean fallsShort = ratesBps[c] < Math.min(foundBps[c], guaranteesBps[c]);
        if (change > ratesBps[c] / WORTHWHILE_PART || fallsShort) {
          ratesBps[c] = foundBps[c];
        }
      }
    }
    return periods > 0;
  }

  /** Continues to close the queues that the previous session had to close. */
  void continueClosing(HostClasses before) {
    closing.addAll(before.closing);
    closing.removeAll(queues.byName().values());
  }

  /**
   * Asks the host to close queues of classes that are gone; again with each report as long as it
   * has packets of them.
   *
   * @param closed is called, by any thread, for a queue that the host has no more
   */
  void close(ObjIntConsumer<HostClasses> closed) {
    for (int queue : List.copyOf(closing)) {
      if (!asked.add(queue)) {
        continue;
      }
      session
          .removeQueue(queue)
          .whenComplete(
              (done, failure) -> {
                asked.remove(queue);
                if (failure == null || RequestException.is(failure, Status.QUEUE)) {
                  closed.accept(this, queue);
                }
              });
    }
  }
}
