package org.evenweave.bench.sharing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.evenweave.wcmp.sharing.GroupSharing;
import org.evenweave.wcmp.sharing.SharedGroups;

/**
 * Random destinations of one switch that share few groups: first as they come, then once more near
 * to that answer after an event. Always the same for a seed.
 */
final class SharingRun {
  private static final int MIN_NEXT_HOPS = 2;
  private static final int MOST_LINKS = 4;

  /** One next hop in so many is down. */
  private static final int PORTS_PER_FAILURE = 8;

  /** One destination in so many has another weight after the event. */
  private static final int DESTINATIONS_PER_CHANGE = 100;

  private static final double NANOS_PER_MILLI = 1e6;

  /** An answer, and how long it took by the clock and by the processor time of the thread. */
  static final class Timed {
    final SharedGroups shared;
    final double millis;
    final double cpuMillis;

    Timed(Supplier<SharedGroups> work) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long began = System.nanoTime();
      long cpuBegan = threads.getCurrentThreadCpuTime();
      shared = work.get();
      cpuMillis = (threads.getCurrentThreadCpuTime() - cpuBegan) / NANOS_PER_MILLI;
      millis = (System.nanoTime() - began) / NANOS_PER_MILLI;
    }
  }

  final Timed fresh;
  final Timed afterEvent;

  /** Destinations that the event moves to another group. */
  final int moved;

  SharingRun(int destinations, int groups, int ports, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<long[]> weights = new ArrayList<>();
    for (int d = 0; d < destinations; d++) {
      weights.add(random(ports, random));
    }
    fresh = new Timed(() -> GroupSharing.of(weights, groups, MIN_NEXT_HOPS));
    int[] present = new int[destinations];
    Arrays.setAll(present, fresh.shared::groupOf);
    int[] cost = new int[destinations];
    Arrays.fill(cost, 1);
    for (int d = 0; d < destinations; d += DESTINATIONS_PER_CHANGE) {
      weights.set(d, random(ports, random));
    }
    afterEvent = new Timed(() -> GroupSharing.of(weights, groups, MIN_NEXT_HOPS, present, cost));
    moved = moved(present);
  }

  /** From 1 to 4 parallel links behind each next hop that is up; the first two always are. */
  private static long[] random(int ports, SplittableRandom random) {
    long[] weights = new long[ports];
    for (int i = 0; i < ports; i++) {
      boolean isDown = i >= MIN_NEXT_HOPS && random.nextInt(PORTS_PER_FAILURE) == 0;
      weights[i] = isDown ? 0 : 1 + random.nextInt(MOST_LINKS);
    }
    return weights;
  }

  /** Those that are not in the group in which most of the members of their old one are. */
  private int moved(int[] present) {
    int groups = 1 + Arrays.stream(present).max().orElse(0);
    SharedGroups now = afterEvent.shared;
    int[][] common = new int[groups][now.groups()];
    int with = 0;
    for (int d = 0; d < present.length; d++) {
      if (present[d] != GroupSharing.NONE) {
        with++;
        if (now.groupOf(d) != GroupSharing.NONE) {
          common[present[d]][now.groupOf(d)]++;
        }
      }
    }
    int stayed = Arrays.stream(common).mapToInt(row -> Arrays.stream(row).max().orElse(0)).sum();
    return with - stayed;
  }
}
