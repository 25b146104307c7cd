package org.evenweave.sdd.solstice;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * Solstice: few long days for the large flows, and as much of the rest as the week has time for.
 *
 * <p><b>Idea.</b> Every day costs a night, so a schedule should have few days. Demand is skewed and
 * sparse; stuffed to equal sums of rows and columns ({@link QuickStuff}) it stays so, and can be
 * taken apart by perfect matchings, long days first ({@link BigSlice}).
 *
 * <p><b>What differs from the paper.</b> Its days stop when the packet switch can carry all that
 * remains in the time they took, and leave the rest of the week idle. Here the week is filled:
 *
 * <ol>
 *   <li>Overload is cut before stuffing ({@link Admission}); who waited a week comes first then.
 *       What follows is for what was admitted.
 *   <li>Demand below what a circuit carries in a night is not stuffed, unless it waited, and
 *       BigSlice stops at days shorter than a night.
 *   <li>Days are made longer ({@link Stretch}): as long as their pairs have demand, if the week has
 *       room for that; else where that serves half of all hosts, as a day no longer than its night
 *       could not serve more in its time.
 *   <li>BigSlice goes on with all that is left, of what was not admitted too, while the week has
 *       room.
 *   <li>If it has none, days that carry less than the others would in their time are removed,
 *       circuits are exchanged for others that carry more ({@link Exchange}), and a part of each
 *       day's time is reassigned to the days in which it carries most.
 * </ol>
 *
 * <p>What no day carries is the packet switch's.
 *
 * <p><b>Complexity.</b> With k entries, d days and t thresholds: O(t k + d n) and O(n²/64) for each
 * entry that BigSlice uses up, O(n d) for exchanges, O(n d) for each removed day. Nothing in it
 * visits all n² pairs, except for a bitmap. After the first weeks nothing is allocated.
 *
 * <p>Source: Liu, Mukerjee, Li, Feltman, Papen, Savage, Seshan, Voelker, Andersen, Kaminsky, Porter
 * and Snoeren, "Scheduling techniques for hybrid circuit/packet networks", CoNEXT 2015, section 4,
 * algorithms 1 to 3; named in Tewari 2015, section 4.2.
 */
public final class Solstice implements Scheduler {
  private final CircuitNetwork network;
  private final int hosts;
  private final WeekBuilder builder;
  private final Admission admission;
  private final QuickStuff quickStuff;
  private final BigSlice bigSlice;
  private final WeekPlan plan;
  private final Exchange exchange;
  private final Stretch stretch;

  /** What is left of the stuffed demand, row by row, and the positions where something was. */
  private final long[] left;

  private final int[] stuffed;
  private final int[] destinationOf;

  /** A scheduler for a network. */
  public Solstice(CircuitNetwork network) {
    this.network = network;
    this.hosts = network.hosts();
    long nightBytes = network.circuitBytes(network.nightNs());
    this.builder = new WeekBuilder(network);
    this.admission = new Admission(hosts, nightBytes);
    this.quickStuff = new QuickStuff(hosts);
    this.bigSlice = new BigSlice(hosts);
    this.plan = new WeekPlan(hosts, nightBytes);
    this.exchange = new Exchange(hosts, admission);
    this.stretch = new Stretch(hosts, admission);
    this.left = new long[hosts * hosts];
    this.stuffed = new int[hosts * hosts];
    this.destinationOf = new int[hosts];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void forget() {
    admission.forget();
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    int entries = demand.positions(stuffed);
    long weekBytes = network.circuitBytes(network.weekNs());
    plan.start(demand, stuffed, entries, weekBytes);
    sliceDemand(entries, weekBytes);
    if (!stretch.lengthenToDemand(plan)) {
      stretch.lengthen(plan, hosts / 2.0);
    }
    if (plan.hasRoom()) {
      sliceRest(demand);
    }
    stretch.lengthen(plan, Double.MIN_VALUE);
    if (!plan.hasRoom()) {
      stretch.removeWorthlessDays(plan);
      exchange.exchange(plan);
      wantAll(demand);
      stretch.rebalance(plan);
    }
    addDays();
    admission.remember(
        demand,
        plan.entries(),
        plan.entryCount(),
        week.remainder(),
        builder.restFitsPacketSwitch());
  }

  private void sliceDemand(int entries, long weekBytes) {
    long leastBytes = Math.max(1, plan.nightBytes());
    int count = 0;
    for (int i = 0; i < entries; i++) {
      int at = stuffed[i];
      long bytes = plan.rest(at);
      boolean waits = admission.waits(at);
      if (bytes >= plan.nightBytes() || waits) {
        left[at] = bytes;
        stuffed[count++] = at;
      }
      if (waits) {
        leastBytes = 1;
      }
    }
    admission.admit(left, stuffed, count, weekBytes);
    for (int i = 0; i < count; i++) {
      plan.want(stuffed[i], left[stuffed[i]]);
    }
    slice(count, leastBytes);
  }

  /** Gives what is left of the week to what is left of the demand, if there is any. */
  private void sliceRest(DemandMatrix demand) {
    int count = 0;
    for (int i = 0; i < plan.entryCount(); i++) {
      int at = plan.entries()[i];
      long bytes = demand.at(at) - plan.capacity(at);
      if (bytes > 0) {
        left[at] = bytes;
        stuffed[count++] = at;
      }
    }
    admission.admitMore(left, stuffed, count, plan.longestDay());
    for (int i = 0; i < count; i++) {
      plan.want(stuffed[i], plan.capacity(stuffed[i]) + left[stuffed[i]]);
    }
    slice(count, 1);
  }

  private void wantAll(DemandMatrix demand) {
    for (int i = 0; i < plan.entryCount(); i++) {
      plan.want(plan.entries()[i], demand.at(plan.entries()[i]));
    }
  }

  private void slice(int entries, long leastBytes) {
    int count = quickStuff.stuff(left, stuffed, entries);
    bigSlice.slice(left, stuffed, count, leastBytes, plan);
    for (int i = 0; i < count; i++) {
      left[stuffed[i]] = 0;
    }
  }

  private void addDays() {
    for (int day = 0; day < plan.days() && builder.longestDayNs() > 0; day++) {
      plan.copyDay(day, destinationOf);
      builder.addDay(destinationOf, network.circuitNs(plan.length(day)));
    }
  }
}
