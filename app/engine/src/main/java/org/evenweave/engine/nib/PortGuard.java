package org.evenweave.engine.nib;

import java.util.Arrays;
import java.util.List;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The ports of a switch that check source addresses of IPv4 packets, and the allowed addresses.
 * Immutable.
 */
public final class PortGuard {
  /** No port is guarded. */
  public static final PortGuard NONE = new PortGuard(new int[0], List.of(), List.of(), false);

  /** The switch has not reported its ports yet: what it holds stays. */
  public static final PortGuard UNKNOWN = new PortGuard(new int[0], List.of(), List.of(), false);

  private final int[] ports;
  private final List<Ipv4Prefix> anyAddress;
  private final List<Ipv4Prefix> knownHosts;
  private final boolean refusesOthers;

  PortGuard(
      int[] ports,
      List<Ipv4Prefix> anyAddress,
      List<Ipv4Prefix> knownHosts,
      boolean refusesOthers) {
    this.ports = ports;
    this.anyAddress = anyAddress;
    this.knownHosts = knownHosts;
    this.refusesOthers = refusesOthers;
  }

  /** The same, with one port less if it is guarded. */
  PortGuard without(int port) {
    int[] others = Arrays.stream(ports).filter(guarded -> guarded != port).toArray();
    return others.length == ports.length
        ? this
        : new PortGuard(others, anyAddress, knownHosts, refusesOthers);
  }

  /** The guarded ports, rising; not to be changed. */
  public int[] ports() {
    return ports;
  }

  /** The prefixes of which all addresses pass. */
  public List<Ipv4Prefix> anyAddress() {
    return anyAddress;
  }

  /** The prefixes of which the addresses pass that hosts have which are known at the port. */
  public List<Ipv4Prefix> knownHosts() {
    return knownHosts;
  }

  /** Whether addresses in none of these prefixes are refused. */
  public boolean refusesOthers() {
    return refusesOthers;
  }

  /** Whether a known host's address passes at its port because it is known. */
  public boolean checksHost(Host host) {
    return Arrays.binarySearch(ports, host.port()) >= 0
        && knownHosts.stream().anyMatch(prefix -> prefix.contains(host.address()));
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof PortGuard) || this == UNKNOWN || other == UNKNOWN) {
      return false;
    }
    PortGuard that = (PortGuard) other;
    return refusesOthers == that.refusesOthers
        && Arrays.equals(ports, that.ports)
        && anyAddress.equals(that.anyAddress)
        && knownHosts.equals(that.knownHosts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ports) * 31 + anyAddress.hashCode();
  }
}
