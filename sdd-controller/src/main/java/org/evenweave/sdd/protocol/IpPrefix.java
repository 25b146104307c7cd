package org.evenweave.sdd.protocol;

import java.util.Objects;

/** A prefix of IPv4 or IPv6 addresses. Immutable. */
public final class IpPrefix {
  private final IpAddress address;
  private final int bits;

  private IpPrefix(IpAddress address, int bits) {
    this.address = address;
    this.bits = bits;
  }

  /**
   * Reads 10.0.0.0/24 or 2001:db8::/64.
   *
   * @throws IllegalArgumentException if it is no prefix, or has bits of hosts
   */
  public static IpPrefix of(String text) {
    int slash = text.indexOf('/');
    String bits = text.substring(slash + 1);
    if (slash > 0 && bits.matches("[0-9]{1,3}")) {
      IpPrefix prefix =
          new IpPrefix(IpAddress.of(text.substring(0, slash)), Integer.parseInt(bits));
      if (prefix.bits <= prefix.address.bits() && prefix.address.isZeroFrom(prefix.bits)) {
        return prefix;
      }
    }
    throw new IllegalArgumentException(
        "must be a prefix without bits of hosts, as in 10.0.0.0/24 or 2001:db8::/64");
  }

  public IpAddress address() {
    return address;
  }

  /** Up to 32, or 128 of IPv6. */
  public int bits() {
    return bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpPrefix
        && bits == ((IpPrefix) other).bits
        && address.equals(((IpPrefix) other).address);
  }

  @Override
  public int hashCode() {
    return Objects.hash(address, bits);
  }

  /** As {@link #of} reads it. */
  @Override
  public String toString() {
    return address + "/" + bits;
  }
}
