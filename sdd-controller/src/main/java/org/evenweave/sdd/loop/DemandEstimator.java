package org.evenweave.sdd.loop;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;
import org.evenweave.sdd.session.Sessions;

/**
 * The estimated demand of each host in the next period (Tewari 2015, sections 4.7.2 and 4.7.4), by
 * circuit class.
 *
 * <p>{@link DemandEstimate} has the formula; here is what each session reported, and when. Not
 * thread-safe; allocates nothing from period to period.
 */
final class DemandEstimator {
  private static final long MOST_BYTES = DemandEstimate.MOST_BYTES;

  private final Directory directory;
  private final int hosts;
  private final long guardNs;
  private final DemandEstimate estimate;

  /** Classes as hosts serve them. */
  private final int[] order;

  /** What the schedule of this period was planned for, where its classes count; or null. */
  private final Observed planned;

  /** Of each source: the session and the report that are known already. */
  private final HostSession[] sessionOf;

  private final QueueDemand[] reportOf;

  /** By class, source and destination; see {@link #row}. */
  private final long[] queuedBytes;

  private final long[] arrivedBytes;
  private final long[] receivedBytes;
  private final long[] packetSwitchBytes;
  private final boolean[] usesPacketSwitch;

  /**
   * @param seen has the classes that are estimated
   * @param guardNs hosts whose clocks are further off get no slots
   * @param shortestSlotNs demand below what a circuit carries in this time counts as that much
   * @param packets plans what takes the packet switch; null: nothing does
   */
  DemandEstimator(
      Directory directory,
      Observed seen,
      CircuitNetwork network,
      long guardNs,
      long shortestSlotNs,
      PacketPlan packets) {
    this.directory = directory;
    this.hosts = network.hosts();
    this.guardNs = guardNs;
    this.estimate = new DemandEstimate(network, shortestSlotNs, packets);
    this.order = IntStream.range(0, seen.classes()).map(seen::inServingOrder).toArray();
    this.planned = packets == null || seen.classes() == 1 ? null : seen.withoutDemand();
    this.sessionOf = new HostSession[hosts];
    this.reportOf = new QueueDemand[hosts];
    int queues = seen.classes() * hosts * hosts;
    this.queuedBytes = new long[queues];
    this.arrivedBytes = new long[queues];
    this.receivedBytes = new long[queues];
    this.packetSwitchBytes = new long[queues];
    this.usesPacketSwitch = new boolean[queues];
  }

  /** Where a source's queues of a class begin, one for each destination. */
  private int row(int c, int source) {
    return (c * hosts + source) * hosts;
  }

  /**
   * Estimates.
   *
   * @param running the schedule of the period whose reports these are; null: none was announced
   * @param into what that was planned for, summed up; is overwritten, but not summed up again
   */
  void estimate(Sessions sessions, Schedule running, Observed into) {
    if (planned != null) {
      planned.copyFrom(into);
    }
    estimate.during(running, planned == null ? into : planned);
    for (int c : order) {
      into.of(c).clear();
    }
    for (int source = 0; source < hosts; source++) {
      HostSession session = sessions.host(source);
      if (session == null || session.demand() == null || !session.keepsTime(guardNs)) {
        forget(source);
        continue;
      }
      take(source, session);
      for (int c : order) {
        for (int destination = 0; destination < hosts; destination++) {
          int queue = row(c, source) + destination;
          long bytes =
              estimate.bytes(
                  c,
                  source,
                  destination,
                  queuedBytes[queue],
                  arrivedBytes[queue],
                  usesPacketSwitch[queue]);
          into.of(c).set(source, destination, bytes);
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
    for (int c : order) {
      int first = row(c, source);
      for (int queue = first; queue < first + hosts; queue++) {
        usesPacketSwitch[queue] = queuedBytes[queue] == 0;
      }
      Arrays.fill(queuedBytes, first, first + hosts, 0);
      Arrays.fill(arrivedBytes, first, first + hosts, 0);
    }
    for (int i = 0; i < report.count(); i++) {
      int destination = directory.destinationOf(report.queue(i));
      if (destination < 0 || destination == source) {
        continue;
      }
      int queue = row(directory.circuitClassOf(report.queue(i)), source) + destination;
      queuedBytes[queue] = Math.min(MOST_BYTES, report.queuedBytes(i));
      if (known) {
        long bytes = Math.max(0, report.receivedBytes(i) - receivedBytes[queue]);
        arrivedBytes[queue] = Math.min(MOST_BYTES, bytes) / periods;
        usesPacketSwitch[queue] |= report.packetSwitchBytes(i) > packetSwitchBytes[queue];
      }
      receivedBytes[queue] = report.receivedBytes(i);
      packetSwitchBytes[queue] = report.packetSwitchBytes(i);
    }
    sessionOf[source] = session;
    reportOf[source] = report;
  }
}
