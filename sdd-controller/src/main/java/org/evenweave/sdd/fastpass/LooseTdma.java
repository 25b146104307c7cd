package org.evenweave.sdd.fastpass;

import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.SddApi;

/**
 * The recipe of loosely coupled TDMA, FastPass: hosts get the start and end of their slots ahead of
 * time, and follow them by their own clocks (Tewari 2015, section 5.4.2).
 */
public final class LooseTdma {
  private final SddApi sdd;

  /** A recipe for the hosts behind an API. */
  public LooseTdma(SddApi sdd) {
    this.sdd = sdd;
  }

  /**
   * Sends a week's slots to all hosts.
   *
   * @param weekStartNs when the week starts, by the hosts' clocks
   */
  public void send(Schedule week, long weekStartNs) {
    for (int host = 0; host < week.hosts(); host++) {
      int j = host;
      week.visitSlots(
          j,
          weekStartNs,
          (k, startNs, endNs) ->
              sdd.addDequeueCondition(j, k, "currTime >= " + startNs + " AND currTime < " + endNs));
    }
  }
}
