package org.evenweave.sdd.loop;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.Schedule;

/**
 * The latest inputs and results of a loop, for display. Immutable except for the matrix's methods.
 */
public final class LoopState {
  private final DemandMatrix demand;
  private final LoopTotals totals;
  private final long period;
  private final long startNs;
  private final long nightNs;
  private final List<Day> days = new ArrayList<>();
  private final List<PacketRate> packetRates;

  LoopState(DemandMatrix demand, Week week, LoopTotals totals, List<PacketRate> packetRates) {
    this.demand = demand;
    this.packetRates = packetRates;
    this.totals = totals;
    this.period = week == null ? -1 : week.period();
    this.startNs = week == null ? 0 : week.startNs();
    this.nightNs = week == null ? 0 : week.schedule().nightNs();
    for (int day = 0; week != null && day < week.schedule().days(); day++) {
      days.add(new Day(week.schedule(), day));
    }
  }

  /** One matching and when. */
  public static final class Day {
    private final long startNs;
    private final long durationNs;
    private final int[] destinationOf;

    private Day(Schedule schedule, int day) {
      startNs = schedule.startNs(day);
      durationNs = schedule.durationNs(day);
      destinationOf = new int[schedule.hosts()];
      for (int source = 0; source < destinationOf.length; source++) {
        destinationOf[source] = schedule.peer(day, source);
      }
    }

    /** Since the period's start. */
    public long startNs() {
      return startNs;
    }

    public long durationNs() {
      return durationNs;
    }

    /** The destination's number, or -1. */
    public int destination(int source) {
      return destinationOf[source];
    }
  }

  /** The demand that was planned for last: a copy of the reader's own. */
  public DemandMatrix demand() {
    return demand;
  }

  public LoopTotals totals() {
    return totals;
  }

  /** The period of the schedule that was announced last, or -1 if none was. */
  public long period() {
    return period;
  }

  /** When that period starts, by the shared clock. */
  public long startNs() {
    return startNs;
  }

  public long nightNs() {
    return nightNs;
  }

  public List<Day> days() {
    return List.copyOf(days);
  }

  /** Pairs with demand that no day carries, as announced last; empty without hybrid. */
  public List<PacketRate> packetRates() {
    return packetRates;
  }
}
