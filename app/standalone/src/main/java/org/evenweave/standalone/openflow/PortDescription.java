package org.evenweave.standalone.openflow;

import org.evenweave.engine.nib.PortSettings;
import org.evenweave.openflow.PortCodec;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortState;

/** A port as its switch describes it in OpenFlow: state, settings and speed. */
final class PortDescription {
  private static final long BPS_PER_KBPS = 1000;

  final int port;

  /** Present, enabled, with its link up, and allowed to forward and to receive. */
  final boolean up;

  /** Present, enabled, with its link up, and not {@link #up} for its settings alone. */
  final boolean withheld;

  final PortSettings settings;

  /** As the switch claims; 0 where it claims nothing. */
  final long speedBps;

  PortDescription(int port, boolean up, boolean withheld, PortSettings settings, long speedBps) {
    this.port = port;
    this.up = up;
    this.withheld = withheld;
    this.settings = settings;
    this.speedBps = speedBps;
  }

  static PortDescription of(OFPortDesc port) {
    PortSettings settings = PortCodec.settings(port);
    return new PortDescription(
        port.getPortNo().getPortNumber(),
        port.isEnabled() && !settings.isRestricted(),
        port.isEnabled() && settings.isRestricted(),
        settings,
        port.getCurrSpeed() * BPS_PER_KBPS);
  }

  /** Whether the switch says that the port is live, by BFD where it runs there. */
  static boolean isLive(OFPortDesc port) {
    return port.getState().contains(OFPortState.LIVE);
  }

  /** The same port when it is down, or is not live any more. */
  PortDescription down() {
    return new PortDescription(port, false, false, settings, speedBps);
  }

  /** The same port when it is gone. */
  PortDescription gone() {
    return new PortDescription(port, false, false, PortSettings.NONE, speedBps);
  }

  /**
   * Whether a number can be a port with a link. The reserved ports (LOCAL and the like) are
   * negative as an int; so are the numbers from 2^31 up to them, which no switch is known to use.
   */
  static boolean isPhysical(int port) {
    return port > 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PortDescription
        && ((PortDescription) other).port == port
        && ((PortDescription) other).up == up
        && ((PortDescription) other).withheld == withheld
        && ((PortDescription) other).settings.equals(settings)
        && ((PortDescription) other).speedBps == speedBps;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(port * 31L + speedBps) + (up ? 1 : 0);
  }

  @Override
  public String toString() {
    return "port " + port + (up ? " up " : " down ") + speedBps + " bps";
  }
}
