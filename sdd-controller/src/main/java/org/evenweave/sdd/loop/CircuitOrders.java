package org.evenweave.sdd.loop;

import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSwitch;

/** Orders a week's matchings from the circuit switch, ahead of time. */
final class CircuitOrders {
  private final long nightNs;
  private final long guardNs;
  private final int[] destinationOf;

  CircuitOrders(SddConfig config) {
    nightNs = config.nightNs();
    guardNs = config.guardNs();
    destinationOf = new int[config.directory().count()];
  }

  /**
   * One configuration per day. What the schedule calls a night is a guard, in which the circuits of
   * the day before are still up, the switch's own night, and a guard in which the new ones are.
   */
  void order(Week week, CircuitSwitch circuitSwitch) {
    Schedule schedule = week.schedule();
    for (int day = 0; day < schedule.days(); day++) {
      for (int source = 0; source < destinationOf.length; source++) {
        destinationOf[source] = schedule.destination(day, source);
      }
      long upNs = week.dayStartNs(day) - guardNs;
      circuitSwitch.configure(destinationOf, upNs - nightNs, nightNs);
    }
  }
}
