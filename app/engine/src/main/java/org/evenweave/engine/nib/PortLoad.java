package org.evenweave.engine.nib;

import java.util.Set;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The ports whose queues may be full and behind which something lives: they send much, and receive.
 * What is sent there and not answered may have been dropped by the queue. As of the latest reading
 * of their counters. Not thread-safe.
 */
public final class PortLoad {
  private Set<SwitchPort> busy = Set.of();

  /** The counters have been read. */
  public void follow(Set<SwitchPort> nowBusy) {
    busy = Set.copyOf(nowBusy);
  }

  /** Whether the port sends much and receives; false if its switch does not count. */
  public boolean isBusy(SwitchPort port) {
    return busy.contains(port);
  }
}
