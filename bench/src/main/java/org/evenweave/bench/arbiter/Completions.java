package org.evenweave.bench.arbiter;

import java.util.Arrays;

/**
 * The completion times of requests, from arrival to the end of the last timeslot. The requests of a
 * pair are served in the order of their arrival.
 */
final class Completions {
  private static final int NONE = -1;

  private final int nodes;
  private final PoissonRequests requests;
  private final int[] timeslotsLeft;

  /** Of each pair, the first and the last of its requests that are not completed. */
  private final int[] first;

  private final int[] last;

  /** Of each request, the next of its pair. */
  private final int[] next;

  private int completed;
  private long timeslots;

  Completions(int nodes, PoissonRequests requests) {
    this.nodes = nodes;
    this.requests = requests;
    this.timeslotsLeft = Arrays.copyOf(requests.timeslots, requests.count);
    this.first = new int[nodes * nodes];
    this.last = new int[nodes * nodes];
    this.next = new int[requests.count];
    Arrays.fill(first, NONE);
  }

  /** A request has arrived. */
  void requested(int request) {
    int pair = requests.source[request] * nodes + requests.destination[request];
    next[request] = NONE;
    if (first[pair] == NONE) {
      first[pair] = request;
    } else {
      next[last[pair]] = request;
    }
    last[pair] = request;
  }

  /** Whether a pair has a request that is not completed. */
  boolean waits(int pair) {
    return first[pair] != NONE;
  }

  /** A pair got a timeslot. */
  void admitted(int pair, long timeslot) {
    int request = first[pair];
    if (--timeslotsLeft[request] == 0) {
      first[pair] = next[request];
      completed++;
      timeslots += timeslot + 1 - requests.arrival[request];
    }
  }

  boolean areMissing() {
    return completed < requests.count;
  }

  double meanTimeslots() {
    return (double) timeslots / completed;
  }
}
