package org.evenweave.engine.forwarding;

import org.evenweave.engine.port.SwitchReading;
import org.evenweave.engine.port.SwitchTables;

/** Receives everything read from a switch, on the loop, before it counts as installed. */
public interface ReadListener {
  /**
   * A switch was read.
   *
   * @param believed what counted as installed, or as held when it was connected last; null if that
   *     is not known
   * @param isFirst whether it was not read before since it connected
   * @param askedNanos when the reading began: what changed later may be missing from it
   */
  void read(
      String switchId,
      SwitchTables believed,
      SwitchReading reading,
      boolean isFirst,
      long askedNanos);
}
