package org.evenweave.sdd.loop;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;
import org.evenweave.sdd.session.Sessions;

/**
 * What each host will want to send in the next period (Tewari 2015, sections 4.7.2 and 4.7.4).
 *
 * <p>A report has what is queued when period p starts; the schedule made of it runs in p + 1. So
 * what p's own schedule will still carry is taken off, and what arrived in p - 1 is added, as if as
 * much came again:
 *
 * <pre>
 *   demand(p + 1) = max(0, queued(p) - scheduled(p)) + arrived(p - 1)
 * </pre>
 *
 * <p>Without the first term a backlog would be scheduled twice; without the second a steady flow
 * that a circuit just keeps up with would lose its circuit every other period. Traffic that stops
 * counts for one period more. A few bytes, such as TCP's first packets, count as a slot that hosts
 * can still react to. Not thread-safe; allocates nothing from period to period.
 */
final class DemandEstimator {
  /** 1 TB for a pair: sums over all pairs of the most hosts still fit a {@code long}. */
  private static final long MOST_BYTES = 1L << 40;

  private final int hosts;
  private final CircuitNetwork network;
  private final long guardNs;
  private final long leastBytes;

  /** Of each source: the session and the report that are known already. */
  private final HostSession[] sessionOf;

  private final QueueDemand[] reportOf;
  private final long[] receivedBytes;
  private final DemandMatrix queued;
  private final DemandMatrix arrived;
  private final DemandMatrix scheduled;

  /**
   * @param guardNs hosts whose clocks are further off get no slots
   * @param shortestSlotNs demand below what a circuit carries in this time counts as that much
   */
  DemandEstimator(CircuitNetwork network, long guardNs, long shortestSlotNs) {
    this.hosts = network.hosts();
    this.network = network;
    this.guardNs = guardNs;
    this.leastBytes = Math.max(1, network.circuitBytes(shortestSlotNs));
    this.sessionOf = new HostSession[hosts];
    this.reportOf = new QueueDemand[hosts];
    this.receivedBytes = new long[hosts * hosts];
    this.queued = new DemandMatrix(hosts);
    this.arrived = new DemandMatrix(hosts);
    this.scheduled = new DemandMatrix(hosts);
  }

  /**
   * Estimates.
   *
   * @param running the schedule of the period whose reports these are
   * @param into is overwritten
   */
  void estimate(Sessions sessions, Schedule running, DemandMatrix into) {
    sumUp(running);
    into.clear();
    for (int source = 0; source < hosts; source++) {
      HostSession session = sessions.host(source);
      if (session == null || session.demand() == null || !session.keepsTime(guardNs)) {
        forget(source);
        continue;
      }
      take(source, session);
      for (int destination = 0; destination < hosts; destination++) {
        long left =
            Math.max(0, queued.get(source, destination) - scheduled.get(source, destination));
        long bytes = left + arrived.get(source, destination);
        if (bytes > 0) {
          into.set(source, destination, Math.min(MOST_BYTES, Math.max(leastBytes, bytes)));
        }
      }
    }
  }

  private void sumUp(Schedule running) {
    scheduled.clear();
    for (int day = 0; day < running.days(); day++) {
      long bytes = network.circuitBytes(running.durationNs(day));
      for (int source = 0; source < hosts; source++) {
        int destination = running.destination(day, source);
        if (destination != Schedule.IDLE) {
          scheduled.add(source, destination, bytes);
        }
      }
    }
  }

  private void forget(int source) {
    sessionOf[source] = null;
    reportOf[source] = null;
  }

  private void take(int source, HostSession session) {
    QueueDemand report = session.demand();
    if (report == reportOf[source]) {
      // No report in this period: as if nothing had arrived, and nothing been sent.
      return;
    }
    boolean known = session == sessionOf[source] && reportOf[source] != null;
    long periods = known ? Math.max(1, report.period() - reportOf[source].period()) : 1;
    for (int destination = 0; destination < hosts; destination++) {
      queued.set(source, destination, 0);
      arrived.set(source, destination, 0);
    }
    for (int row = 0; row < report.count(); row++) {
      int destination = report.queue(row);
      if (destination >= hosts || destination == source) {
        continue;
      }
      queued.set(source, destination, Math.min(MOST_BYTES, report.queuedBytes(row)));
      int pair = source * hosts + destination;
      if (known) {
        long bytes = Math.max(0, report.receivedBytes(row) - receivedBytes[pair]);
        arrived.set(source, destination, Math.min(MOST_BYTES, bytes) / periods);
      }
      receivedBytes[pair] = report.receivedBytes(row);
    }
    sessionOf[source] = session;
    reportOf[source] = report;
  }
}
