package org.evenweave.metrics;

import java.util.List;

/**
 * A part of a program that exposes metrics. Each scrape asks it, on a thread of the server: it
 * reads snapshots and counters, and waits for no loop of the program.
 */
public interface Source {
  /** All families that it can expose. */
  List<Family> families();

  /** Adds what it finds now. */
  void collect(Scrape scrape);
}
