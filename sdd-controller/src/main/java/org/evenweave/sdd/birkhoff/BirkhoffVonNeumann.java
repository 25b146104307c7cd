package org.evenweave.sdd.birkhoff;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;
import org.evenweave.sdd.solstice.QuickStuff;

/**
 * Schedules by Birkhoff's decomposition, in the order in which it finds its permutations, until the
 * week is full: the baseline that ignores what a night costs.
 *
 * <p>Demand is carried exactly, by up to n² days; many are shorter than the night before them,
 * which is what {@link org.evenweave.sdd.solstice.Solstice} is better at. Good where nights are
 * free.
 */
public final class BirkhoffVonNeumann implements Scheduler {
  private final CircuitNetwork network;
  private final WeekBuilder builder;
  private final QuickStuff quickStuff;
  private final Decomposition decomposition;
  private final long[] stuffed;
  private final Decomposition.Visitor addDay = this::addDay;

  /** A scheduler for a network. */
  public BirkhoffVonNeumann(CircuitNetwork network) {
    int hosts = network.hosts();
    this.network = network;
    this.builder = new WeekBuilder(network);
    this.quickStuff = new QuickStuff(hosts);
    this.decomposition = new Decomposition(hosts);
    this.stuffed = new long[hosts * hosts];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    demand.copyTo(stuffed);
    quickStuff.stuff(stuffed);
    decomposition.decompose(stuffed, addDay);
  }

  private boolean addDay(int[] destinationOf, long bytes) {
    builder.addDay(destinationOf, network.circuitNs(bytes));
    return builder.longestDayNs() > 0;
  }
}
