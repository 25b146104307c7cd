package org.evenweave.sdd.loop;

import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.schedule.Schedule;

/** A schedule for one period. */
final class Week {
  private final Schedule schedule;
  private final DemandMatrix demand;
  private long period;
  private long startNs;

  /** Set by who fills it, cleared by who has carried it out. */
  private volatile boolean busy;

  Week(int hosts) {
    schedule = new Schedule(hosts);
    demand = new DemandMatrix(hosts);
  }

  /** Names the period; the schedule is filled after this. */
  void of(long newPeriod, long newStartNs) {
    period = newPeriod;
    startNs = newStartNs;
  }

  boolean isBusy() {
    return busy;
  }

  void setBusy(boolean isBusy) {
    busy = isBusy;
  }

  Schedule schedule() {
    return schedule;
  }

  /** What the schedule was planned for. */
  DemandMatrix demand() {
    return demand;
  }

  long period() {
    return period;
  }

  long startNs() {
    return startNs;
  }
}
