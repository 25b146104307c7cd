package org.evenweave.engine.packets;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An IPv4 packet that came with a TTL that no router may decrement any more, and ICMP time exceeded
 * in answer to it (RFC 792; RFC 1812, section 4.3). Immutable.
 *
 * <p>Read from the bytes of the frame, since the answer quotes them as they are.
 */
public final class ExpiredPacket {
  private static final int ETHERNET_BYTES = 14;
  private static final int ETHER_TYPE_AT = 12;
  private static final int ETHER_TYPE_IPV4 = 0x0800;

  private static final int IPV4_BYTES = 20;
  private static final int TOTAL_LENGTH_AT = 2;
  private static final int FRAGMENT_AT = 6;
  private static final int FRAGMENT_OFFSET = 0x1fff;
  private static final int DO_NOT_FRAGMENT = 0x4000;
  private static final int TTL_AT = 8;
  private static final int PROTOCOL_AT = 9;
  private static final int SOURCE_AT = 12;
  private static final int DESTINATION_AT = 16;
  private static final int PROTOCOL_ICMP = 1;

  /** 224.0.0.0, the first address of multicast; behind it there are no hosts' addresses. */
  private static final int FIRST_MULTICAST = 0xe000_0000;

  private static final int ICMP_BYTES = 8;
  private static final int TIME_EXCEEDED = 11;
  private static final int IN_TRANSIT = 0;

  /** Echo and echo reply, and the requests and replies 13 to 18: no errors (RFC 792, RFC 950). */
  private static final int ICMP_QUERIES = 1 << 0 | 1 << 8 | 0x3f << 13;

  /** RFC 1812, section 4.3.2.3: an ICMP error is not longer, its IP header included. */
  private static final int MAX_ANSWER_BYTES = 576;

  /** Precedence "internetwork control" (RFC 1812, section 4.3.2.5). */
  private static final int TYPE_OF_SERVICE = 0xc0;

  private static final int TTL = 64;

  private final long sourceMac;
  private final ByteBuffer packet;

  /**
   * @param packet the whole IPv4 packet, without what follows it in its frame
   */
  private ExpiredPacket(long sourceMac, ByteBuffer packet) {
    this.sourceMac = sourceMac;
    this.packet = packet;
  }

  /** Whether a frame has an IPv4 packet with a TTL of 1 or 0, even if it is malformed otherwise. */
  public static boolean isOne(byte[] frame) {
    return frame.length >= ETHERNET_BYTES + IPV4_BYTES
        && ByteBuffer.wrap(frame).getShort(ETHER_TYPE_AT) == ETHER_TYPE_IPV4
        && Byte.toUnsignedInt(frame[ETHERNET_BYTES + TTL_AT]) <= 1;
  }

  /**
   * The packet in a frame, if it may be answered (RFC 1812, section 4.3.2.7): not one that is
   * malformed, is sent to many, is a later fragment, or is or may be an ICMP error.
   *
   * @param frame for which {@link #isOne} holds
   */
  public static Optional<ExpiredPacket> answerable(byte[] frame) {
    ByteBuffer payload =
        ByteBuffer.wrap(frame, ETHERNET_BYTES, frame.length - ETHERNET_BYTES).slice();
    int headerBytes = (payload.get(0) & 0xf) * 4;
    int totalBytes = Short.toUnsignedInt(payload.getShort(TOTAL_LENGTH_AT));
    boolean wellFormed =
        payload.get(0) >>> 4 == 4
            && headerBytes >= IPV4_BYTES
            && headerBytes <= totalBytes
            && totalBytes <= payload.capacity()
            && checksum(payload, 0, headerBytes) == 0;
    if (!wellFormed) {
      return Optional.empty();
    }
    payload.limit(totalBytes);
    boolean toMany =
        (frame[0] & 1) == 1
            || Integer.compareUnsigned(payload.getInt(DESTINATION_AT), FIRST_MULTICAST) >= 0;
    boolean isLaterFragment = (payload.getShort(FRAGMENT_AT) & FRAGMENT_OFFSET) != 0;
    return toMany || isLaterFragment || mayBeError(payload, headerBytes)
        ? Optional.empty()
        : Optional.of(new ExpiredPacket(sourceMac(frame), payload.slice()));
  }

