package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.session.FakeSessions;

/**
 * Hosts, circuits and the loop in virtual time, where nothing is ever late: what is planned, and
 * not how fast a machine is, decides when circuits carry. Streams are fluid: a first packet, and
 * from then on, or from when it was carried, so many bytes in a time.
 */
final class VirtualHosts {
  private static final int FIRST_PACKET_BYTES = 60;

  private final CircuitNetwork network;
  private final int hosts;
  private final Scheduler scheduler;
  private final DemandEstimator estimator;
  private final FakeSessions sessions;
  private final Observed demand;
  private final long[] firstNs;
  private final long[] streamNs;
  private final long[] servedNs;
  private final double[] bytesPerNs;
  private final double[] receivedBytes;
  private final double[] sentBytes;
  private final double[] packetSwitchBytes;
  private final boolean waitsForAnswer;

  /** Null: what waits for circuits has to wait. */
  private final PacketPlan packets;

  private Schedule running;
  private Schedule next;
  private int period;
  private double scheduledNs;
  private double carriedNs;

  /**
   * Hosts without traffic, at the start of period 0.
   *
   * @param waitsForAnswer whether streams begin when their first packets were carried, as iperf3's
   */
  VirtualHosts(Scheduler scheduler, long guardNs, long shortestSlotNs, boolean waitsForAnswer) {
    this(scheduler, guardNs, shortestSlotNs, waitsForAnswer, null);
  }

  /**
   * The same, where what waits may take the packet switch.
   *
   * @param packets what plans that
   */
  VirtualHosts(
      Scheduler scheduler,
      long guardNs,
      long shortestSlotNs,
      boolean waitsForAnswer,
      PacketPlan packets) {
    this.packets = packets;
    this.scheduler = scheduler;
    this.network = scheduler.network();
    this.hosts = network.hosts();
    this.waitsForAnswer = waitsForAnswer;
    this.demand = new Observed(hosts, List.of());
    this.estimator =
        new DemandEstimator(
            FakeSessions.directory(hosts), demand, network, guardNs, shortestSlotNs, packets);
    this.sessions = new FakeSessions(hosts);
    for (int host = 0; host < hosts; host++) {
      sessions.clock(host, 0);
    }
    this.running = new Schedule(hosts);
    this.next = new Schedule(hosts);
    int pairs = hosts * hosts;
    this.firstNs = filled(pairs);
    this.streamNs = filled(pairs);
    this.servedNs = filled(pairs);
    this.bytesPerNs = new double[pairs];
    this.receivedBytes = new double[pairs];
    this.sentBytes = new double[pairs];
    this.packetSwitchBytes = new double[pairs];
  }

  private static long[] filled(int pairs) {
    long[] times = new long[pairs];
    Arrays.fill(times, Long.MAX_VALUE);
    return times;
  }

  /** The start of the period that runs next. */
  long nowNs() {
    return period * network.weekNs();
  }

  /** A stream's first packet comes then. */
  void stream(int source, int destination, long fromNs, double bps) {
    int pair = source * hosts + destination;
    firstNs[pair] = fromNs;
    streamNs[pair] = waitsForAnswer ? Long.MAX_VALUE : fromNs;
    bytesPerNs[pair] = bps / 8e9;
  }

  /** No more comes of any stream; what is queued stays. */
  void stopAll() {
    Arrays.fill(firstNs, Long.MAX_VALUE);
  }

  /** The part of the time scheduled for circuits since the last call in which they carried. */
  double utilisation() {
    double part = carriedNs / scheduledNs;
    carriedNs = 0;
    scheduledNs = 0;
    return part;
  }

  /** The part of all time in which a host has a circuit, on average, in the period that is next. */
  double scheduledShare() {
    double ns = 0;
    for (int day = 0; day < running.days(); day++) {
      for (int source = 0; source < hosts; source++) {
        ns += running.destination(day, source) == Schedule.IDLE ? 0 : running.durationNs(day);
      }
    }
    return ns / hosts / network.weekNs();
  }

  /** What has come so far, or of that what has left, or of that what the packet switch carried. */
  double receivedBytes(int source, int destination) {
    return receivedBytes[source * hosts + destination];
  }

  double sentBytes(int source, int destination) {
    return sentBytes[source * hosts + destination];
  }

