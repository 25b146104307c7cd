package org.evenweave.sdd.loop;

/** The clock by which a week is executed. */
interface CommandClock {
  /** Now, by the shared clock. */
  long nowNs();

  /** Returns at that time, or at once if it has passed. */
  void await(long timeNs) throws InterruptedException;
}
