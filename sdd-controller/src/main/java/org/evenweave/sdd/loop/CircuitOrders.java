package org.evenweave.sdd.loop;

import java.util.Arrays;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.CircuitSwitch;

/** Orders a week's matchings from the circuit switch, ahead of time. */
final class CircuitOrders {
  private final long nightNs;
  private final long guardNs;
  private final int[] destinationOf;

  CircuitOrders(SddConfig config) {
    this(config.directory().count(), config.nightNs(), config.guardNs());
  }

  CircuitOrders(int hosts, long nightNs, long guardNs) {
    this.nightNs = nightNs;
    this.guardNs = guardNs;
    this.destinationOf = new int[hosts];
  }

  /**
   * One configuration per day. What the schedule calls a night is a guard, in which the circuits of
   * the day before are still up, the switch's own night, and a guard in which the new ones are. A
   * week without days has one without circuits: by orders the switch hears that somebody leads.
   *
   * @param fromDay the first day that is ordered
   */
  void order(Schedule schedule, long weekStartNs, int fromDay, CircuitSwitch circuitSwitch) {
    if (schedule.days() == 0) {
      Arrays.fill(destinationOf, Schedule.IDLE);
      circuitSwitch.configure(destinationOf, weekStartNs + guardNs, nightNs);
    }
    for (int day = fromDay; day < schedule.days(); day++) {
      for (int source = 0; source < destinationOf.length; source++) {
        destinationOf[source] = schedule.peer(day, source);
      }
      long upNs = weekStartNs + schedule.startNs(day) - guardNs;
      circuitSwitch.configure(destinationOf, upNs - nightNs, nightNs);
    }
  }
}