  double packetSwitchBytes(int source, int destination) {
    return packetSwitchBytes[source * hosts + destination];
  }

  /** The demand that was planned for last. */
  DemandMatrix demand() {
    return demand.demand();
  }

  boolean streams(int source, int destination) {
    return firstNs[source * hosts + destination] != Long.MAX_VALUE;
  }

  /** How long a stream's first packet waited for its circuit; for ever if it waits still. */
  long waitedNs(int source, int destination) {
    int pair = source * hosts + destination;
    return servedNs[pair] == Long.MAX_VALUE ? Long.MAX_VALUE : servedNs[pair] - firstNs[pair];
  }

  /** Hosts report, the next period is planned, and this one is carried out. */
  void period() {
    report();
    estimator.estimate(sessions.sessions(), running, demand);
    scheduler.plan(demand, next);
    carry();
    Schedule carriedOut = running;
    running = next;
    next = carriedOut;
    period++;
  }

  private void report() {
    for (int source = 0; source < hosts; source++) {
      long[][] rows = new long[hosts][];
      for (int destination = 0; destination < hosts; destination++) {
        int pair = source * hosts + destination;
        long received = (long) receivedBytes[pair];
        long sent = (long) sentBytes[pair];
        long packet = (long) packetSwitchBytes[pair];
        rows[destination] = new long[] {destination, received - sent, received, sent, packet};
      }
      sessions.report(source, period, rows);
    }
  }

  private void carry() {
    for (int source = 0; source < hosts; source++) {
      int row = source * hosts;
      TreeMap<Long, List<Runnable>> byTime = new TreeMap<>();
      running.visitSlots(
          source,
          nowNs(),
          (destination, fromNs, untilNs) ->
              byTime
                  .computeIfAbsent(fromNs, from -> new ArrayList<>())
                  .add(() -> carry(row + destination, fromNs, untilNs)));
      if (packets != null && period > 0) {
        packets.of(running, demand);
        packets.visitSlots(
            source,
            nowNs(),
            (circuitClass, destination, fromNs, untilNs, rateBps) ->
                byTime
                    .computeIfAbsent(fromNs, from -> new ArrayList<>())
                    .add(() -> switchPackets(row + destination, fromNs, untilNs, rateBps)));
      }
      byTime.values().forEach(slots -> slots.forEach(Runnable::run));
    }
    for (int pair = 0; pair < firstNs.length; pair++) {
      arrive(pair, nowNs() + network.weekNs());
    }
  }

  /** Carries by the packet switch what waits, and what comes as far as the rate allows. */
  private void switchPackets(int pair, long fromNs, long untilNs, long rateBps) {
    arrive(pair, fromNs);
    boolean waits = receivedBytes[pair] > sentBytes[pair];
    serve(pair, fromNs, untilNs);
    arrive(pair, untilNs);
    long busyNs = untilNs - (waits ? fromNs : Math.min(untilNs, Math.max(fromNs, firstNs[pair])));
    double bytes = Math.min(receivedBytes[pair] - sentBytes[pair], busyNs * (rateBps / 8e9));
    sentBytes[pair] += bytes;
    packetSwitchBytes[pair] += bytes;
  }

  private void serve(int pair, long fromNs, long untilNs) {
    if (servedNs[pair] == Long.MAX_VALUE && firstNs[pair] < untilNs) {
      servedNs[pair] = Math.max(fromNs, firstNs[pair]);
      streamNs[pair] = Math.min(streamNs[pair], servedNs[pair]);
    }
  }

  private void carry(int pair, long fromNs, long untilNs) {
    scheduledNs += untilNs - fromNs;
    serve(pair, fromNs, untilNs);
    arrive(pair, untilNs);
    // Streams are slower than circuits: what comes while the queue is empty goes at once.
    double bytes =
        Math.min(
            receivedBytes[pair] - sentBytes[pair], (double) network.circuitBytes(untilNs - fromNs));
    sentBytes[pair] += bytes;
    carriedNs += bytes * 8e9 / network.circuitBps();
  }

  private void arrive(int pair, long untilNs) {
    if (firstNs[pair] < untilNs) {
      double streamed = Math.max(0, untilNs - streamNs[pair]) * bytesPerNs[pair];
      receivedBytes[pair] = FIRST_PACKET_BYTES + streamed;
    }
  }
}
