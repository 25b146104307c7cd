package org.evenweave.engine.fake;

import java.nio.ByteBuffer;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;

/** An Ethernet frame as its bytes, and which rules match it: the slow and obvious way. */
public final class PlainFrame {
  static final int ARP = 0x0806;
  static final int RARP = 0x8035;
  static final int IPV4 = 0x0800;
  private static final int LLDP = 0x88cc;
  private static final int VLAN = 0x8100;
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int ETHERNET_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int MIN_BYTES = 60;

  final byte[] bytes;
  private final boolean isAdmitted;

  PlainFrame(byte[] bytes) {
    this(bytes, false);
  }

  private PlainFrame(byte[] bytes, boolean isAdmitted) {
    this.bytes = bytes;
    this.isAdmitted = isAdmitted;
  }

  /** The same frame in a switch whose guard let it pass. */
  PlainFrame admitted() {
    return new PlainFrame(bytes, true);
  }

  /** An ARP or RARP frame. */
  static PlainFrame arp(
      int type, int operation, long to, long senderMac, int sender, long targetMac, int target) {
    ByteBuffer frame = ethernet(to, senderMac, type);
    frame.putShort((short) 1).putShort((short) IPV4).put((byte) 6).put((byte) 4);
    frame.putShort((short) operation);
    putMac(frame, senderMac).putInt(sender);
    putMac(frame, targetMac).putInt(target);
    return new PlainFrame(bytesOf(frame));
  }

  /** The answer to this ARP request. */
  PlainFrame answer(long mac) {
    return arp(ARP, 2, from(), mac, /* sender= */ target(), senderMac(), /* target= */ sender());
  }

  static PlainFrame request(long mac, int sender, int target) {
    return arp(ARP, 1, BROADCAST, mac, sender, 0, target);
  }

  /** What QEMU sends for a guest that has migrated. */
  static PlainFrame announcement(long mac) {
    return arp(RARP, 3, BROADCAST, mac, 0, mac, 0);
  }

  /** An IPv4 packet with a number for its payload. */
  static PlainFrame packet(long to, long from, int source, int destination, int number) {
    ByteBuffer frame = ethernet(to, from, IPV4);
    frame.put((byte) 0x45).put((byte) 0).putShort((short) 24).putInt(0);
    frame.put((byte) 64).put((byte) 253).putShort((short) 0);
    frame.putInt(source).putInt(destination).putInt(number);
    return new PlainFrame(bytesOf(frame));
  }

  /** The same frame with a VLAN tag. */
  PlainFrame tagged(int vlan) {
    ByteBuffer frame = ByteBuffer.allocate(bytes.length + TAG_BYTES);
    frame.put(bytes, 0, 12).putShort((short) VLAN).putShort((short) vlan);
    frame.put(bytes, 12, bytes.length - 12);
    return new PlainFrame(bytesOf(frame));
  }

  private static ByteBuffer ethernet(long to, long from, int type) {
    ByteBuffer frame = ByteBuffer.allocate(MIN_BYTES);
    putMac(frame, to);
    putMac(frame, from).putShort((short) type);
    return frame;
  }

  private static byte[] bytesOf(ByteBuffer frame) {
    byte[] bytes = new byte[MIN_BYTES];
    frame.rewind().get(bytes);
    return bytes;
  }

  private static ByteBuffer putMac(ByteBuffer frame, long mac) {
    return frame.putShort((short) (mac >>> 32)).putInt((int) mac);
  }

  long to() {
    return mac(0);
  }

  long from() {
    return mac(6);
  }

  private long mac(int at) {
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    return (Short.toUnsignedLong(frame.getShort(at)) << 32)
        | Integer.toUnsignedLong(frame.getInt(at + 2));
  }

  boolean isBroadcast() {
    return to() == BROADCAST;
  }

  private boolean isTagged() {
    return shortAt(12) == VLAN;
  }

  int type() {
    return isTagged() ? shortAt(12 + TAG_BYTES) : shortAt(12);
  }

  private int shortAt(int at) {
    return Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(at));
  }

  /** A field of what is in the frame. */
  private int wordAt(int at) {
    int payload = isTagged() ? ETHERNET_BYTES + TAG_BYTES : ETHERNET_BYTES;
    return ByteBuffer.wrap(bytes).getInt(payload + at);
  }

  int source() {
    return wordAt(12);
  }

  int destination() {
    return wordAt(16);
  }

  int number() {
    return wordAt(20);
  }

  int operation() {
    return wordAt(4) & 0xffff;
  }

  int sender() {
    return wordAt(14);
  }

  long senderMac() {
    return mac(ETHERNET_BYTES + 8);
  }

  int target() {
    return wordAt(24);
  }

  /** With other Ethernet addresses. */
  PlainFrame with(long to, long from) {
    PlainFrame copy = new PlainFrame(bytes.clone());
    ByteBuffer frame = ByteBuffer.wrap(copy.bytes);
    putMac(frame, to);
    putMac(frame, from);
    return copy;
  }

  /**
   * Whether a rule matches it where it is looked up for the first time; {@link #admitted} is what
   * the second look-up sees.
   */
  boolean matches(FlowRule rule, int inPort) {
    return !(isAdmitted && rule.isSourceGuard()) && matchesBytes(rule, inPort);
  }

  private boolean matchesBytes(FlowRule rule, int inPort) {
    switch (rule.match()) {
      case VLAN_TAGGED:
        return isTagged();
      case MULTICAST_SOURCE:
        return (from() >>> 40 & 1) == 1;
      case LLDP:
        return type() == LLDP;
      case ARP:
        return type() == ARP;
      case RARP:
        return type() == RARP;
      case ARP_REQUEST:
        return type() == ARP
            && operation() == 1
            && inPort == rule.outPort()
            && sender() == rule.hostAddress()
            && senderMac() == rule.destinationMac()
            && target() == rule.gatewayAddress();
      default:
        return type() == IPV4 && matchesIpv4(rule, inPort);
    }
  }

  private boolean matchesIpv4(FlowRule rule, int inPort) {
    switch (rule.match()) {
      case ADMITTED_SOURCE:
      case REFUSED_SOURCE:
        return (rule.outPort() == FlowRule.ANY_PORT || rule.outPort() == inPort)
            && rule.sourcePrefix().contains(source());
      case IPV4_SOURCE:
        return rule.sourcePrefix().contains(source());
      case IPV4_TO_ITSELF:
        return rule.prefix().contains(source()) && rule.prefix().contains(destination());
      default:
        return to() == Gateway.MAC
            && rule.prefix().contains(destination())
            && (rule.sourcePrefix() == null || rule.sourcePrefix().contains(source()))
            && (rule.match() != FlowRule.Match.IPV4_HAIRPIN || inPort == rule.outPort());
    }
  }
}
