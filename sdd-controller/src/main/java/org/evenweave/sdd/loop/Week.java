package org.evenweave.sdd.loop;

import org.evenweave.sdd.schedule.Schedule;

/** A schedule for one period. */
final class Week {
  private final Schedule schedule;
  private long period;
  private long startNs;

  /** Set by who fills it, cleared by who has carried it out. */
  private volatile boolean busy;

  Week(int hosts) {
    schedule = new Schedule(hosts);
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

  long period() {
    return period;
  }

  long startNs() {
    return startNs;
  }

  /** When a day starts, by the shared clock. */
  long dayStartNs(int day) {
    return startNs + schedule.startNs(day);
  }

  /** When a day is over. */
  long dayEndNs(int day) {
    return dayStartNs(day) + schedule.durationNs(day);
  }
}
