package org.evenweave.bench.arbiter;

import java.util.Arrays;
import org.evenweave.sdd.fastpass.Arbiter;

/** One arbiter and one stream of requests, timed or watched. */
final class ArbiterRun {
  private final int nodes;
  private final int warmUpTimeslots;
  private final int timeslots;
  private final PoissonRequests requests;

  /**
   * A run; both numbers of timeslots are rounded up to batches.
   *
   * @param warmUpTimeslots how many before those that count, so that some pairs wait
   */
  ArbiterRun(int nodes, double load, int warmUpTimeslots, int timeslots, long seed) {
    this.nodes = nodes;
    this.warmUpTimeslots = batches(warmUpTimeslots) * Arbiter.BATCH_TIMESLOTS;
    this.timeslots = batches(timeslots) * Arbiter.BATCH_TIMESLOTS;
    this.requests = new PoissonRequests(nodes, load, this.warmUpTimeslots + this.timeslots, seed);
  }

  private static int batches(int timeslots) {
    return (timeslots + Arbiter.BATCH_TIMESLOTS - 1) / Arbiter.BATCH_TIMESLOTS;
  }

  /** What a watched run saw. */
  static final class Seen {
    long admitted;
    long requested;
    long longestWaitTimeslots;
  }

  /** Takes requests, allocates, and counts who was admitted: timeslots per second. */
  double timeslotsPerSecond() {
    Arbiter arbiter = new Arbiter(nodes);
    int next = allocate(arbiter, 0, warmUpTimeslots);
    long startNs = System.nanoTime();
    allocate(arbiter, next, warmUpTimeslots + timeslots);
    return timeslots * 1e9 / (System.nanoTime() - startNs);
  }

  private int allocate(Arbiter arbiter, int first, int until) {
    int next = first;
    long admitted = 0;
    while (arbiter.now() < until) {
      next = request(arbiter, next);
      arbiter.allocate();
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        admitted += arbiter.admitted(t);
      }
    }
    if (admitted == 0) {
      throw new IllegalStateException("no request was admitted");
    }
    return next;
  }

  private int request(Arbiter arbiter, int first) {
    int next = first;
    long end = arbiter.now() + Arbiter.BATCH_TIMESLOTS;
    while (next < requests.count && requests.arrival[next] < end) {
      arbiter.request(requests.source[next], requests.destination[next], requests.timeslots[next]);
      next++;
    }
    return next;
  }

  /** The same with an eye on every pair: how long it waits from one timeslot to the next. */
  Seen watch() {
    Seen seen = new Seen();
    Arbiter arbiter = new Arbiter(nodes);
    long[] wants = new long[nodes * nodes];
    long[] waitsSince = new long[nodes * nodes];
    int next = 0;
    while (arbiter.now() < warmUpTimeslots + timeslots) {
      long start = arbiter.now();
      int last = request(arbiter, next);
      for (; next < last; next++) {
        int pair = requests.source[next] * nodes + requests.destination[next];
        if (wants[pair] == 0) {
          waitsSince[pair] = start;
        }
        wants[pair] += requests.timeslots[next];
        seen.requested += requests.timeslots[next];
      }
      arbiter.allocate();
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        seen.admitted += arbiter.admitted(t);
        for (int i = 0; i < arbiter.admitted(t); i++) {
          int pair = arbiter.source(t, i) * nodes + arbiter.destination(t, i);
          seen.longestWaitTimeslots =
              Math.max(seen.longestWaitTimeslots, start + t - waitsSince[pair]);
          wants[pair]--;
          waitsSince[pair] = start + t + 1;
        }
      }
    }
    for (int pair = 0; pair < wants.length; pair++) {
      if (wants[pair] > 0) {
        seen.longestWaitTimeslots =
            Math.max(seen.longestWaitTimeslots, arbiter.now() - waitsSince[pair]);
      }
    }
    return seen;
  }

  /** Everybody always has something for everybody: how many timeslots each pair gets. */
  static int[] allToAll(int nodes, int timeslots) {
    Arbiter arbiter = new Arbiter(nodes);
    for (int source = 0; source < nodes; source++) {
      for (int destination = 0; destination < nodes; destination++) {
        if (source != destination) {
          arbiter.request(source, destination, Integer.MAX_VALUE);
        }
      }
    }
    int[] got = new int[nodes * nodes];
    for (int batch = 0; batch < batches(timeslots); batch++) {
      arbiter.allocate();
      for (int t = 0; t < Arbiter.BATCH_TIMESLOTS; t++) {
        for (int i = 0; i < arbiter.admitted(t); i++) {
          got[arbiter.source(t, i) * nodes + arbiter.destination(t, i)]++;
        }
      }
    }
    int[] pairs = new int[nodes * (nodes - 1)];
    int pair = 0;
    for (int i = 0; i < got.length; i++) {
      if (i / nodes != i % nodes) {
        pairs[pair++] = got[i];
      }
    }
    Arrays.sort(pairs);
    return pairs;
  }
}
