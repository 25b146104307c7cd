package org.evenweave.sdd.solstice;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.PerfectMatching;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;

/**
 * Solstice: few long days for the large flows, the packet switch for the rest.
 *
 * <p><b>Idea.</b> Every day costs a night, so a schedule should have few days. Demand is skewed and
 * sparse; stuffed to equal sums of rows and columns ({@link QuickStuff}) it stays so, and can be
 * taken apart by perfect matchings. BigSlice takes long days first: it looks for a perfect matching
 * whose entries all reach a threshold, lets the day last as long as the smallest of them, subtracts
 * it, and lowers the threshold when there is none left. The days stop when the packet switch can
 * carry all that remains in the time the days took, or when the week is full.
 *
 * <p><b>What differs from the paper.</b>
 *
 * <ul>
 *   <li>The threshold falls by an eighth, not by half, so a day is within an eighth of the longest
 *       that any matching would give, not within half. Flows of nearly the same size are so carried
 *       in one day each; with halving, matchings mix the large with leftovers and cut them to
 *       pieces.
 *   <li>The matching is kept from day to day and repaired ({@link PerfectMatching}). That is what
 *       pays for eightfold as many thresholds.
 *   <li>Overload is cut before stuffing ({@link Admission}), who waited a week comes first then,
 *       and the last day is cut to the week's end.
 * </ul>
 *
 * <p><b>Correctness.</b> A day takes the same time off every row and every column, so sums stay
 * equal, so by Birkhoff's theorem a perfect matching of what is left exists until nothing is left;
 * at threshold 1 it is found. Each day uses up at least one entry, hence at most n² days even if
 * the week never filled.
 *
 * <p><b>Complexity.</b> With k entries after stuffing (at most those with demand and 2n - 1 more),
 * t thresholds and d days: O(n²) to read and stuff, O(t k) to look for entries that reach the
 * threshold, O(n²/64) per entry that falls below it to repair the matching. After the first weeks
 * nothing is allocated.
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
  private final PerfectMatching matching;

  /** What is left of the stuffed demand, row by row, and the positions where something was. */
  private final long[] left;

  private final int[] stuffed;
  private int stuffedEntries;

  /** A scheduler for a network. */
  public Solstice(CircuitNetwork network) {
    this.network = network;
    this.hosts = network.hosts();
    this.builder = new WeekBuilder(network);
    this.admission = new Admission(hosts, network.circuitBytes(network.nightNs()));
    this.quickStuff = new QuickStuff(hosts);
    this.matching = new PerfectMatching(hosts);
    this.left = new long[hosts * hosts];
    this.stuffed = new int[hosts * hosts];
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    builder.start(demand, week);
    demand.copyTo(left);
    admission.admit(left, network.circuitBytes(network.weekNs()));
    quickStuff.stuff(left);
    bigSlice();
    if (builder.longestDayNs() > network.nightNs()) {
      fillWeek(week);
    }
    admission.remember(demand, week.remainder(), builder.restFitsPacketSwitch());
  }

  @Override
  public void forget() {
    admission.forget();
  }

  /** Gives what is left of the week to what is left of the demand, if there is any. */
  private void fillWeek(Schedule week) {
    week.remainder().copyTo(left);
    admission.admitMore(left, network.circuitBytes(builder.longestDayNs()));
    quickStuff.stuff(left);
    bigSlice();
  }

  private void bigSlice() {
    matching.clear();
    long threshold = listStuffed();
    while (threshold > 0 && !isDone()) {
      addEntries(threshold);
      while (!isDone() && matching.complete()) {
        addDay(threshold);
      }
      threshold -= Math.max(1, threshold / 8);
    }
  }

  private boolean isDone() {
    return builder.longestDayNs() <= 0 || builder.restFitsPacketSwitch();
  }

  /** Lists where the stuffed matrix has entries, and returns the largest. */
  private long listStuffed() {
    stuffedEntries = 0;
    long largest = 0;
    for (int at = 0; at < left.length; at++) {
      if (left[at] > 0) {
        stuffed[stuffedEntries++] = at;
        largest = Math.max(largest, left[at]);
      }
    }
    return largest;
  }

  private void addEntries(long threshold) {
    for (int i = 0; i < stuffedEntries; i++) {
      int at = stuffed[i];
      if (left[at] >= threshold) {
        matching.add(at / hosts, at % hosts);
      }
    }
  }

  private void addDay(long threshold) {
    int[] destinationOf = matching.destinations();
    long dayBytes = Long.MAX_VALUE;
    for (int source = 0; source < hosts; source++) {
      dayBytes = Math.min(dayBytes, left[source * hosts + destinationOf[source]]);
    }
    builder.addDay(destinationOf, network.circuitNs(dayBytes));
    for (int source = 0; source < hosts; source++) {
      int at = source * hosts + destinationOf[source];
      left[at] -= dayBytes;
      if (left[at] < threshold) {
        matching.remove(source, destinationOf[source]);
      }
    }
  }
}
