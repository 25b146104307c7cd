package org.evenweave.engine.headers;

import java.util.Locale;
import java.util.Map;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The numbers and names of header fields. A number is the class of OpenFlow's match fields and the
 * field in it ({@code class << 7 | field}, OpenFlow 1.3.5, section 7.2.3.2), so every field has
 * one, those of vendors too.
 */
public final class HeaderField {
  private static final int BASIC = 0x8000 << 7;

  /** The class of Open vSwitch's own fields (its meta-flow.h), among them the registers. */
  private static final int NICIRA = 1 << 7;

  public static final int IN_PORT = BASIC;
  public static final int METADATA = BASIC | 2;
  public static final int ETH_DST = BASIC | 3;
  public static final int ETH_SRC = BASIC | 4;
  public static final int ETH_TYPE = BASIC | 5;
  public static final int VLAN_VID = BASIC | 6;
  public static final int IP_PROTO = BASIC | 10;
  public static final int IPV4_SRC = BASIC | 11;
  public static final int IPV4_DST = BASIC | 12;
  public static final int TCP_SRC = BASIC | 13;
  public static final int TCP_DST = BASIC | 14;
  public static final int UDP_SRC = BASIC | 15;
  public static final int UDP_DST = BASIC | 16;
  public static final int ARP_OP = BASIC | 21;
  public static final int ARP_SPA = BASIC | 22;
  public static final int ARP_TPA = BASIC | 23;
  public static final int ARP_SHA = BASIC | 24;
  public static final int ARP_THA = BASIC | 25;

  private static final int REGISTERS = 16;
  private static final int REGISTER_BITS = 32;

  /** Bits of the fields that do not fill their bytes, and of those with constants here. */
  private static final Map<Integer, Integer> BITS =
      Map.ofEntries(
          Map.entry(IN_PORT, 32),
          Map.entry(METADATA, 64),
          Map.entry(ETH_DST, 48),
          Map.entry(ETH_SRC, 48),
          Map.entry(ETH_TYPE, 16),
          Map.entry(VLAN_VID, 13),
          Map.entry(BASIC | 7, 3), // VLAN_PCP
          Map.entry(BASIC | 8, 6), // IP_DSCP
          Map.entry(BASIC | 9, 2), // IP_ECN
          Map.entry(IP_PROTO, 8),
          Map.entry(IPV4_SRC, 32),
          Map.entry(IPV4_DST, 32),
          Map.entry(TCP_SRC, 16),
          Map.entry(TCP_DST, 16),
          Map.entry(UDP_SRC, 16),
          Map.entry(UDP_DST, 16),
          Map.entry(ARP_OP, 16),
          Map.entry(ARP_SPA, 32),
          Map.entry(ARP_TPA, 32),
          Map.entry(ARP_SHA, 48),
          Map.entry(ARP_THA, 48),
          Map.entry(BASIC | 28, 20), // IPV6_FLABEL
          Map.entry(BASIC | 34, 20), // MPLS_LABEL
          Map.entry(BASIC | 35, 3), // MPLS_TC
          Map.entry(BASIC | 36, 1)); // MPLS_BOS

