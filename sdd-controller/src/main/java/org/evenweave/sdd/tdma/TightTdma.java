package org.evenweave.sdd.tdma;

import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.SddApi;

/**
 * The recipe of tightly coupled TDMA, REACToR: the controller starts and stops each queue at the
 * moment of its slot (Tewari 2015, section 5.4.1).
 */
public final class TightTdma {
  private final SddApi sdd;

  /** A recipe for the hosts behind an API. */
  public TightTdma(SddApi sdd) {
    this.sdd = sdd;
  }

  /** To be called when a day starts. */
  public void start(Schedule week, int day) {
    setCondition(week, day, "TRUE");
  }

  /** To be called when the day is over, before the night. */
  public void stop(Schedule week, int day) {
    setCondition(week, day, "FALSE");
  }

  private void setCondition(Schedule week, int day, String mayTransmit) {
    for (int j = 0; j < week.hosts(); j++) {
      int k = week.destination(day, j);
      if (k != Schedule.IDLE) {
        sdd.addDequeueCondition(j, k, mayTransmit);
      }
    }
  }
}
