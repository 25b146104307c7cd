package org.evenweave.sdd.protocol;

import java.util.Arrays;

/** Slots of one host's queues, which a message carries. Reused and growing; not thread-safe. */
abstract class Slots {
  private final int most;
  private int count;
  private int[] queues = new int[16];
  private long[] startNs = new long[16];
  private long[] endNs = new long[16];

  /**
   * @param most slots of one message
   */
  Slots(int most) {
    this.most = most;
  }

  /** Removes all slots. */
  public void clear() {
    count = 0;
  }

  /** Whether no slot can be appended any more. */
  public boolean isFull() {
    return count == most;
  }

  /**
   * Appends a slot, from its start until just before its end.
   *
   * @return its number
   * @throws IllegalArgumentException if the slot is empty, or there are as many as there may be
   */
  int append(int queue, long slotStartNs, long slotEndNs) {
    Ranges.queue(queue);
    Ranges.between(count, 0, most - 1L, "slots");
    if (slotEndNs <= slotStartNs) {
      throw new IllegalArgumentException("slot [" + slotStartNs + ", " + slotEndNs + ") is empty");
    }
    if (count == queues.length) {
      queues = Arrays.copyOf(queues, 2 * count);
      startNs = Arrays.copyOf(startNs, 2 * count);
      endNs = Arrays.copyOf(endNs, 2 * count);
    }
    queues[count] = queue;
    startNs[count] = slotStartNs;
    endNs[count] = slotEndNs;
    return count++;
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
