package org.evenweave.sdd.protocol;

import java.util.Arrays;

/** Slots of the packet switch: when each queue may transmit by it, and at which rate. */
public final class PacketSlotBatch extends Slots {
  private long[] rateBps = new long[16];

  public PacketSlotBatch() {
    super(Limits.MAX_PACKET_SLOTS);
  }

  /**
   * Appends a slot, from its start until just before its end.
   *
   * @param slotRateBps 1 or more
   * @throws IllegalArgumentException if the slot is empty, the rate is out of range, or the batch
   *     is full ({@link Limits#MAX_PACKET_SLOTS})
   */
  public void add(int queue, long slotStartNs, long slotEndNs, long slotRateBps) {
    Ranges.between(slotRateBps, 1, Limits.MAX_RATE_BPS, "rateBps");
    int slot = append(queue, slotStartNs, slotEndNs);
    if (slot == rateBps.length) {
      rateBps = Arrays.copyOf(rateBps, 2 * slot);
    }
    rateBps[slot] = slotRateBps;
  }

  /** How fast the queue may transmit. */
  public long rateBps(int slot) {
    return rateBps[slot];
  }
}
