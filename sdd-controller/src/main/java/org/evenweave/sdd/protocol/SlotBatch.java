package org.evenweave.sdd.protocol;

/** Slots in order of their starts: what the loose loop sends at once. */
public final class SlotBatch extends Slots {
  public SlotBatch() {
    super(Limits.MAX_SLOTS);
  }

  /**
   * Appends a slot: the queue may transmit from the start until just before the end.
   *
   * @param slotStartNs not before the slot that was appended last
   * @throws IllegalArgumentException if the slot is empty or out of order, or the batch is full
   *     ({@link Limits#MAX_SLOTS})
   */
  public void add(int queue, long slotStartNs, long slotEndNs) {
    if (count() > 0 && slotStartNs < startNs(count() - 1)) {
      throw new IllegalArgumentException(
          "slot [" + slotStartNs + ", " + slotEndNs + ") is out of order");
    }
    append(queue, slotStartNs, slotEndNs);
  }
}
