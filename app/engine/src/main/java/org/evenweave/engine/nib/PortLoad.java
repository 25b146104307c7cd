package org.evenweave.engine.nib;

import java.util.Set;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The ports where a request may be lost or late though somebody lives there: their queues may be
 * full, as they send much and receive; or their switch itself answers late. As of the latest
 * reading of counters. Not thread-safe.
 */
public final class PortLoad {
  private Set<SwitchPort> busy = Set.of();
  private Set<String> late = Set.of();

  /**
   * The counters have been read.
   *
   * @param nowBusy ports that send much and receive, of switches that count that
   * @param nowLate switches that were asked and have not answered in time
   */
  public void follow(Set<SwitchPort> nowBusy, Set<String> nowLate) {
    busy = Set.copyOf(nowBusy);
    late = Set.copyOf(nowLate);
  }

  /** Whether a request that is not answered within seconds says little of who is there. */
  public boolean mayLoseRequests(SwitchPort port) {
    return busy.contains(port) || late.contains(port.switchId());
  }
}