  private static long sourceMac(byte[] frame) {
    ByteBuffer header = ByteBuffer.wrap(frame);
    return Short.toUnsignedLong(header.getShort(6)) << 32
        | Integer.toUnsignedLong(header.getInt(8));
  }

  /** An ICMP message of a type that is not known counts as an error: it may be one. */
  private static boolean mayBeError(ByteBuffer packet, int headerBytes) {
    if (packet.get(PROTOCOL_AT) != PROTOCOL_ICMP) {
      return false;
    }
    int type = packet.limit() > headerBytes ? Byte.toUnsignedInt(packet.get(headerBytes)) : -1;
    return type < 0 || type >= Integer.SIZE || (ICMP_QUERIES >>> type & 1) == 0;
  }

  /** The low 48 bits are the Ethernet address that it came from. */
  public long sourceMac() {
    return sourceMac;
  }

  /** The address of who sent it, big-endian. */
  public int source() {
    return packet.getInt(SOURCE_AT);
  }

  public int destination() {
    return packet.getInt(DESTINATION_AT);
  }

  /**
   * ICMP time exceeded in transit to the packet's source: an Ethernet frame that quotes as much of
   * the packet as an ICMP error may.
   *
   * @param address of the interface by which the packet came, big-endian
   * @param fromMac the low 48 bits
   * @param toMac the low 48 bits
   */
  public byte[] timeExceeded(int address, long fromMac, long toMac) {
    int quotedBytes = Math.min(packet.capacity(), MAX_ANSWER_BYTES - IPV4_BYTES - ICMP_BYTES);
    int totalBytes = IPV4_BYTES + ICMP_BYTES + quotedBytes;
    ByteBuffer frame = ByteBuffer.allocate(ETHERNET_BYTES + totalBytes);
    frame.putShort((short) (toMac >>> 32)).putInt((int) toMac);
    frame.putShort((short) (fromMac >>> 32)).putInt((int) fromMac);
    frame.putShort((short) ETHER_TYPE_IPV4);
    frame.put((byte) 0x45).put((byte) TYPE_OF_SERVICE).putShort((short) totalBytes);
    // Not fragmented, so that its identification may be 0 (RFC 6864, section 4.1).
    frame.putShort((short) 0).putShort((short) DO_NOT_FRAGMENT);
    frame.put((byte) TTL).put((byte) PROTOCOL_ICMP).putShort((short) 0);
    frame.putInt(address).putInt(source());
    frame.put((byte) TIME_EXCEEDED).put((byte) IN_TRANSIT).putShort((short) 0).putInt(0);
    ByteBuffer quoted = packet.duplicate();
    quoted.limit(quotedBytes);
    frame.put(quoted);
    int icmpAt = ETHERNET_BYTES + IPV4_BYTES;
    frame.putShort(ETHERNET_BYTES + 10, checksum(frame, ETHERNET_BYTES, IPV4_BYTES));
    frame.putShort(icmpAt + 2, checksum(frame, icmpAt, ICMP_BYTES + quotedBytes));
    return frame.array();
  }

  /** The Internet checksum (RFC 1071); 0 over bytes that hold their own. */
  private static short checksum(ByteBuffer bytes, int at, int length) {
    int sum = 0;
    for (int i = 0; i + 1 < length; i += 2) {
      sum += Short.toUnsignedInt(bytes.getShort(at + i));
    }
    if (length % 2 == 1) {
      sum += Byte.toUnsignedInt(bytes.get(at + length - 1)) << 8;
    }
    sum = (sum >>> 16) + (sum & 0xffff);
    return (short) ~(sum + (sum >>> 16));
  }
}
