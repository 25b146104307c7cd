package org.evenweave.sdd.protocol;

import java.util.Arrays;

/**
 * Packet slots of one host's queues: when each may transmit by the packet switch, and at which
 * rate. Reused and growing; not thread-safe.
 */
public final class PacketSlotBatch {
  private int count;
  private int[] queues = new int[16];
  private long[] startNs = new long[16];
  private long[] endNs = new long[16];
  private long[] rateBps = new long[16];

  /** Removes all slots. */
  public void clear() {
    count = 0;
  }

  /** Whether no slot can be appended any more: {@link Limits#MAX_PACKET_SLOTS}. */
  public boolean isFull() {
    return count == Limits.MAX_PACKET_SLOTS;
  }

  /**
   * Appends a slot, from its start until just before its end.
   *
   * @param slotRateBps 1 or more
   * @throws IllegalArgumentException if the slot is empty, the rate is out of range, or the batch
   *     is full
   */
  public void add(int queue, long slotStartNs, long slotEndNs, long slotRateBps) {
    Ranges.queue(queue);
    Ranges.between(count, 0, Limits.MAX_PACKET_SLOTS - 1L, "slots");
    Ranges.between(slotRateBps, 1, Limits.MAX_RATE_BPS, "rateBps");
    if (slotEndNs <= slotStartNs) {
      throw new IllegalArgumentException("slot [" + slotStartNs + ", " + slotEndNs + ") is empty");
    }
    if (count == queues.length) {
      queues = Arrays.copyOf(queues, 2 * count);
      startNs = Arrays.copyOf(startNs, 2 * count);
      endNs = Arrays.copyOf(endNs, 2 * count);
      rateBps = Arrays.copyOf(rateBps, 2 * count);
    }
    queues[count] = queue;
    startNs[count] = slotStartNs;
    endNs[count] = slotEndNs;
    rateBps[count] = slotRateBps;
    count++;
  }

  /** The number of slots. */
  public int count() {
    return count;
  }

  /** Whose slot it is. */
  public int queue(int slot) {
    return queues[slot];
  }

  /** When a slot starts. */
  public long startNs(int slot) {
    return startNs[slot];
  }

  /** When a slot ends, exclusive. */
  public long endNs(int slot) {
    return endNs[slot];
  }

  /** How fast the queue may transmit. */
  public long rateBps(int slot) {
    return rateBps[slot];
  }
}
