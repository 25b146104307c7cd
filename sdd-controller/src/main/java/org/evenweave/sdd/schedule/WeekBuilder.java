package org.evenweave.sdd.schedule;

import java.util.Locale;
import org.evenweave.sdd.demand.DemandMatrix;

/**
 * Fills a week day by day, and tracks how much time is left and how many bytes of each pair no day
 * has carried yet.
 */
public final class WeekBuilder {
  private final CircuitNetwork network;
  private Schedule week;
  private DemandMatrix remainder;

  /** A builder of weeks for a network. */
  public WeekBuilder(CircuitNetwork network) {
    this.network = network;
  }

  /**
   * Starts a week: without days, all demand remaining.
   *
   * @throws IllegalArgumentException if demand or schedule have not the network's number of hosts
   */
  public void start(DemandMatrix demand, Schedule newWeek) {
    int hosts = network.hosts();
    if (demand.hosts() != hosts || newWeek.hosts() != hosts) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "demand of %d and schedule of %d hosts for a network of %d",
              demand.hosts(),
              newWeek.hosts(),
              hosts));
    }
    week = newWeek;
    week.clear(network.nightNs());
    remainder = week.remainder();
    remainder.copyFrom(demand);
  }

  /** The longest day that still fits, after its night; 0 or less if none does. */
  public long longestDayNs() {
    return network.weekNs() - week.lengthNs() - network.nightNs();
  }

  /**
   * Whether the packet switch carries all that remains in the time that the days so far take: then
   * more days would only make the schedule longer (Liu et al., CoNEXT 2015, algorithm 1, line 4).
   * True as well when nothing remains.
   */
  public boolean restFitsPacketSwitch() {
    long packetBytes = network.packetBytes(week.lengthNs());
    for (int host = 0; host < network.hosts(); host++) {
      if (remainder.fromSource(host) > packetBytes || remainder.toDestination(host) > packetBytes) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds a day, cut to what fits the week, and takes what it carries off the remainder.
   *
   * @param destinationOf each source's destination or {@link Schedule#IDLE}
   * @param dayNs the wanted length, more than 0
   * @return the bytes of demand that the day carries
   * @throws IllegalArgumentException if no day fits any more, or as in {@link Schedule#addDay}
   */
  public long addDay(int[] destinationOf, long dayNs) {
    long lengthNs = Math.min(dayNs, longestDayNs());
    week.addDay(destinationOf, 0, lengthNs);
    long circuitBytes = network.circuitBytes(lengthNs);
    long carried = 0;
    for (int source = 0; source < network.hosts(); source++) {
      int destination = destinationOf[source];
      if (destination != Schedule.IDLE) {
        carried += remainder.take(source, destination, circuitBytes);
      }
    }
    return carried;
  }
}