  public static final long TYPE_IPV4 = 0x0800;
  public static final long TYPE_ARP = 0x0806;
  public static final long TYPE_RARP = 0x8035;
  public static final long TYPE_LLDP = 0x88cc;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(IN_PORT, "in_port"),
          Map.entry(METADATA, "metadata"),
          Map.entry(ETH_DST, "dl_dst"),
          Map.entry(ETH_SRC, "dl_src"),
          Map.entry(ETH_TYPE, "dl_type"),
          Map.entry(VLAN_VID, "vlan_vid"),
          Map.entry(IP_PROTO, "nw_proto"),
          Map.entry(IPV4_SRC, "nw_src"),
          Map.entry(IPV4_DST, "nw_dst"),
          Map.entry(TCP_SRC, "tp_src"),
          Map.entry(TCP_DST, "tp_dst"),
          Map.entry(UDP_SRC, "tp_src"),
          Map.entry(UDP_DST, "tp_dst"),
          Map.entry(ARP_OP, "arp_op"),
          Map.entry(ARP_SPA, "arp_spa"),
          Map.entry(ARP_TPA, "arp_tpa"),
          Map.entry(ARP_SHA, "arp_sha"),
          Map.entry(ARP_THA, "arp_tha"));

  private static final Map<Long, String> PROTOCOLS = Map.of(1L, "icmp", 6L, "tcp", 17L, "udp");

  private HeaderField() {}

  /**
   * The field of a class and a number in it.
   *
   * @param oxmClass 16 bits
   * @param number 7 bits
   */
  public static int of(int oxmClass, int number) {
    return oxmClass << 7 | number;
  }

  /**
   * How many bits a field has.
   *
   * @param bytes that its value takes in messages; what counts for a field that is not known
   */
  public static int bits(int field, int bytes) {
    return BITS.getOrDefault(field, 8 * bytes);
  }

  /** All bits of a field with a constant here, or of a register. */
  public static long mask(int field) {
    return -1L >>> (64 - BITS.getOrDefault(field, REGISTER_BITS));
  }

  /** The headers that a switch sees when a packet arrives: metadata and registers are 0. */
  public static HeaderClass arriving(HeaderClass headers, int inPort) {
    HeaderClass fresh = headers.set(IN_PORT, inPort).set(METADATA, 0);
    for (int register = 0; register < REGISTERS; register++) {
      fresh = fresh.set(NICIRA | register, 0);
    }
    return fresh;
  }

  /** The headers without what belongs to one switch only: port, metadata and registers. */
  public static HeaderClass leaving(HeaderClass headers) {
    HeaderClass sent = headers.without(IN_PORT).without(METADATA);
    for (int register = 0; register < REGISTERS; register++) {
      sent = sent.without(NICIRA | register);
    }
    return sent;
  }

  /** The protocol that a class is of, as ovs-ofctl names it; empty if it is of none or several. */
  static String protocol(HeaderClass headers) {
    if (headers.mask(ETH_TYPE) != mask(ETH_TYPE)) {
      return "";
    }
    long type = headers.value(ETH_TYPE);
    if (type == TYPE_IPV4) {
      boolean hasProtocol = headers.mask(IP_PROTO) == mask(IP_PROTO);
      return hasProtocol ? PROTOCOLS.getOrDefault(headers.value(IP_PROTO), "ip") : "ip";
    }
    return type == TYPE_ARP ? "arp" : "";
  }

  /** Whether a field's value is said by {@link #protocol}. */
  static boolean isInProtocol(int field, HeaderClass headers) {
    String protocol = protocol(headers);
    return (field == ETH_TYPE && !protocol.isEmpty())
        || (field == IP_PROTO && PROTOCOLS.containsValue(protocol));
  }

  /** A field and its value, with its mask unless that is one of all bits. */
  static String text(int field, long high, long low, long maskHigh, long maskLow) {
    String name = name(field);
    switch (field) {
      case IPV4_SRC:
      case IPV4_DST:
      case ARP_SPA:
      case ARP_TPA:
        return name + "=" + address((int) low, (int) maskLow);
      case ETH_DST:
      case ETH_SRC:
      case ARP_SHA:
      case ARP_THA:
        return name + "=" + mac(low) + (maskLow == mask(field) ? "" : "/" + mac(maskLow));
      case IN_PORT:
      case IP_PROTO:
      case TCP_SRC:
      case TCP_DST:
      case UDP_SRC:
      case UDP_DST:
      case ARP_OP:
        return name + "=" + (maskLow == mask(field) ? String.valueOf(low) : hex(low, maskLow));
      default:
        String upper = maskHigh == 0 ? "" : hex(high, maskHigh) + ":";
        boolean isKnown = BITS.containsKey(field) || isRegister(field);
        boolean isExact = isKnown && maskLow == mask(field);
        return name + "=" + upper + (isExact ? "0x" + Long.toHexString(low) : hex(low, maskLow));
    }
  }

  /** The name of a field. */
  public static String name(int field) {
    if (isRegister(field)) {
      return "reg" + (field - NICIRA);
    }
    return NAMES.getOrDefault(
        field, "field-" + Integer.toHexString(field >> 7) + "-" + (field & 0x7f));
  }

  private static boolean isRegister(int field) {
    return field >= NICIRA && field < NICIRA + REGISTERS;
  }

  private static String address(int value, int mask) {
    int length = Integer.bitCount(mask);
    boolean isPrefix = mask == (length == 0 ? 0 : -1 << (32 - length));
    if (!isPrefix) {
      return Ipv4Prefix.format(value) + "/" + Ipv4Prefix.format(mask);
    }
    return Ipv4Prefix.format(value) + (length == 32 ? "" : "/" + length);
  }

  /** A MAC address of 48 bits. */
  private static String mac(long address) {
    StringBuilder text = new StringBuilder();
    for (int shift = 40; shift >= 0; shift -= 8) {
      text.append(String.format(Locale.ROOT, "%02x", (address >>> shift) & 0xff))
          .append(shift == 0 ? "" : ":");
    }
    return text.toString();
  }

  private static String hex(long value, long mask) {
    return "0x" + Long.toHexString(value) + "/0x" + Long.toHexString(mask);
  }
}
