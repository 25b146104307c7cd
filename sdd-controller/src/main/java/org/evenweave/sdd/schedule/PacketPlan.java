package org.evenweave.sdd.schedule;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;

/**
 * The use of the packet switch in a week by traffic that waits for circuits: a rate for each pair,
 * and the packet slots in which it applies.
 *
 * <p><b>When.</b> A pair may use the packet switch while it has no circuit, but not so shortly
 * before one that what it sends last could still be in flight when the circuit is there: a slot
 * ends the packet switch's delay before the pair's next circuit. What may start earliest in the
 * week after this one starts after a night.
 *
 * <p><b>How fast.</b> First the remainder: each pair gets the rate that carries its remainder in
 * its slots, cut in proportion where all remainders of its source or its destination need more than
 * three quarters of the capacity there. The rest is shared by all pairs, so that new traffic need
 * not wait until it is planned for: a pair gets an even part of the rest at its source or at its
 * destination, whichever is less. So no source and no destination has rates above its capacity
 * together.
 *
 * <p><b>Classes.</b> Of a pair's rate each class has its part. What is for the remainder is divided
 * by the remaining demand of each class, if the pair's circuits carry them in the order in which
 * hosts serve them; what is for new traffic is divided evenly.
 *
 * <p><b>Complexity.</b> O(n² + n d) with n hosts and d days, and O(classes) for each requested
 * rate; allocates nothing. Not thread-safe.
 *
 * <p>Tewari 2015, section 4.7.4: new flows are sent over the packet switch until circuits are
 * scheduled for them.
 */
public final class PacketPlan {
  /** What rounding can add to a rate, in parts of it, is far less than this. */
  private static final double ROUNDING = 1e-12;

  /** So that sums over all hosts fit a {@code long}; more than any network has. */
  private static final double MOST_BPS = 1e13;

  /** This part of the capacity is for traffic that is not planned for. */
  private static final int UNPLANNED_PART = 4;

  private final CircuitNetwork network;
  private final int hosts;
  private final long delayNs;
  private Schedule week;
  private Observed demand;

  /** Of each pair; and the part of it that is for the remainder. */
  private final long[] rateBps;

  private final long[] plannedBps;

  private final long[] openNs;

  private final long[] fromSourceBps;
  private final long[] toDestinationBps;

  /** Of each destination, from when on a source may use the packet switch again. */
  private final long[] freeNs;

  /**
   * Working memory.
   *
   * @param network its packet switch's capacity is shared, that of each host's link in both
   *     directions
   * @param delayNs how much longer a packet is in flight by the packet switch than by a circuit, at
   *     most; 0 or more
   */
  public PacketPlan(CircuitNetwork network, long delayNs) {
    this.network = network;
    this.hosts = network.hosts();
    this.delayNs = delayNs;
    this.rateBps = new long[hosts * hosts];
    this.plannedBps = new long[hosts * hosts];
    this.openNs = new long[hosts * hosts];
    this.fromSourceBps = new long[hosts];
    this.toDestinationBps = new long[hosts];
    this.freeNs = new long[hosts];
  }

  /**
   * Plans for a week.
   *
   * @param newWeek must not change while the plan is used
   * @param newDemand what the week was planned for, summed up; must not change either, but where
   *     there is one class it is not looked at
   */
  public void of(Schedule newWeek, Observed newDemand) {
    week = newWeek;
    demand = newDemand;
    Arrays.fill(openNs, 0);
    for (int source = 0; source < hosts; source++) {
      int row = source * hosts;
      visitOpen(source, (destination, fromNs, toNs) -> openNs[row + destination] += toNs - fromNs);
    }
    wantRemainder(week.remainder());
    fit();
    System.arraycopy(rateBps, 0, plannedBps, 0, rateBps.length);
    shareTheRest();
  }

  private void wantRemainder(DemandMatrix remainder) {
    for (int pair = 0; pair < rateBps.length; pair++) {
      long bytes = remainder.at(pair);
      double bps = bytes == 0 || openNs[pair] == 0 ? 0 : Math.ceil(bytes * 8e9 / openNs[pair]);
      rateBps[pair] = (long) Math.min(bps, MOST_BPS);
    }
  }

