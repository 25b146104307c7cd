package org.evenweave.sdd.protocol;

import java.util.regex.Pattern;

/** Limits of the protocol, besides the ranges of its integers (docs/reference/sdd-protocol.md). */
public final class Limits {
  /** The protocol's version that {@code Hello} names. */
  public static final int PROTOCOL_VERSION = 1;

  /** The longest message, header included. */
  public static final int MAX_MESSAGE_BYTES = 262_144;

  /** The longest datagram, tag included: what an Ethernet frame carries over IPv4. */
  public static final int MAX_DATAGRAM_BYTES = 1_472;

  public static final int MAX_QUEUES = 65_535;
  public static final int MAX_PRIORITY = 63;
  public static final int MAX_FLOW_PRIORITY = 7;
  public static final long MAX_RATE_BPS = 10_000_000_000_000L;
  public static final int MAX_CONDITION_BYTES = 4_096;
  public static final int MAX_TEXT_BYTES = 1_024;
  public static final int MAX_NAME_BYTES = 63;
  public static final int MAX_ADDRESSES = 64;
  public static final int MAX_PORTS = 1_024;
  public static final int MAX_QUERIED_QUEUES = 2_000;
  public static final int MAX_SLOTS = 10_000;
  public static final int MAX_PACKET_SLOTS = 9_000;

  /** Of an edge. */
  public static final int MAX_PEERS = 1_024;

  /** Of an order to an edge. */
  public static final int MAX_ORDERED_PREFIXES = 256;

  /** Of a peer in an edge's report. */
  public static final int MAX_DOCUMENT_BYTES = 65_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,63}");

  private Limits() {}

  /** Whether a host or a circuit switch may be called so. */
  public static boolean isName(CharSequence name) {
    return NAME.matcher(name).matches();
  }
}
