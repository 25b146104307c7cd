package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.List;

/**
 * How a switch's port is configured (OpenFlow 1.3.5, section 7.2.1, {@code ofp_port_config}), as
 * set by an operator with {@code ovs-ofctl mod-port}, or another controller. Immutable.
 */
public final class PortSettings {
  /** {@code OFPPC_PORT_DOWN}: the port is administratively down. */
  public static final int PORT_DOWN = 1;

  /** {@code OFPPC_NO_RECV}: packets that the port receives are dropped. */
  public static final int NO_RECV = 1 << 2;

  /** {@code OFPPC_NO_FWD}: packets forwarded to the port are dropped. */
  public static final int NO_FWD = 1 << 5;

  /** {@code OFPPC_NO_PACKET_IN}: table misses of the port's packets cause no packet-in. */
  public static final int NO_PACKET_IN = 1 << 6;

  /** A port that does all a port does. */
  public static final PortSettings NONE = new PortSettings(0);

  private static final int KNOWN = PORT_DOWN | NO_RECV | NO_FWD | NO_PACKET_IN;

  private final int bits;

  private PortSettings(int bits) {
    this.bits = bits;
  }

  /**
   * The settings in an OpenFlow message.
   *
   * @param bits of {@code ofp_port_config}; those that OpenFlow does not define are ignored
   */
  public static PortSettings of(int bits) {
    return (bits & KNOWN) == 0 ? NONE : new PortSettings(bits & KNOWN);
  }

  /** As in the OpenFlow message. */
  public int bits() {
    return bits;
  }

  /** Whether packets cross the port in one direction at most although it may be up. */
  public boolean isRestricted() {
    return (bits & (NO_RECV | NO_FWD)) != 0;
  }

  /**
   * What the port may not do, as in {@code may not forward (OFPPC_NO_FWD)}; empty if nothing is
   * set. Without {@code OFPPC_NO_PACKET_IN}, which concerns table misses only: all packets that
   * Evenweave wants are sent by rules.
   */
  public String restrictions() {
    List<String> restrictions = new ArrayList<>();
    addIf(PORT_DOWN, "is administratively down (OFPPC_PORT_DOWN)", restrictions);
    addIf(NO_FWD, "may not forward (OFPPC_NO_FWD)", restrictions);
    addIf(NO_RECV, "may not receive (OFPPC_NO_RECV)", restrictions);
    return String.join(" and ", restrictions);
  }

  private void addIf(int bit, String restriction, List<String> to) {
    if ((bits & bit) != 0) {
      to.add(restriction);
    }
  }

  /** The names of OpenFlow of all that is set, without {@code OFPPC_}. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    addIf(PORT_DOWN, "PORT_DOWN", names);
    addIf(NO_RECV, "NO_RECV", names);
    addIf(NO_FWD, "NO_FWD", names);
    addIf(NO_PACKET_IN, "NO_PACKET_IN", names);
    return names;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PortSettings && ((PortSettings) other).bits == bits;
  }

  @Override
  public int hashCode() {
    return bits;
  }

  @Override
  public String toString() {
    return String.join(", ", names());
  }
}
