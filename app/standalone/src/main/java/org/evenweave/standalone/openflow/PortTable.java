package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.evenweave.engine.packets.PortLimiter;
import org.evenweave.engine.port.PortLiveness;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The physical ports of one switch, as it reports them, up to a limit. A port that has stopped
 * being live is down ({@link PortLiveness}).
 */
final class PortTable {
  /**
   * OpenFlow allows 2^32 and Open vSwitch 65,279; the largest modular chassis have some hundreds.
   * Each port that is up costs a probe a second.
   */
  static final int MAX_PORTS = 4096;

  /** Changes of one port in a second, in the long run: no link flaps that often. */
  private static final int CHANGE_RATE = 20;

  private static final int CHANGE_BURST = 1000;

  /** Changes of all ports. Each port may change several times at once. */
  private static final int ALL_CHANGES_RATE = 1000;

  private static final int ALL_CHANGES_BURST = 4 * MAX_PORTS;

  private static final Logger LOG = LoggerFactory.getLogger(PortTable.class);

  private final TreeMap<Integer, PortDescription> ports = new TreeMap<>();
  private final PortLimiter changes =
      new PortLimiter(
          CHANGE_RATE, CHANGE_BURST, ALL_CHANGES_RATE, ALL_CHANGES_BURST, System.nanoTime());
  private final PortLiveness liveness = new PortLiveness();
  private boolean refused;

  /**
   * A port is new or has changed.
   *
   * @param switchName for the log
   * @return its state if that is new; null if it is not, or if the port is not physical or beyond
   *     the limit
   */
  PortDescription update(String switchName, OFPortDesc description) {
    PortDescription now = PortDescription.of(description);
    if (!PortDescription.isPhysical(now.port)) {
      return null;
    }
    if (ports.size() >= MAX_PORTS && !ports.containsKey(now.port)) {
      if (!refused) {
        LOG.warn(
            "{}: reports more than {} ports; port {} and all further ones are not used",
            switchName,
            MAX_PORTS,
            now.port);
        refused = true;
      }
      return null;
    }
    if (liveness.isDead(now.port, PortDescription.isLive(description))) {
      now = now.down();
    }
    return now.equals(ports.put(now.port, now)) ? null : now;
  }

  /** A port is gone; returns its last state, as not up, or null if it was not known. */
  PortDescription remove(OFPortDesc description) {
    PortDescription gone = ports.remove(description.getPortNo().getPortNumber());
    liveness.forget(description.getPortNo().getPortNumber());
    return gone == null ? null : gone.gone();
  }

  /**
   * A port has changed.
   *
   * @throws BadSwitchException if ports change too often
   */
  void requireFewChanges(int port, long nowNanos) {
    if (!changes.admits(port, nowNanos)) {
      throw new BadSwitchException(
          "too many changes of ports, the last of port "
              + port
              + ": more than "
              + CHANGE_RATE
              + " a second of one port or "
              + ALL_CHANGES_RATE
              + " of all");
    }
  }

  List<PortDescription> all() {
    return new ArrayList<>(ports.values());
  }
}
