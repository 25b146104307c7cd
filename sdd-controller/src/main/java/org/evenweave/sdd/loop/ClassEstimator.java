package org.evenweave.sdd.loop;

import java.util.Arrays;
import java.util.List;
import org.evenweave.sdd.config.CircuitClass;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;
import org.evenweave.sdd.session.Sessions;

/**
 * What each circuit class will want to send in the next period, as {@link DemandEstimate} has it
 * for what is in none. What the running schedule will still carry of a pair is the class's first
 * that the host sends first, which is that of the highest priority. Not thread-safe.
 */
final class ClassEstimator {
  private final Directory directory;
  private final int hosts;
  private final CircuitNetwork network;
  private final long guardNs;
  private final long leastBytes;

  /** Classes as hosts serve them; of equal priority, which take turns, as they were given. */
  private final int[] order;

  /** Of each source: the session and the report that are known already. */
  private final HostSession[] sessionOf;

  private final QueueDemand[] reportOf;

  /** By class and pair; of class 0 only what is queued is known here. */
  private final long[][] queued;

  private final long[][] arrived;
  private final long[][] received;
  private final DemandMatrix scheduled;

  /**
   * @param guardNs hosts whose clocks are further off get no slots
   * @param shortestSlotNs demand below what a circuit carries in this time counts as that much
   */
  ClassEstimator(
      Directory directory,
      List<CircuitClass> classes,
      CircuitNetwork network,
      long guardNs,
      long shortestSlotNs) {
    this.directory = directory;
    this.hosts = network.hosts();
    this.network = network;
    this.guardNs = guardNs;
    this.leastBytes = Math.max(1, network.circuitBytes(shortestSlotNs));
    this.order = byPriority(classes);
    this.sessionOf = new HostSession[hosts];
    this.reportOf = new QueueDemand[hosts];
    this.queued = new long[classes.size() + 1][hosts * hosts];
    this.arrived = new long[classes.size() + 1][hosts * hosts];
    this.received = new long[classes.size() + 1][hosts * hosts];
    this.scheduled = new DemandMatrix(hosts);
  }

  private static int[] byPriority(List<CircuitClass> classes) {
    int[] order = new int[classes.size()];
    int count = 0;
    for (int priority = Observed.MAX_PRIORITY; priority >= 0; priority--) {
      for (int c = 0; c < order.length; c++) {
        if (classes.get(c).demand().priority() == priority) {
          order[count++] = c + 1;
        }
      }
    }
    return order;
  }

  /**
   * Estimates the classes from 1 on, and corrects class 0, of which what they send was taken off.
   *
   * @param running the schedule of the period whose reports these are; null: none was announced
   * @param into has class 0 as if there were no others
   */
  void estimate(Sessions sessions, Schedule running, Observed into) {
    scheduled.clear();
    if (running != null) {
      running.addCarried(network, scheduled);
    }
    for (int c : order) {
      into.of(c).clear();
    }
    for (int source = 0; source < hosts; source++) {
      HostSession session = sessions.host(source);
      if (session == null || session.demand() == null || !session.keepsTime(guardNs)) {
        sessionOf[source] = null;
        reportOf[source] = null;
        continue;
      }
      take(source, session);
      for (int destination = 0; destination < hosts; destination++) {
        divide(source, destination, into);
      }
    }
  }

  private void divide(int source, int destination, Observed into) {
    int pair = source * hosts + destination;
    long carried = scheduled.get(source, destination);
    long assumed = Math.max(0, queued[0][pair] - carried);
    for (int c : order) {
      long left = Math.max(0, queued[c][pair] - carried);
      carried = Math.max(0, carried - queued[c][pair]);
      long bytes = left + arrived[c][pair];
      long most = Math.min(DemandEstimate.MOST_BYTES, Math.max(leastBytes, bytes));
      into.of(c).set(source, destination, bytes == 0 ? 0 : most);
    }
    into.of(0).add(source, destination, Math.max(0, queued[0][pair] - carried) - assumed);
  }

  private void take(int source, HostSession session) {
    QueueDemand report = session.demand();
    if (report == reportOf[source]) {
      // No report in this period: as if nothing had arrived, and nothing been sent.
      return;
    }
    boolean known = session == sessionOf[source] && reportOf[source] != null;
    long periods = known ? Math.max(1, report.period() - reportOf[source].period()) : 1;
    for (int c = 0; c < queued.length; c++) {
      Arrays.fill(queued[c], source * hosts, (source + 1) * hosts, 0);
      Arrays.fill(arrived[c], source * hosts, (source + 1) * hosts, 0);
    }
    for (int row = 0; row < report.count(); row++) {
      int destination = directory.destinationOf(report.queue(row));
      if (destination < 0 || destination == source) {
        continue;
      }
      int c = directory.circuitClassOf(report.queue(row));
      int pair = source * hosts + destination;
      queued[c][pair] = Math.min(DemandEstimate.MOST_BYTES, report.queuedBytes(row));
      if (known) {
        long bytes = Math.max(0, report.receivedBytes(row) - received[c][pair]);
        arrived[c][pair] = Math.min(DemandEstimate.MOST_BYTES, bytes) / periods;
      }
      received[c][pair] = report.receivedBytes(row);
    }
    sessionOf[source] = session;
    reportOf[source] = report;
  }
}
