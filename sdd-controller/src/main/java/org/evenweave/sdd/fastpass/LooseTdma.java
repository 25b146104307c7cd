package org.evenweave.sdd.fastpass;

import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.schedule.SlotControl;

/**
 * The recipe of loosely coupled TDMA, FastPass: hosts get the start and end of their slots ahead of
 * time, and follow them by their own clocks (Tewari 2015, section 5.4.2).
 */
public final class LooseTdma {
  private final SlotControl slots;

  /** A recipe for the hosts' queues. */
  public LooseTdma(SlotControl slots) {
    this.slots = slots;
  }

  /**
   * Sends a week's slots to all hosts, one host after the other.
   *
   * @param weekStartNs when the week starts, by the hosts' clocks
   */
  public void send(Schedule week, long weekStartNs) {
    for (int host = 0; host < week.hosts(); host++) {
      int j = host;
      week.visitSlots(j, weekStartNs, (k, startNs, endNs) -> slots.slot(j, k, startNs, endNs));
      slots.complete(j);
    }
  }
}
