package org.evenweave.engine.links;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.port.PortCounters;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Finds the ports that send much and receive ({@link org.evenweave.engine.nib.PortLoad}), by
 * successive readings of their counters. Not thread-safe.
 */
final class PortRates {
  private static final double SECOND_NANOS = 1e9;

  private final Map<SwitchPort, PortLook> latest = new HashMap<>();
  private final Set<SwitchPort> busy = new HashSet<>();

  /** A port has been looked at, later than before. */
  void add(SwitchPort port, PortLook look) {
    PortLook before = latest.put(port, look);
    if (before != null && isBusy(before, look)) {
      busy.add(port);
    } else {
      busy.remove(port);
    }
  }

  private static boolean isBusy(PortLook before, PortLook after) {
    PortCounters then = before.counters;
    PortCounters now = after.counters;
    long nanos = after.answeredAtNanos - before.askedAtNanos;
    return then.txPackets() != PortCounters.UNSUPPORTED
        && now.txPackets() != PortCounters.UNSUPPORTED
        && (now.txPackets() - then.txPackets()) * SECOND_NANOS
            >= (double) DirectionLoss.BUSY_PPS * nanos
        && now.rxPackets() > then.rxPackets();
  }

  /** Those that were busy when they were looked at last. */
  Set<SwitchPort> busy() {
    return busy;
  }
}
