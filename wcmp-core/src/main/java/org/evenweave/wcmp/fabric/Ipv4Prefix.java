package org.evenweave.wcmp.fabric;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An IPv4 prefix, as a switch's longest-prefix match holds it. Host bits are zero. */
public final class Ipv4Prefix implements Comparable<Ipv4Prefix> {
  private static final Pattern DOTTED =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** A number that some read as octal (RFC 6943, section 3.1.1). */
  private static final Pattern LEADING_ZERO = Pattern.compile("(^|[./])0\\d");

  private final int address;
  private final int length;

  private Ipv4Prefix(int address, int length) {
    this.address = address;
    this.length = length;
  }

  /**
   * @param address big-endian, host bits zero
   * @param length bits, 0 to 32
   */
  public static Ipv4Prefix of(int address, int length) {
    if (length < 0 || length > 32) {
      throw new IllegalArgumentException("prefix length " + length + " is not in 0..32");
    }
    if ((address & ~mask(length)) != 0) {
      throw new IllegalArgumentException(
          format(address)
              + "/"
              + length
              + " has host bits set; the prefix would be "
              + format(address & mask(length))
              + "/"
              + length);
    }
    return new Ipv4Prefix(address, length);
  }

  /** The prefix that holds one address alone. */
  public static Ipv4Prefix host(int address) {
    return new Ipv4Prefix(address, 32);
  }

  /** Parses {@code a.b.c.d/n}. */
  public static Ipv4Prefix parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !text.substring(slash + 1).matches("\\d{1,2}")) {
      throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 prefix like 10.0.0.0/24");
    }
    requireNoLeadingZero(text);
    return of(parseAddress(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
  }

  /** Parses {@code a.b.c.d} to a big-endian int. */
  public static int parseAddress(String text) {
    Matcher octets = DOTTED.matcher(text);
    if (!octets.matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not an IPv4 address like 10.0.0.1");
    }
    requireNoLeadingZero(text);
    int address = 0;
    for (int i = 1; i <= 4; i++) {
      int octet = Integer.parseInt(octets.group(i));
      if (octet > 255) {
        throw new IllegalArgumentException("\"" + text + "\" has an octet above 255");
      }
      address = address << 8 | octet;
    }
    return address;
  }

  private static void requireNoLeadingZero(String text) {
    if (LEADING_ZERO.matcher(text).find()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" has a number with a leading zero, which some read as octal");
    }
  }

  /** Writes a big-endian int as {@code a.b.c.d}. */
  public static String format(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 255)
        + "."
        + (address >>> 8 & 255)
        + "."
        + (address & 255);
  }

  private static int mask(int length) {
    return length == 0 ? 0 : -1 << (32 - length);
  }

  public int address() {
    return address;
  }

  /** Bits, 0 to 32. */
  public int length() {
    return length;
  }

  /** The network mask, big-endian. */
  public int mask() {
    return mask(length);
  }

  /**
   * The prefix of this length that this one is inside.
   *
   * @param shorter at most this one's length
   */
  public Ipv4Prefix shortened(int shorter) {
    return of(address & mask(shorter), shorter);
  }

  public boolean contains(int other) {
    return (other & mask(length)) == address;
  }

  public boolean overlaps(Ipv4Prefix other) {
    return contains(other.address) || other.contains(address);
  }

  /** The address Evenweave answers for as gateway: the first after the network's own. */
  public int gateway() {
    return length >= 31 ? address : address + 1;
  }

  @Override
  public int compareTo(Ipv4Prefix other) {
    int byAddress = Integer.compareUnsigned(address, other.address);
    return byAddress != 0 ? byAddress : Integer.compare(length, other.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ipv4Prefix
        && ((Ipv4Prefix) other).address == address
        && ((Ipv4Prefix) other).length == length;
  }

  @Override
  public int hashCode() {
    return address * 33 + length;
  }

  @Override
  public String toString() {
    return format(address) + "/" + length;
  }
}
