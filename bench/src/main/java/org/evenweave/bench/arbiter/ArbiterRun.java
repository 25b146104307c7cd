package org.evenweave.bench.arbiter;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.evenweave.sdd.fastpass.Arbiter;
import org.evenweave.sdd.fastpass.Order;
import org.evenweave.sdd.fastpass.TimeslotAllocator;
import org.evenweave.sdd.schedule.Schedule;

/** One stream of requests to allocators, timed or watched; a step sees what came before it. */
final class ArbiterRun {
  /**
   * The timeslots of a step, as in the authors' arbiter (Perry et al., SIGCOMM 2014, section 4).
   */
  private static final int STEP = 16;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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

  /**
   * Takes requests, allocates, and counts who was admitted: timeslots per second of processor time,
   * which other work on the machine prolongs less than time.
   */
  double timeslotsPerSecond(Order order) {
    TimeslotAllocator arbiter = order.allocator(nodes);
    int next = allocate(arbiter, 0, 0, warmUpTimeslots);
    long startNs = THREADS.getCurrentThreadCpuTime();
    allocate(arbiter, next, warmUpTimeslots, warmUpTimeslots + timeslots);
    return timeslots * 1e9 / (THREADS.getCurrentThreadCpuTime() - startNs);
  }

  private int allocate(TimeslotAllocator arbiter, int first, int from, int until) {
    int next = first;
    long admitted = 0;
    for (int now = from; now < until; now += STEP) {
      next = request(arbiter, next, now);
      arbiter.allocate(STEP);
      for (int t = 0; t < STEP; t++) {
        admitted += arbiter.admitted(t);
      }
    }
    if (admitted == 0) {
      throw new IllegalStateException("no request was admitted");
    }
    return next;
  }

  private int request(TimeslotAllocator arbiter, int first, long now) {
    int next = first;
    while (next < requests.count && requests.arrival[next] < now) {
      arbiter.request(requests.source[next], requests.destination[next], requests.timeslots[next]);
      next++;
    }
    return next;
  }

  /**
   * The same with an eye on every pair: how long it waits from one timeslot to the next, and after
   * the last request until all are served, for how long each request was on its way.
   */
  Seen watch(Order order) {
    Seen seen = new Seen();
    TimeslotAllocator arbiter = order.allocator(nodes);
    Completions completions = new Completions(nodes, requests);
    long[] waitsSince = new long[nodes * nodes];
    long end = (long) warmUpTimeslots + timeslots;
    int next = 0;
    for (long start = 0; start < end || completions.areMissing(); start += STEP) {
      boolean counts = start < end;
      int last = request(arbiter, next, start);
      for (; next < last; next++) {
        int pair = requests.source[next] * nodes + requests.destination[next];
        if (!completions.waits(pair)) {
          waitsSince[pair] = start;
        }
        completions.requested(next);
        seen.requested += counts ? requests.timeslots[next] : 0;
      }
      arbiter.allocate(STEP);
      for (int t = 0; t < STEP; t++) {
        seen.admitted += counts ? arbiter.admitted(t) : 0;
        for (int source = 0; source < nodes; source++) {
          int destination = arbiter.destination(t, source);
          if (destination == Schedule.IDLE) {
            continue;
          }
          int pair = source * nodes + destination;
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
    Arbiter arbiter = new Arbiter(nodes);
    for (int source = 0; source < nodes; source++) {
      for (int destination = 0; destination < nodes; destination++) {
        if (source != destination) {
          arbiter.request(source, destination, Integer.MAX_VALUE);
        }
      }
    }
    int[] got = new int[nodes * nodes];
    for (int step = 0; step < steps(timeslots); step++) {
      arbiter.allocate(STEP);
      for (int t = 0; t < STEP; t++) {
        for (int source = 0; source < nodes; source++) {
          int destination = arbiter.destination(t, source);
          if (destination != Schedule.IDLE) {
            got[source * nodes + destination]++;
          }
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
