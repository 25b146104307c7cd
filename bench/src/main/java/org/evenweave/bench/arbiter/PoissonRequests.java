package org.evenweave.bench.arbiter;

import java.util.Arrays;
import java.util.Random;

/**
 * Requests for timeslots as in the FastPass paper's benchmark: they arrive as a Poisson process,
 * from random sources to random other destinations, and ask for an exponential number of timeslots.
 */
final class PoissonRequests {
  private static final double MEAN_TIMESLOTS = 10;

  int count;
  int[] arrival = new int[1024];
  int[] source = new int[1024];
  int[] destination = new int[1024];
  int[] timeslots = new int[1024];

  /**
   * Requests that together ask for a share of what all nodes can send.
   *
   * @param load the share, more than 0, less than 1
   * @param duration how many timeslots they arrive in
   */
  PoissonRequests(int nodes, double load, int duration, long seed) {
    Random random = new Random(seed);
    double meanGap = MEAN_TIMESLOTS / load / nodes;
    double time = 0;
    double fraction = 0;
    while (true) {
      // What a request has in excess of whole timeslots goes to the next.
      double wants = fraction;
      do {
        time += exponential(random) * meanGap;
        wants += exponential(random) * MEAN_TIMESLOTS;
      } while (wants < 1);
      if (time >= duration) {
        return;
      }
      fraction = wants - (int) wants;
      int from = random.nextInt(nodes);
      add((int) time, from, (from + 1 + random.nextInt(nodes - 1)) % nodes, (int) wants);
    }
  }

  private static double exponential(Random random) {
    return -Math.log(1 - random.nextDouble());
  }

  private void add(int when, int from, int to, int wants) {
    if (count == arrival.length) {
      arrival = Arrays.copyOf(arrival, 2 * count);
      source = Arrays.copyOf(source, 2 * count);
      destination = Arrays.copyOf(destination, 2 * count);
      timeslots = Arrays.copyOf(timeslots, 2 * count);
    }
    arrival[count] = when;
    source[count] = from;
    destination[count] = to;
    timeslots[count++] = wants;
  }
}
