package org.evenweave.sdd.loop;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.HostSession;
import org.evenweave.sdd.session.QueueDemand;
import org.evenweave.sdd.session.Sessions;

/**
 * What each host will want to send in the next period (Tewari 2015, sections 4.7.2 and 4.7.4).
 *
 * <p>{@link DemandEstimate} has the formula; here is what each session reported, and when. Not
 * thread-safe; allocates nothing from period to period.
 */
final class DemandEstimator {
  private static final long MOST_BYTES = DemandEstimate.MOST_BYTES;

  private final int hosts;
  private final long guardNs;
  private final DemandEstimate estimate;

  /** Of each source: the session and the report that are known already. */
  private final HostSession[] sessionOf;

  private final QueueDemand[] reportOf;
  private final long[] receivedBytes;
  private final long[] packetSwitchBytes;
  private final boolean[] usesPacketSwitch;
  private final DemandMatrix queued;
  private final DemandMatrix arrived;

  /**
   * @param guardNs hosts whose clocks are further off get no slots
   * @param shortestSlotNs demand below what a circuit carries in this time counts as that much
   * @param packets plans what takes the packet switch; null: nothing does
   */
  DemandEstimator(CircuitNetwork network, long guardNs, long shortestSlotNs, PacketPlan packets) {
    this.hosts = network.hosts();
    this.guardNs = guardNs;
    this.estimate = new DemandEstimate(network, shortestSlotNs, packets);
    this.sessionOf = new HostSession[hosts];
    this.reportOf = new QueueDemand[hosts];
    this.receivedBytes = new long[hosts * hosts];
    this.packetSwitchBytes = new long[hosts * hosts];
    this.usesPacketSwitch = new boolean[hosts * hosts];
    this.queued = new DemandMatrix(hosts);
    this.arrived = new DemandMatrix(hosts);
  }

  /**
   * Estimates.
   *
   * @param running the schedule of the period whose reports these are; null: none was announced
   * @param into is overwritten
   */
  void estimate(Sessions sessions, Schedule running, DemandMatrix into) {
    estimate.during(running);
    into.clear();
    for (int source = 0; source < hosts; source++) {
      HostSession session = sessions.host(source);
      if (session == null || session.demand() == null || !session.keepsTime(guardNs)) {
        forget(source);
        continue;
      }
      take(source, session);
      for (int destination = 0; destination < hosts; destination++) {
        long bytes =
            estimate.bytes(
                source,
                destination,
                queued.get(source, destination),
                arrived.get(source, destination),
                usesPacketSwitch[source * hosts + destination]);
        into.set(source, destination, bytes);
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
      usesPacketSwitch[source * hosts + destination] = queued.get(source, destination) == 0;
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
        usesPacketSwitch[pair] |= report.packetSwitchBytes(row) > packetSwitchBytes[pair];
      }
      receivedBytes[pair] = report.receivedBytes(row);
      packetSwitchBytes[pair] = report.packetSwitchBytes(row);
    }
    sessionOf[source] = session;
    reportOf[source] = report;
  }
}
