package org.evenweave.sdd.schedule;

/** Gives hosts slots ahead of time: all that the recipe of loosely coupled TDMA needs. */
public interface SlotControl {
  /**
   * A queue may transmit from the start until just before the end, by the host's clock. A host's
   * slots come in the order of their starts.
   */
  void slot(int host, int queue, long startNs, long endNs);

  /** The host has all its slots of the week. */
  void complete(int host);
}
