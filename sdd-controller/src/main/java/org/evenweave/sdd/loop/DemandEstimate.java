package org.evenweave.sdd.loop;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PacketPlan;
import org.evenweave.sdd.schedule.Schedule;

/**
 * The estimated demand of a pair in the next period, from its host's reports.
 *
 * <p>A report contains the backlog at the start of period p; the schedule made from it runs in p +
 * 1. So the estimate subtracts the bytes that p's own schedule still carries, and adds the arrivals
 * of p - 1, as if the same amount arrived again:
 *
 * <pre>
 *   demand(p + 1) = max(0, queued(p) - scheduled(p)) + arrived(p - 1)
 * </pre>
 *
 * <p>Where what waits may take the packet switch, what it lets a pair send counts as scheduled too,
 * and of what arrives nothing is expected of circuits that the pair may send without a plan. Both
 * count only for pairs that use it, or a few bytes that somehow cannot would wait forever.
 *
 * <p>Without the first term a backlog would be scheduled twice; without the second a steady flow
 * that a circuit just keeps up with would lose its circuit every other period. Traffic that stops
 * counts for one period more. A few bytes, such as TCP's first packets, count as a slot that hosts
 * can still react to. Not thread-safe; allocates nothing from period to period.
 */
final class DemandEstimate {
  /** 1 TB for a pair: sums over all pairs of the most hosts still fit a {@code long}. */
  static final long MOST_BYTES = 1L << 40;

  private final CircuitNetwork network;
  private final long leastBytes;
  private final DemandMatrix scheduled;
  private final PacketPlan packets;
  private boolean packetsCount;

  /**
   * @param shortestSlotNs demand below what a circuit carries in this time counts as that much
   * @param packets plans what takes the packet switch; null: nothing does
   */
  DemandEstimate(CircuitNetwork network, long shortestSlotNs, PacketPlan packets) {
    this.network = network;
    this.packets = packets;
    this.leastBytes = Math.max(1, network.circuitBytes(shortestSlotNs));
    this.scheduled = new DemandMatrix(network.hosts());
  }

  /**
   * Names the schedule of the period whose reports follow.
   *
   * @param running null: none was announced
   * @param plannedFor what it was planned for
   */
  void during(Schedule running, Observed plannedFor) {
    scheduled.clear();
    packetsCount = packets != null && running != null;
    if (running == null) {
      return;
    }
    if (packetsCount) {
      packets.of(running, plannedFor);
    }
    running.addCarried(network, scheduled);
  }

  /**
   * The demand of a queue of a pair in the next period. A pair's queues are asked for in the order
   * in which its host serves them: what is scheduled for one is not for the next.
   *
   * @param circuitClass the queue's
   * @param queuedBytes at the start of this one
   * @param arrivedBytes in the one before
   * @param usesPacketSwitch whether it carried something in the period before, or nothing waited
   */
  long bytes(
      int circuitClass,
      int source,
      int destination,
      long queuedBytes,
      long arrivedBytes,
      boolean usesPacketSwitch) {
    long left = queuedBytes - scheduled.take(source, destination, queuedBytes);
    long expected = arrivedBytes;
    if (packetsCount && usesPacketSwitch) {
      left -= packets.bytes(circuitClass, source, destination);
      expected -= packets.unplannedBytes(source, destination);
    }
    long bytes = Math.max(0, left) + Math.max(0, expected);
    return bytes == 0 ? 0 : Math.min(MOST_BYTES, Math.max(leastBytes, bytes));
  }
}
