package org.evenweave.engine.config;

import java.util.Objects;
import java.util.OptionalInt;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The source addresses of answers to packets whose TTL has expired, one for each port of each
 * switch, and the limit on answers. Immutable.
 *
 * <p>The address of a port is the prefix's own, then the number of the switch, then the port's in
 * the last {@link #portBits} bits. Switches are numbered from 0 in the order of the configuration,
 * so that those at its end come and go without renumbering the others.
 */
public final class TracerouteConfig {
  /**
   * 100.64.0.0/10 (RFC 6598), which is meant for such use, holds 16,384 switches of 255 ports. At
   * 100 a second 16 hosts below a switch find 64 paths each within 11 s.
   */
  public static final TracerouteConfig DEFAULT =
      new TracerouteConfig(true, Ipv4Prefix.parse("100.64.0.0/10"), 8, 100);

  private final boolean enabled;
  private final Ipv4Prefix prefix;
  private final int portBits;
  private final int maxPerSecond;

  /**
   * @param portBits of an address for the port's number, at least 1
   * @param maxPerSecond answers for packets at one switch, at least 1
   * @throws IllegalArgumentException if the prefix leaves too few bits
   */
  public TracerouteConfig(boolean enabled, Ipv4Prefix prefix, int portBits, int maxPerSecond) {
    if (prefix.length() + portBits > Integer.SIZE) {
      throw new IllegalArgumentException(
          prefix + " leaves no " + portBits + " bits for the ports of a switch");
    }
    this.enabled = enabled;
    this.prefix = prefix;
    this.portBits = portBits;
    this.maxPerSecond = maxPerSecond;
  }

  /** Whether such packets are answered. */
  public boolean enabled() {
    return enabled;
  }

  /** Of all the addresses; no host has one of them. */
  public Ipv4Prefix prefix() {
    return prefix;
  }

  /** How many of an address's bits are the port's number. */
  public int portBits() {
    return portBits;
  }

  /** Answers for packets at one switch, in a second and at once. */
  public int maxPerSecond() {
    return maxPerSecond;
  }

  /**
   * The address of a switch's port, big-endian; empty if the switch has no number, or one of the
   * two is too large.
   *
   * @param number of the switch in the configuration, from 0; negative if it is not there
   */
  public OptionalInt address(int number, int port) {
    int switchBits = Integer.SIZE - prefix.length() - portBits;
    boolean fits = number >= 0 && number >>> switchBits == 0 && port > 0 && port >>> portBits == 0;
    return fits
        ? OptionalInt.of(prefix.address() | number << portBits | port)
        : OptionalInt.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TracerouteConfig
        && ((TracerouteConfig) other).enabled == enabled
        && ((TracerouteConfig) other).prefix.equals(prefix)
        && ((TracerouteConfig) other).portBits == portBits
        && ((TracerouteConfig) other).maxPerSecond == maxPerSecond;
  }

  @Override
  public int hashCode() {
    return Objects.hash(enabled, prefix, portBits, maxPerSecond);
  }
}
