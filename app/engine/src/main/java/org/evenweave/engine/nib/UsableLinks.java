package org.evenweave.engine.nib;

import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Which links carry traffic, and which switches have no more to be waited for. A link does while
 * both its ends do: a switch forwards, and its port is up or, on a link that is trusted ({@link
 * Trust}), not known to be down.
 */
final class UsableLinks {
  private final KnownSwitches switches;
  private final LinkMap linkMap;

  UsableLinks(KnownSwitches switches, LinkMap linkMap) {
    this.switches = switches;
    this.linkMap = linkMap;
  }

  /** The other end of the link at an end, if it carries traffic, or null. */
  SwitchPort peerOf(SwitchPort end) {
    SwitchPort peer = linkMap.peerOf(end);
    boolean trusted = peer != null && linkMap.trusted().contains(end, peer);
    return peer != null && usable(end, trusted) && usable(peer, trusted) ? peer : null;
  }

  private boolean usable(SwitchPort end, boolean trusted) {
    return switches.forwards(end.switchId())
        && (trusted ? switches.mayBeUp(end) : switches.isUp(end));
  }

  /**
   * Whether a switch can be programmed: its tables are known, and what links it has.
   *
   * @param linksDiscovered whether there may be links that are not configured
   */
  boolean settled(String switchId, boolean linksDiscovered) {
    SwitchState state = switches.of(switchId);
    return state != null
        && state.isRead()
        && state.isSettled(
            port -> mayBeFound(new SwitchPort(switchId, port), state, linksDiscovered),
            port -> linkMap.configuredPeerOf(new SwitchPort(switchId, port)) != null);
  }

  /** Whether there may be a link at a port that has not been probed yet. */
  private boolean mayBeFound(SwitchPort end, SwitchState state, boolean linksDiscovered) {
    if (peerOf(end) != null) {
      return false;
    }
    SwitchPort peer = linkMap.configuredPeerOf(end);
    boolean canBeProbed =
        peer == null
            ? linksDiscovered
            : switches.isConnected(peer.switchId()) && switches.mayBeUp(peer);
    return canBeProbed || (!state.hasAllPorts() && peer != null);
  }
}
