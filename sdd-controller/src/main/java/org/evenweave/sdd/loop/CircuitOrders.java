package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSwitch;

/** Orders a week's matchings from the circuit switch, ahead of time. */
final class CircuitOrders {
  private final int[] destinationOf;

  CircuitOrders(int hosts) {
    destinationOf = new int[hosts];
  }

  /** One configuration per day; its night comes before it. */
  void order(Week week, CircuitSwitch circuitSwitch) {
    Schedule schedule = week.schedule();
    for (int day = 0; day < schedule.days(); day++) {
      for (int source = 0; source < destinationOf.length; source++) {
        destinationOf[source] = schedule.destination(day, source);
      }
      long nightNs = schedule.nightNs();
      circuitSwitch.configure(destinationOf, week.dayStartNs(day) - nightNs, nightNs);
    }
  }
}
