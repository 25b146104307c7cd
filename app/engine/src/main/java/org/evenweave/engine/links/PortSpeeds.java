package org.evenweave.engine.links;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports ports that are up at a lower speed than the capacity that is configured for their link.
 * The weights follow the configuration, so such a link gets more traffic than it carries. Belongs
 * to the engine's loop.
 */
final class PortSpeeds {
  private static final Logger LOG = LoggerFactory.getLogger(PortSpeeds.class);

  private static final long GBPS = 1_000_000_000L;
  private static final long MBPS = 1_000_000L;

  private final Nib nib;
  private final EventLog events;

  /** Whose capacities these are. */
  private Fabric intended;

  private Map<SwitchPort, Long> configuredBps = Map.of();

  /** The ports that were slow when they were up last. */
  private final Set<SwitchPort> slow = new TreeSet<>();

  PortSpeeds(Nib nib, EventLog events) {
    this.nib = nib;
    this.events = events;
  }

  /** Another configuration may be in force. */
  void follow(long atNanos) {
    Fabric now = nib.config().intended();
    if (now == intended) {
      return;
    }
    intended = now;
    configuredBps = new HashMap<>();
    for (int arc = 0; arc < now.arcCount(); arc++) {
      configuredBps.put(now.end(arc), now.capacityBps(arc));
    }
    slow.retainAll(configuredBps.keySet());
    configuredBps.keySet().forEach(port -> changed(port, atNanos));
  }

  /** A port appeared, changed or went. */
  void changed(SwitchPort port, long atNanos) {
    Long configured = configuredBps.get(port);
    if (configured == null || !nib.isUp(port.switchId(), port.number())) {
      return;
    }
    long speed = nib.speedBps(port);
    if (speed == 0 || speed >= configured) {
      if (slow.remove(port)) {
        note(Event.Kind.PORT_NOT_SLOW, port.toString(), atNanos);
      }
    } else if (slow.add(port)) {
      note(Event.Kind.PORT_SLOW, sentence(port), atNanos);
    }
  }

  private void note(Event.Kind kind, String subject, long atNanos) {
    LOG.warn("{}: {}", kind.text(), subject);
    events.note(kind, subject, atNanos);
  }

  private String sentence(SwitchPort port) {
    return port
        + " came up at "
        + text(nib.speedBps(port))
        + ", and its link is configured with "
        + text(configuredBps.get(port));
  }

  private static String text(long bps) {
    long unit = bps >= GBPS ? GBPS : MBPS;
    BigDecimal inUnit = BigDecimal.valueOf(bps).divide(BigDecimal.valueOf(unit));
    return inUnit.stripTrailingZeros().toPlainString() + (unit == GBPS ? " Gb/s" : " Mb/s");
  }
}
