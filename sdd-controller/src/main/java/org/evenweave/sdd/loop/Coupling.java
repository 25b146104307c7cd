package org.evenweave.sdd.loop;

/** How schedules reach the hosts. */
interface Coupling extends AutoCloseable {
  /**
   * Carries out a week.
   *
   * @param week busy; becomes free when it has been carried out
   * @return whether the hosts can still follow it from its start on
   */
  boolean announce(Week week);

  @Override
  void close();
}
