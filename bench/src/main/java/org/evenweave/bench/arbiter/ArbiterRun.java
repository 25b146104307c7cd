package org.evenweave.bench.arbiter;

import java.util.Arrays;
import org.evenweave.sdd.fastpass.Arbiter;
import org.evenweave.sdd.fastpass.SlidingWindow;

/** One arbiter and one stream of requests, timed or watched; a step sees what came before it. */
final class ArbiterRun {
  private static final int STEP = SlidingWindow.STEP_TIMESLOTS;

  private final int nodes;
  private final int warmUpTimeslots;
  private final int timeslots;
  private final PoissonRequests requests;

  /**
   * A run; both numbers of timeslots are rounded up to steps.
   *
   * @param warmUpTimeslots how many before those that count, so that some pairs wait
   */
  ArbiterRun(int nodes, double load, int warmUpTimeslots, int timeslots, long seed) {
    this.nodes = nodes;
    this.warmUpTimeslots = steps(warmUpTimeslots) * STEP;
    this.timeslots = steps(timeslots) * STEP;
    this.requests = new PoissonRequests(nodes, load, this.warmUpTimeslots + this.timeslots, seed);
  }

  private static int steps(int timeslots) {
    return (timeslots + STEP - 1) / STEP;
  }

  int nodes() {
    return nodes;
  }

  int warmUpTimeslots() {
    return warmUpTimeslots;
  }

  int timeslots() {
    return timeslots;
  }

  PoissonRequests requests() {
    return requests;
  }

  /** What a watched run saw. */
  static final class Seen {
    long admitted;
    long requested;
    long longestWaitTimeslots;
    double meanCompletionTimeslots;
  }

  /** Takes requests, allocates, and counts who was admitted: timeslots per second. */
  double timeslotsPerSecond() {
    SlidingWindow window = new SlidingWindow(nodes);
    int next = allocate(window, 0, warmUpTimeslots);
    long startNs = System.nanoTime();
    allocate(window, next, warmUpTimeslots + timeslots);
    return timeslots * 1e9 / (System.nanoTime() - startNs);
  }

  private int allocate(SlidingWindow window, int first, int until) {
    int next = first;
    long admitted = 0;
    while (window.now() < until) {
      next = request(window, next);
      window.allocate();
      for (int t = 0; t < STEP; t++) {
        admitted += window.admitted(t);
      }
    }
    if (admitted == 0) {
      throw new IllegalStateException("no request was admitted");
    }
    return next;
  }

  private int request(SlidingWindow window, int first) {
    int next = first;
    while (next < requests.count && requests.arrival[next] < window.now()) {
      window.request(requests.source[next], requests.destination[next], requests.timeslots[next]);
      next++;
    }
    return next;
  }

  /**
   * The same with an eye on every pair: how long it waits from one timeslot to the next, and after
   * the last request until all are served, for how long each request was on its way.
   */
  Seen watch() {
    Seen seen = new Seen();
    SlidingWindow window = new SlidingWindow(nodes);
    Completions completions = new Completions(nodes, requests);
    long[] waitsSince = new long[nodes * nodes];
    int next = 0;
    while (window.now() < warmUpTimeslots + timeslots || completions.areMissing()) {
      long start = window.now();
      boolean counts = start < warmUpTimeslots + timeslots;
      int last = request(window, next);
      for (; next < last; next++) {
        int pair = requests.source[next] * nodes + requests.destination[next];
        if (!completions.waits(pair)) {
          waitsSince[pair] = start;
        }
        completions.requested(next);
        seen.requested += counts ? requests.timeslots[next] : 0;
      }
      window.allocate();
      for (int t = 0; t < STEP; t++) {
        seen.admitted += counts ? window.admitted(t) : 0;
        for (int i = 0; i < window.admitted(t); i++) {
          int pair = window.source(t, i) * nodes + window.destination(t, i);
          seen.longestWaitTimeslots =
              Math.max(seen.longestWaitTimeslots, start + t - waitsSince[pair]);
          completions.admitted(pair, start + t);
          waitsSince[pair] = start + t + 1;
        }
      }
    }
    seen.meanCompletionTimeslots = completions.meanTimeslots();
    return seen;
  }

  /** Everybody always has something for everybody: how many timeslots each pair gets. */
  static int[] allToAll(int nodes, int timeslots) {
    SlidingWindow window = new SlidingWindow(nodes);
    for (int source = 0; source < nodes; source++) {
      for (int destination = 0; destination < nodes; destination++) {
        if (source != destination) {
          window.request(source, destination, Integer.MAX_VALUE);
        }
      }
    }
    int[] got = new int[nodes * nodes];
    int batches = (timeslots + Arbiter.BATCH_TIMESLOTS - 1) / Arbiter.BATCH_TIMESLOTS;
    for (int step = 0; step < batches * Arbiter.BATCH_TIMESLOTS / STEP; step++) {
      window.allocate();
      for (int t = 0; t < STEP; t++) {
        for (int i = 0; i < window.admitted(t); i++) {
          got[window.source(t, i) * nodes + window.destination(t, i)]++;
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
