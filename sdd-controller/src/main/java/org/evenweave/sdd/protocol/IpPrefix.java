package org.evenweave.sdd.protocol;

import java.util.Objects;

/** A prefix of IPv4 or IPv6 addresses. Immutable. */
public final class IpPrefix {
  private static final int MAPPED_BITS = 128;

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

  /**
   * Reads what a host says: a prefix, or one address where the prefix's length has bits of hosts
   * behind it.
   *
   * @param address 16 bytes: IPv6, or IPv4 mapped
   * @param mappedBits 0 to 128
   */
  public static IpPrefix ofMapped(byte[] address, int mappedBits) {
    IpAddress read = IpAddress.ofMapped(address);
    int bits = mappedBits - (MAPPED_BITS - read.bits());
    boolean isPrefix = bits >= 0 && read.isZeroFrom(bits);
    return new IpPrefix(read, isPrefix ? bits : read.bits());
  }

  /** Whether all addresses of another one are in this one. */
  public boolean contains(IpPrefix other) {
    return mappedBits() <= other.mappedBits() && address.hasSameBits(other.address, mappedBits());
  }

  /** Whether it is one address. */
  public boolean isOneAddress() {
    return bits == address.bits();
  }

  /** Whether a host may have it: not what means nobody, everybody, or every host itself. */
  public boolean isOfHosts() {
    return address.isOfHosts();
  }

  /** The address as the protocol has it: 16 bytes, IPv4 mapped. */
  public byte[] mapped() {
    return address.mapped();
  }

  /** The length as the protocol has it: 0 to 128, of IPv4 96 or more. */
  public int mappedBits() {
    return MAPPED_BITS - address.bits() + bits;
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
