package org.evenweave.engine.packets;

import java.nio.ByteBuffer;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ICMP;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;

/** Ethernet frames with IPv4 packets, whose TTL is used up unless a test says otherwise. */
public final class ExpiredFrames {
  public static final MacAddress HOST = MacAddress.valueOf("0a:00:00:00:00:0a");
  private static final MacAddress GATEWAY = MacAddress.valueOf("02:45:56:57:00:01");
  private static final int IPV4_AT = 14;

  private ExpiredFrames() {}

  /** A UDP datagram with so many bytes of data. */
  public static byte[] udp(String from, String to, int sourcePort, int bytes) {
    UDP udp = new UDP();
    udp.setSourcePort(sourcePort).setDestinationPort(33434).setPayload(new Data(new byte[bytes]));
    return frame(from, to, 1, IPv4.PROTOCOL_UDP, udp);
  }

  /** An ICMP message with the first bytes of an IPv4 packet, as an error has them. */
  public static byte[] icmp(String from, String to, int type) {
    ICMP icmp = new ICMP();
    icmp.setIcmpType((byte) type).setPayload(new Data(new byte[28]));
    return frame(from, to, 1, IPv4.PROTOCOL_ICMP, icmp);
  }

  public static byte[] frame(String from, String to, int ttl, byte protocol, IPacket payload) {
    IPv4 packet = new IPv4();
    packet.setSourceAddress(from).setDestinationAddress(to).setTtl((byte) ttl);
    packet.setIdentification((short) 0x1234).setProtocol(protocol).setPayload(payload);
    Ethernet ethernet = new Ethernet();
    ethernet
        .setSourceMACAddress(HOST)
        .setDestinationMACAddress(GATEWAY)
        .setEtherType(Ethernet.TYPE_IPV4)
        .setPayload(packet);
    return ethernet.serialize();
  }

  /** The frame with a byte of its IPv4 header set, and the header's checksum right again. */
  public static byte[] with(byte[] frame, int at, int value) {
    ByteBuffer changed = ByteBuffer.wrap(frame.clone());
    changed.put(IPV4_AT + at, (byte) value).putShort(IPV4_AT + 10, (short) 0);
    changed.putShort(IPV4_AT + 10, (short) ~sum(changed.array(), IPV4_AT, 20));
    return changed.array();
  }

  /** The ones' complement sum of 16-bit words (RFC 1071), word by word with end-around carry. */
  public static int sum(byte[] bytes, int at, int length) {
    int sum = 0;
    for (int i = 0; i < length; i++) {
      sum += Byte.toUnsignedInt(bytes[at + i]) << (i % 2 == 0 ? 8 : 0);
      sum = sum > 0xffff ? sum - 0xffff : sum;
    }
    return sum;
  }
}
