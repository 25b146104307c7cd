package org.evenweave.sdd.tdma;

import org.evenweave.sdd.schedule.QueueControl;
import org.evenweave.sdd.schedule.Schedule;

/**
 * The recipe of tightly coupled TDMA, REACToR: the controller starts and stops each queue at the
 * moment of its slot (Tewari 2015, section 5.4.1).
 */
public final class TightTdma {
  private final QueueControl queues;

  /** A recipe for the hosts' queues. */
  public TightTdma(QueueControl queues) {
    this.queues = queues;
  }

  /** To be called when a day starts. */
  public void start(Schedule week, int day) {
    for (int j = 0; j < week.hosts(); j++) {
      if (week.peer(day, j) != Schedule.IDLE) {
        queues.start(j, week.peer(day, j));
      }
    }
  }

  /** To be called when the day is over, before the night. */
  public void stop(Schedule week, int day) {
    for (int j = 0; j < week.hosts(); j++) {
      if (week.peer(day, j) != Schedule.IDLE) {
        queues.stop(j, week.peer(day, j));
      }
    }
  }
}