  /** Cuts rates so that those of each source and of each destination fit their part of its link. */
  private void fit() {
    long partBps = network.packetBps() - network.packetBps() / UNPLANNED_PART;
    sum();
    for (int source = 0; source < hosts; source++) {
      for (int destination = 0; destination < hosts; destination++) {
        long most = Math.max(fromSourceBps[source], toDestinationBps[destination]);
        if (most > partBps) {
          double part = (double) partBps / most * (1 - ROUNDING);
          int pair = source * hosts + destination;
          rateBps[pair] = (long) (rateBps[pair] * part);
        }
      }
    }
  }

  private void shareTheRest() {
    sum();
    if (hosts == 1) {
      return;
    }
    for (int source = 0; source < hosts; source++) {
      for (int destination = 0; destination < hosts; destination++) {
        long used = Math.max(fromSourceBps[source], toDestinationBps[destination]);
        if (source != destination) {
          rateBps[source * hosts + destination] += (network.packetBps() - used) / (hosts - 1);
        }
      }
    }
  }

  private void sum() {
    Arrays.fill(fromSourceBps, 0);
    Arrays.fill(toDestinationBps, 0);
    for (int source = 0; source < hosts; source++) {
      for (int destination = 0; destination < hosts; destination++) {
        long bps = rateBps[source * hosts + destination];
        fromSourceBps[source] += bps;
        toDestinationBps[destination] += bps;
      }
    }
  }

  /** Visits the times in which a source may use the packet switch, in order for each pair. */
  private void visitOpen(int source, SlotVisitor visitor) {
    Arrays.fill(freeNs, 0);
    for (int day = 0; day < week.days(); day++) {
      int destination = week.destination(day, source);
      if (destination != Schedule.IDLE) {
        long endNs = week.startNs(day) - delayNs;
        if (destination != source && endNs > freeNs[destination]) {
          visitor.slot(destination, freeNs[destination], endNs);
        }
        freeNs[destination] = week.startNs(day) + week.durationNs(day);
      }
    }
    long endNs = network.weekNs() - Math.max(0, delayNs - network.nightNs());
    for (int destination = 0; destination < hosts; destination++) {
      if (destination != source && endNs > freeNs[destination]) {
        visitor.slot(destination, freeNs[destination], endNs);
      }
    }
  }

  /** The rate of a class of a pair in its packet slots, 0 if it has none. */
  public long rateBps(int circuitClass, int source, int destination) {
    int pair = source * hosts + destination;
    if (demand.classes() == 1) {
      return rateBps[pair];
    }
    long bps = (rateBps[pair] - plannedBps[pair]) / demand.classes();
    if (plannedBps[pair] > 0) {
      double bytes = remainderBytes(circuitClass, source, destination);
      double part = bytes / week.remainder().at(pair) * (1 - ROUNDING);
      bps += (long) (plannedBps[pair] * part);
    }
    return bps;
  }

  /** What no day carries of a class of a pair. */
  public long remainderBytes(int circuitClass, int source, int destination) {
    int pair = source * hosts + destination;
    long remainder = week.remainder().at(pair);
    if (demand.classes() == 1 || remainder == 0) {
      return remainder;
    }
    long carried = demand.demand().at(pair) - remainder;
    for (int place = 0; ; place++) {
      int c = demand.inServingOrder(place);
      long wanted = demand.of(c).at(pair);
      long ofClass = Math.min(wanted, carried);
      if (c == circuitClass) {
        return wanted - ofClass;
      }
      carried -= ofClass;
    }
  }

  /** The bytes that a class's packet slots let a pair send, rounded down. */
  public long bytes(int circuitClass, int source, int destination) {
    long bps = rateBps(circuitClass, source, destination);
    return Capacity.bytes(bps, openNs[source * hosts + destination]);
  }

  /** Of these, what it always has, whatever is planned for others: rounded down. */
  public long unplannedBytes(int source, int destination) {
    long bps = network.packetBps() / UNPLANNED_PART / Math.max(1, hosts - 1) / demand.classes();
    return Capacity.bytes(bps, openNs[source * hosts + destination]);
  }

  /**
   * Visits a source's packet slots, those of each class and destination in order of time.
   *
   * @param weekStartNs the time that the week's times are added to
   */
  public void visitSlots(int source, long weekStartNs, PacketSlotVisitor visitor) {
    visitOpen(
        source,
        (destination, fromNs, toNs) -> {
          for (int c = 0; c < demand.classes(); c++) {
            long bps = rateBps(c, source, destination);
            if (bps > 0) {
              visitor.slot(c, destination, weekStartNs + fromNs, weekStartNs + toNs, bps);
            }
          }
        });
  }
}
