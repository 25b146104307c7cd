package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.Schedule;

/** Sends new orders for the circuits of a running week. */
interface CircuitChanges {
  /**
   * Whether the circuit switch can be ordered so many days instead of those of this week that are
   * left, or there is none.
   */
  boolean fit(int days);

  /** Orders the week's days from one on; weeks that follow stay as they are. */
  void order(Schedule schedule, long weekStartNs, int fromDay);
}
