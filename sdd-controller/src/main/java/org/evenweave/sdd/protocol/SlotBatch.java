package org.evenweave.sdd.protocol;

import java.util.Arrays;

/**
 * Slots of one host's queues, in order of their starts: what the loose loop sends at once. Reused
 * and growing; not thread-safe.
 */
public final class SlotBatch {
  private int count;
  private int[] queues = new int[16];
  private long[] startNs = new long[16];
  private long[] endNs = new long[16];

  /** Removes all slots. */
  public void clear() {
    count = 0;
  }

  /**
   * Appends a slot: the queue may transmit from the start until just before the end.
   *
   * @param slotStartNs not before the slot that was appended last
   * @throws IllegalArgumentException if the slot is empty or out of order, or the batch is full
   *     ({@link Limits#MAX_SLOTS})
   */
  public void add(int queue, long slotStartNs, long slotEndNs) {
    Ranges.queue(queue);
    Ranges.between(count, 0, Limits.MAX_SLOTS - 1L, "slots");
    if (slotEndNs <= slotStartNs || (count > 0 && slotStartNs < startNs[count - 1])) {
      throw new IllegalArgumentException(
          "slot [" + slotStartNs + ", " + slotEndNs + ") is empty or out of order");
    }
    if (count == queues.length) {
      queues = Arrays.copyOf(queues, 2 * count);
      startNs = Arrays.copyOf(startNs, 2 * count);
      endNs = Arrays.copyOf(endNs, 2 * count);
    }
    queues[count] = queue;
    startNs[count] = slotStartNs;
    endNs[count] = slotEndNs;
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
}
