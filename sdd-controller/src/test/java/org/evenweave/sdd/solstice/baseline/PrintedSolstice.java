package org.evenweave.sdd.solstice.baseline;

import java.util.Arrays;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.schedule.WeekBuilder;
import org.evenweave.sdd.solstice.QuickStuff;

/**
 * Solstice as printed (Liu et al., CoNEXT 2015, algorithms 1 to 3): thresholds are powers of two
 * and halve, and each matching is found from nothing, by depth-first search. Its days end with the
 * week.
 */
public final class PrintedSolstice implements Scheduler {
  private final CircuitNetwork network;
  private final int hosts;

  public PrintedSolstice(CircuitNetwork network) {
    this.network = network;
    this.hosts = network.hosts();
  }

  @Override
  public CircuitNetwork network() {
    return network;
  }

  @Override
  public void plan(DemandMatrix demand, Schedule week) {
    WeekBuilder builder = new WeekBuilder(network);
    builder.start(demand, week);
    long[] left = new long[hosts * hosts];
    demand.copyTo(left);
    new QuickStuff(hosts).stuff(left);
    long threshold = Long.highestOneBit(Arrays.stream(left).max().orElse(0));
    while (threshold > 0 && builder.longestDayNs() > 0 && !builder.restFitsPacketSwitch()) {
      int[] destinationOf = bigSlice(left, threshold);
      if (destinationOf == null) {
        threshold /= 2;
        continue;
      }
      long day = Long.MAX_VALUE;
      for (int source = 0; source < hosts; source++) {
        day = Math.min(day, left[source * hosts + destinationOf[source]]);
      }
      builder.addDay(destinationOf, network.circuitNs(day));
      for (int source = 0; source < hosts; source++) {
        left[source * hosts + destinationOf[source]] -= day;
      }
    }
  }

  /** A perfect matching of entries that reach the threshold, or null. */
  private int[] bigSlice(long[] left, long threshold) {
    int[] sourceOf = new int[hosts];
    Arrays.fill(sourceOf, -1);
    for (int source = 0; source < hosts; source++) {
      if (!augments(left, threshold, source, sourceOf, new boolean[hosts])) {
        return null;
      }
    }
    int[] destinationOf = new int[hosts];
    for (int destination = 0; destination < hosts; destination++) {
      destinationOf[sourceOf[destination]] = destination;
    }
    return destinationOf;
  }

  private boolean augments(
      long[] left, long threshold, int source, int[] sourceOf, boolean[] seen) {
    for (int to = 0; to < hosts; to++) {
      if (left[source * hosts + to] >= threshold && !seen[to]) {
        seen[to] = true;
        if (sourceOf[to] < 0 || augments(left, threshold, sourceOf[to], sourceOf, seen)) {
          sourceOf[to] = source;
          return true;
        }
      }
    }
    return false;
  }
}
