package org.evenweave.sdd.schedule;

/** Gets the packet slots of a source. */
public interface PacketSlotVisitor {
  /**
   * In this time the source may transmit to the destination by the packet switch.
   *
   * @param circuitClass what: the flows of this class, or with 0 those of none
   * @param endNs exclusive
   * @param rateBps more than 0
   */
  void slot(int circuitClass, int destination, long startNs, long endNs, long rateBps);
}
