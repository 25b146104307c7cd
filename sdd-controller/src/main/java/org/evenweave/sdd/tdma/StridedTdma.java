package org.evenweave.sdd.tdma;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * Time division without looking at demand: in day i every host sends to the host {@code i mod (n -
 * 1) + 1} places (the stride) after it, so that n - 1 days connect every pair once.
 *
 * <p>Slots of a fixed length go on through the weeks: a week starts with the stride that the one
 * before it did not come to. Every pair gets its slot once in n - 1 days whatever the demand; with
 * skewed demand most of that time is idle, which makes this the baseline of demand-aware schedules.
 * O(n) for each day.
 *
 * <p>Source: Tewari 2015, section 4.7.1 ("for TDMA slot i, each host sends traffic at stride i mod
 * 7", eight hosts, slots of 200 µs).
 */
public final class StridedTdma implements Scheduler {
  private final CircuitNetwork network;
  private final long slotNs;
  private final WeekBuilder builder;
  private final int[] destinationOf;
  private int nextStride = 1;

  /**
   * A scheduler for a network.
   *
   * @param network has at least 2 hosts
   * @param slotNs the length of each day; with its night, at most a week
   */
  public StridedTdma(CircuitNetwork network, long slotNs) {
    if (network.hosts() < 2) {
      throw new IllegalArgumentException("hosts: must be at least 2, not " + network.hosts());
    }
    if (slotNs < 1 || slotNs > network.weekNs() - network.nightNs()) {
      throw new IllegalArgumentException(
          "slotNs: must be 1 to "
              + (network.weekNs() - network.nightNs())
              + " to fit a week with its night, not "
              + slotNs);
    }
    this.network = network;
    this.slotNs = slotNs;
    this.builder = new WeekBuilder(network);
    this.destinationOf = new int[network.hosts()];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    int hosts = network.hosts();
    while (builder.longestDayNs() >= slotNs) {
      for (int source = 0; source < hosts; source++) {
        destinationOf[source] = (source + nextStride) % hosts;
      }
      builder.addDay(destinationOf, slotNs);
      nextStride = nextStride % (hosts - 1) + 1;
    }
  }
}
