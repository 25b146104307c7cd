package org.evenweave.sdd.schedule;

/** Assigns slots to hosts ahead of time, as loosely coupled TDMA requires. */
public interface SlotControl {
  /**
   * A queue may transmit from the start until just before the end, by the host's clock. A host's
   * slots come in the order of their starts.
   */
  void slot(int host, int queue, long startNs, long endNs);

  /** The host has all its slots of the week. */
  void complete(int host);
}
