package org.evenweave.engine.nib;

import java.util.HashSet;
import java.util.Set;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Which links carry traffic, and which switches have no more to be waited for. A link does while
 * both its ends do: a switch forwards, and its port is up or, on a link that is trusted ({@link
 * TrustedLinks}), not known to be down.
 */
final class UsableLinks {
  private final KnownSwitches switches;
  private final LinkMap linkMap;

  /** Ends of links that came up before the tables of a switch at them were read. */
  private final Set<SwitchPort> early = new HashSet<>();

  UsableLinks(KnownSwitches switches, LinkMap linkMap) {
    this.switches = switches;
    this.linkMap = linkMap;
  }

  /** The other end of the link at an end, if it carries traffic, or null. */
  SwitchPort peerOf(SwitchPort end) {
    SwitchPort peer = linkMap.peerOf(end);
    boolean trusted = peer != null && linkMap.trusted().contains(end, peer);
    return peer != null && !isEarly(end, peer) && usable(end, trusted) && usable(peer, trusted)
        ? peer
        : null;
  }

  /**
   * A link has come up. A switch that has just returned may have lost its rules meanwhile, so the
   * link carries nothing until its tables are read. Links that it had all the time carry on.
   */
  void cameUp(SwitchPort a, SwitchPort b) {
    if (isReturning(a, b)) {
      early.add(a);
      early.add(b);
    }
  }

  /** The tables of a switch have been read, or it is gone. */
  void switchChanged() {
    early.removeIf(
        end -> {
          SwitchPort peer = linkMap.peerOf(end);
          return peer == null || !isReturning(end, peer);
        });
  }

  private boolean isEarly(SwitchPort end, SwitchPort peer) {
    return early.contains(end) && isReturning(end, peer);
  }

  private boolean isReturning(SwitchPort end, SwitchPort peer) {
    return switches.isReturning(end.switchId()) || switches.isReturning(peer.switchId());
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
