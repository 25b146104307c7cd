package org.evenweave.sdd.protocol;

import java.net.InetAddress;
import java.util.Arrays;
import org.evenweave.sdd.protocol.wire.FlowMatchEncoder;

/**
 * Which flows: a flow match expression on the IP 5-tuple (Tewari 2015, section 5.3.3), with
 * prefixes and wildcards. Of several mappings that match a flow the most specific counts.
 * Immutable.
 */
public final class FlowMatch {
  private static final int ADDRESS_BYTES = 16;
  private static final int IPV4_IN_IPV6_BITS = 96;
  private static final int ANY_SOURCE_PORT = 1;
  private static final int ANY_DESTINATION_PORT = 2;
  private static final int ANY_PROTOCOL = 4;
  private static final int LARGEST_PORT = 65_535;
  private static final int LARGEST_PROTOCOL = 255;

  private static final FlowMatch ALL =
      new FlowMatch(new byte[ADDRESS_BYTES], 0, new byte[ADDRESS_BYTES], 0, -1, -1, -1);

  private final byte[] source;
  private final int sourcePrefixBits;
  private final byte[] destination;
  private final int destinationPrefixBits;

  /** Ports and protocol are -1 for any. */
  private final int sourcePort;

  private final int destinationPort;
  private final int protocol;

  private FlowMatch(
      byte[] source,
      int sourcePrefixBits,
      byte[] destination,
      int destinationPrefixBits,
      int sourcePort,
      int destinationPort,
      int protocol) {
    this.source = source;
    this.sourcePrefixBits = sourcePrefixBits;
    this.destination = destination;
    this.destinationPrefixBits = destinationPrefixBits;
    this.sourcePort = sourcePort;
    this.destinationPort = destinationPort;
    this.protocol = protocol;
  }

  /** Every flow; the methods below narrow it. */
  public static FlowMatch all() {
    return ALL;
  }

  /**
   * Flows from a prefix.
   *
   * @param prefixBits of the address's own family: 0 to 32, or to 128
   */
  public FlowMatch from(InetAddress address, int prefixBits) {
    return new FlowMatch(
        mapped(address),
        mappedBits(address, prefixBits),
        destination,
        destinationPrefixBits,
        sourcePort,
        destinationPort,
        protocol);
  }

  /**
   * Flows to a prefix.
   *
   * @param prefixBits of the address's own family: 0 to 32, or to 128
   */
  public FlowMatch to(InetAddress address, int prefixBits) {
    return toMapped(mapped(address), mappedBits(address, prefixBits));
  }

  /** Flows to a prefix, or to one address. */
  public FlowMatch to(IpPrefix prefix) {
    return toMapped(prefix.mapped(), prefix.mappedBits());
  }

  private FlowMatch toMapped(byte[] address, int prefixBits) {
    if (address.length != ADDRESS_BYTES) {
      throw new IllegalArgumentException("address: has " + address.length + " bytes, not 16");
    }
    return new FlowMatch(
        source,
        sourcePrefixBits,
        address.clone(),
        prefixBits,
        sourcePort,
        destinationPort,
        protocol);
  }

  /** Flows from a port. */
  public FlowMatch sourcePort(int port) {
    return new FlowMatch(
        source,
        sourcePrefixBits,
        destination,
        destinationPrefixBits,
        (int) Ranges.between(port, 0, LARGEST_PORT, "sourcePort"),
        destinationPort,
        protocol);
  }

  /** Flows to a port. */
  public FlowMatch destinationPort(int port) {
    return new FlowMatch(
        source,
        sourcePrefixBits,
        destination,
        destinationPrefixBits,
        sourcePort,
        (int) Ranges.between(port, 0, LARGEST_PORT, "destinationPort"),
        protocol);
  }

  /**
   * Flows of a protocol.
   *
   * @param number such as 6, TCP; 17, UDP
   */
  public FlowMatch protocol(int number) {
    return new FlowMatch(
        source,
        sourcePrefixBits,
        destination,
        destinationPrefixBits,
        sourcePort,
        destinationPort,
        (int) Ranges.between(number, 0, LARGEST_PROTOCOL, "protocol"));
  }

  private static byte[] mapped(InetAddress address) {
    byte[] given = address.getAddress();
    if (given.length == ADDRESS_BYTES) {
      return given;
    }
    byte[] mapped = new byte[ADDRESS_BYTES];
    mapped[10] = (byte) 0xFF;
    mapped[11] = (byte) 0xFF;
    System.arraycopy(given, 0, mapped, 12, given.length);
    return mapped;
  }

  private static int mappedBits(InetAddress address, int prefixBits) {
    int length = address.getAddress().length;
    Ranges.between(prefixBits, 0, 8L * length, "prefixBits");
    return length == ADDRESS_BYTES ? prefixBits : IPV4_IN_IPV6_BITS + prefixBits;
  }

  /** Writes all fields. */
  void encode(FlowMatchEncoder into) {
    for (int i = 0; i < ADDRESS_BYTES; i++) {
      into.source(i, (short) (source[i] & 0xFF));
      into.destination(i, (short) (destination[i] & 0xFF));
    }
    int wildcards =
        (sourcePort < 0 ? ANY_SOURCE_PORT : 0)
            | (destinationPort < 0 ? ANY_DESTINATION_PORT : 0)
            | (protocol < 0 ? ANY_PROTOCOL : 0);
    into.sourcePort(Math.max(0, sourcePort))
        .destinationPort(Math.max(0, destinationPort))
        .protocol((short) Math.max(0, protocol))
        .sourcePrefixBits((short) sourcePrefixBits)
        .destinationPrefixBits((short) destinationPrefixBits)
        .wildcards((short) wildcards);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof FlowMatch)) {
      return false;
    }
    FlowMatch that = (FlowMatch) other;
    return sourcePrefixBits == that.sourcePrefixBits
        && destinationPrefixBits == that.destinationPrefixBits
        && sourcePort == that.sourcePort
        && destinationPort == that.destinationPort
        && protocol == that.protocol
        && Arrays.equals(source, that.source)
        && Arrays.equals(destination, that.destination);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(source)
        + 17 * Arrays.hashCode(destination)
        + 7 * sourcePort
        + 5 * destinationPort
        + protocol;
  }
}
