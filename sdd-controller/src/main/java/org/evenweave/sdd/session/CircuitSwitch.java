package org.evenweave.sdd.session;

/** A switch that connects each source to one destination at most, and is dark while it changes. */
public interface CircuitSwitch {
  /**
   * Orders a configuration: at a given time the switch goes dark for a night, then the circuits are
   * up until the time of the next configuration.
   *
   * @param destinationOf each source host's destination, or a negative number for none; copied
   * @param atNs when the night starts, by the shared clock; later than in the calls before
   * @param nightNs how long the switch is dark
   */
  void configure(int[] destinationOf, long atNs, long nightNs);
}
