package org.evenweave.engine.links;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.nib.PortSettings;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports ports whose configuration forbids forwarding or receiving (NO_FWD, NO_RECV). Such a port
 * counts as down. If it is an end of a configured link, the link is reported; if hosts are there,
 * this class reports the port. A port that is administratively down is not a fault, since unused
 * ports are. Belongs to the engine's loop.
 */
final class PortWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PortWatch.class);

  private final Nib nib;
  private final EventLog events;

  /** The ports that nothing else keeps from being up. */
  private final Set<SwitchPort> withheldPorts = new TreeSet<>();

  PortWatch(Nib nib, EventLog events) {
    this.nib = nib;
    this.events = events;
  }

  /** As {@link org.evenweave.engine.port.TopologyListener#portSettings}. */
  void settings(SwitchPort port, PortSettings now, boolean withheld, long atNanos) {
    PortSettings before = nib.portSettings().put(port, now);
    if (withheld) {
      withheldPorts.add(port);
    } else {
      withheldPorts.remove(port);
    }
    boolean isNews =
        (before.isRestricted() || now.isRestricted())
            && !before.restrictions().equals(now.restrictions());
    if (isNews) {
      String subject =
          port + " " + (now.isRestricted() ? now.restrictions() : "may forward and receive again");
      LOG.warn("{}: {}", Event.Kind.PORT_SETTINGS.text(), subject);
      events.note(Event.Kind.PORT_SETTINGS, subject, atNanos);
    }
  }

  /** The restricted ports of switches in use that are no ends of configured links. */
  List<CarriageFault> blocked() {
    List<CarriageFault> blocked = new ArrayList<>();
    EngineConfig config = nib.config();
    for (SwitchPort port : withheldPorts) {
      int s = config.intended().indexOf(port.switchId());
      boolean isInUse =
          s >= 0
              && !config.excludedSwitches().contains(port.switchId())
              && nib.connected(port.switchId());
      if (isInUse && !isLinkEnd(config.intended(), s, port)) {
        blocked.add(
            new CarriageFault(
                CarriageFault.Kind.PORT_BLOCKED,
                port,
                port.toString(),
                "port " + port + " " + nib.portSettings().of(port).restrictions()));
      }
    }
    return blocked;
  }

  private static boolean isLinkEnd(Fabric fabric, int s, SwitchPort port) {
    for (int link : fabric.linksAt(s)) {
      if (fabric.end(2 * link).equals(port) || fabric.end(2 * link + 1).equals(port)) {
        return true;
      }
    }
    return false;
  }

  /** All ports of which anything is set, in order. */
  Map<SwitchPort, PortSettings> all() {
    return nib.portSettings().all();
  }
}
