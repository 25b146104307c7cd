package org.evenweave.engine.liveness;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.evenweave.engine.port.Gateway;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.MacAddress;

/**
 * An IPv4 packet to a gateway's address: switches forward it by their rules like any other packet
 * to the gateway's prefix, and the switch of the prefix, which has no host with that address, sends
 * it to the controller.
 *
 * <p>IP protocol 253, which RFC 3692 leaves to experiments. The payload is the engine's nonce (8
 * bytes), the length of a switch id (2 bytes), and the id of the switch that the probe is to pass
 * (UTF-8); no id if it is to pass none. Hosts never see a probe, so they cannot know the nonce.
 */
final class ForwardingProbe {
  static final byte PROTOCOL = (byte) 253;

  /** 169.254.0.0/16, link-local (RFC 3927): no host of a fabric sends from it. */
  private static final int SOURCES = 0xa9fe_0000;

  private static final byte TTL = 64;
  private static final int HEADER_BYTES = Long.BYTES + Short.BYTES;

  private ForwardingProbe() {}

  /**
   * @param flow any number; switches hash probes with different ones to different next hops
   * @param switchId the switch that the probe is to pass; empty if it is to pass none
   * @return an Ethernet frame
   */
  static byte[] frame(long nonce, int gateway, int flow, String switchId) {
    byte[] id = switchId.getBytes(StandardCharsets.UTF_8);
    ByteBuffer payload = ByteBuffer.allocate(HEADER_BYTES + id.length);
    payload.putLong(nonce).putShort((short) id.length).put(id);
    IPv4 packet = new IPv4();
    packet.setSourceAddress(SOURCES | (flow & 0xffff));
    packet.setDestinationAddress(gateway);
    packet.setTtl(TTL);
    packet.setProtocol(PROTOCOL);
    packet.setPayload(new Data(payload.array()));
    Ethernet frame = new Ethernet();
    frame.setSourceMACAddress(MacAddress.valueOf(Gateway.MAC));
    frame.setDestinationMACAddress(MacAddress.valueOf(Gateway.MAC));
    frame.setEtherType(Ethernet.TYPE_IPV4);
    frame.setPayload(packet);
    return frame.serialize();
  }

  /**
   * The switch that a probe was to pass, empty if it was to pass none; null if the packet is no
   * probe with this nonce. Padding may follow the payload.
   */
  static String switchPassed(long nonce, IPv4 packet) {
    if (packet.getProtocol() != PROTOCOL || !(packet.getPayload() instanceof Data)) {
      return null;
    }
    ByteBuffer payload = ByteBuffer.wrap(((Data) packet.getPayload()).getData());
    if (payload.remaining() < HEADER_BYTES || payload.getLong() != nonce) {
      return null;
    }
    int length = Short.toUnsignedInt(payload.getShort());
    if (payload.remaining() < length) {
      return null;
    }
    byte[] id = new byte[length];
    payload.get(id);
    return new String(id, StandardCharsets.UTF_8);
  }
}
