package org.evenweave.sdd.protocol;

import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.regex.Pattern;

/** An IPv4 or IPv6 address. Immutable; sorted by its bytes. */
public final class IpAddress implements Comparable<IpAddress> {
  private static final int BYTES = 16;
  private static final int IPV4_BYTES = 4;

  /** Without it a zone, as in fe80::1%eth0, would be taken and dropped. */
  private static final Pattern CHARACTERS = Pattern.compile("[0-9A-Fa-f:.]+");

  private final byte[] mapped;

  private IpAddress(byte[] bytes) {
    mapped = new byte[BYTES];
    if (bytes.length == IPV4_BYTES) {
      mapped[10] = (byte) 0xff;
      mapped[11] = (byte) 0xff;
    }
    System.arraycopy(bytes, 0, mapped, BYTES - bytes.length, bytes.length);
  }

  /**
   * Reads 192.0.2.1 or 2001:db8::1.
   *
   * @throws IllegalArgumentException if it is no address
   */
  public static IpAddress of(String text) {
    byte[] bytes =
        CHARACTERS.matcher(text).matches()
            ? NetUtil.createByteArrayFromIpAddressString(text)
            : null;
    if (bytes == null) {
      throw new IllegalArgumentException("must be an IP address, not " + text);
    }
    return new IpAddress(bytes);
  }

  /** An IPv4 address by its bits. */
  public static IpAddress ofIpv4(int bits) {
    return new IpAddress(
        new byte[] {(byte) (bits >>> 24), (byte) (bits >>> 16), (byte) (bits >>> 8), (byte) bits});
  }

  /**
   * @param bytes 16: IPv6, or IPv4 mapped
   */
  static IpAddress ofMapped(byte[] bytes) {
    return new IpAddress(bytes);
  }

  /** Whether both begin with the same so many bits, of 128. */
  boolean hasSameBits(IpAddress other, int count) {
    for (int bit = 0; bit < count; bit++) {
      if (((mapped[bit / Byte.SIZE] ^ other.mapped[bit / Byte.SIZE])
                  >> (Byte.SIZE - 1 - bit % Byte.SIZE)
              & 1)
          != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a host may have it: no address of nobody (0.0.0.0/8, ::), of loopback, of multicast,
   * and none that is reserved, as the broadcast address is.
   */
  boolean isOfHosts() {
    if (isIpv4()) {
      int first = mapped[BYTES - IPV4_BYTES] & 0xff;
      return first != 0 && first != 127 && first < 224;
    }
    boolean isLow =
        Arrays.equals(mapped, 0, BYTES - 1, new byte[BYTES], 0, BYTES - 1)
            && mapped[BYTES - 1] <= 1
            && mapped[BYTES - 1] >= 0;
    return !isLow && (mapped[0] & 0xff) != 0xff;
  }

  /** IPv4 addresses as IPv6 has them (RFC 4291, section 2.5.5.2): 16 bytes. */
  public byte[] mapped() {
    return mapped.clone();
  }

  boolean isIpv4() {
    return Arrays.equals(mapped, 0, BYTES - IPV4_BYTES, ofIpv4(0).mapped, 0, BYTES - IPV4_BYTES);
  }

  /** Of an address of its family: 32 or 128. */
  int bits() {
    return Byte.SIZE * (isIpv4() ? IPV4_BYTES : BYTES);
  }

  /** Whether all bits from this one on are 0. */
  boolean isZeroFrom(int bit) {
    for (int i = BYTES * Byte.SIZE - bits() + bit; i < BYTES * Byte.SIZE; i++) {
      if ((mapped[i / Byte.SIZE] >> (Byte.SIZE - 1 - i % Byte.SIZE) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(IpAddress other) {
    return Arrays.compareUnsigned(mapped, other.mapped);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress && Arrays.equals(mapped, ((IpAddress) other).mapped);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(mapped);
  }

  /** As {@link #of(String)} reads it; IPv6 by RFC 5952. */
  @Override
  public String toString() {
    return NetUtil.bytesToIpAddress(
        isIpv4() ? Arrays.copyOfRange(mapped, BYTES - IPV4_BYTES, BYTES) : mapped);
  }
}
