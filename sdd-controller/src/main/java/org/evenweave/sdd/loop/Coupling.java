package org.evenweave.sdd.loop;

import org.evenweave.sdd.session.CircuitSession;

/** The mode of distributing schedules to the hosts. */
interface Coupling extends AutoCloseable {
  /**
   * Carries out a week.
   *
   * @param week busy; becomes free when it has been carried out
   * @param circuitSwitch the session that the week's circuits are ordered from; null if the week
   *     has no days, or if the network has no circuit switch
   * @return whether the hosts can still follow it from its start on
   */
  boolean announce(Week week, CircuitSession circuitSwitch);

  @Override
  void close();
}
