package org.evenweave.sdd.rest;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits how many threads of a runtime wait for one host's answers: a host that does not answer
 * delays only requests for it, and does not occupy all threads. Thread-safe.
 */
final class HostTurns {
  /** For one host. */
  static final int FOR_ONE = 2;

  /** For all: half of the threads that a runtime answers requests with. */
  static final int FOR_ALL = 8;

  private final Map<String, Integer> waiting = new HashMap<>();
  private int all;

  /**
   * @return false if no other thread may wait for the host now
   */
  synchronized boolean begin(String host) {
    int forIt = waiting.getOrDefault(host, 0);
    if (forIt == FOR_ONE || all == FOR_ALL) {
      return false;
    }
    waiting.put(host, forIt + 1);
    all++;
    return true;
  }

  /** Behind each {@link #begin} that was true. */
  synchronized void end(String host) {
    waiting.computeIfPresent(host, (name, forIt) -> forIt == 1 ? null : forIt - 1);
    all--;
  }
}
