package org.evenweave.sdd.schedule;

/** Visits each slot of a source, in order of time. */
@FunctionalInterface
public interface SlotVisitor {
  /**
   * The source may transmit to the destination from the start until just before the end.
   *
   * @param destination the destination's number, which is also its queue's
   * @param startNs the start of the slot, inclusive
   * @param endNs the end of the slot, exclusive, later than the start
   */
  void slot(int destination, long startNs, long endNs);
}
