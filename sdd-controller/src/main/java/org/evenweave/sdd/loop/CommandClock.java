package org.evenweave.sdd.loop;

/** The time by which a week is carried out. */
interface CommandClock {
  /** Now, by the shared clock. */
  long nowNs();

  /** Returns at that time, or at once if it has passed. */
  void await(long timeNs) throws InterruptedException;
}
