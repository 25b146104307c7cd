package org.evenweave.engine.nib;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** An end host, as learned from its own packets. */
public final class Host {
  private final int address;
  private final long mac;
  private final String switchId;
  private final int port;

  /**
   * @param address IPv4, big-endian
   * @param mac the low 48 bits
   * @param switchId the S1 switch it is under
   * @param port that switch's port
   */
  public Host(int address, long mac, String switchId, int port) {
    this.address = address;
    this.mac = mac;
    this.switchId = switchId;
    this.port = port;
  }

  public int address() {
    return address;
  }

  public long mac() {
    return mac;
  }

  public String switchId() {
    return switchId;
  }

  public int port() {
    return port;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Host
        && ((Host) other).address == address
        && ((Host) other).mac == mac
        && ((Host) other).switchId.equals(switchId)
        && ((Host) other).port == port;
  }

  @Override
  public int hashCode() {
    return address;
  }

  @Override
  public String toString() {
    return Ipv4Prefix.format(address) + " at " + switchId + "/" + port;
  }
}
