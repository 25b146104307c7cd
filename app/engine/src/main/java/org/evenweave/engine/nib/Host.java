package org.evenweave.engine.nib;

import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/** An end host, as learned from its own packets. */
public final class Host {
  private final int address;
  private final long mac;
  private final SwitchPort location;

  /**
   * @param address IPv4, big-endian
   * @param mac the low 48 bits
   * @param switchId the S1 switch it is under
   * @param port that switch's port
   */
  public Host(int address, long mac, String switchId, int port) {
    this.address = address;
    this.mac = mac;
    this.location = new SwitchPort(switchId, port);
  }

  public int address() {
    return address;
  }

  public long mac() {
    return mac;
  }

  /** The port that it is connected to, of an S1 switch. */
  public SwitchPort location() {
    return location;
  }

  public String switchId() {
    return location.switchId();
  }

  public int port() {
    return location.number();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Host
        && ((Host) other).address == address
        && ((Host) other).mac == mac
        && ((Host) other).location.equals(location);
  }

  @Override
  public int hashCode() {
    return address;
  }

  @Override
  public String toString() {
    return Ipv4Prefix.format(address) + " at " + location;
  }
}
