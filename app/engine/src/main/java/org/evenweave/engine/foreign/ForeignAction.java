package org.evenweave.engine.foreign;

import java.util.Objects;

/**
 * One action of a flow entry or of a group's bucket, as far as it decides where packets go.
 * Immutable.
 */
public final class ForeignAction {
  /** What the action does. */
  public enum Kind {
    /** Sends the packet out of port {@link #number}, which may be a reserved one. */
    OUTPUT,
    /** Gives the packet to group {@link #number}. */
    GROUP,
    /** Writes bits of the header field {@link #number}. */
    SET_FIELD,
    /** Looks the packet up in table {@link #number} too (Open vSwitch's resubmit). */
    RESUBMIT,
    /** Changes nothing of where the packet goes: a queue, a TTL. */
    NEUTRAL,
    /** May do anything. */
    UNKNOWN
  }

  /** OFPP_IN_PORT and the other reserved ports (OpenFlow 1.3.5, section 7.2.1). */
  public static final int PORT_IN_PORT = 0xffff_fff8;

  public static final int PORT_NORMAL = 0xffff_fffa;
  public static final int PORT_FLOOD = 0xffff_fffb;
  public static final int PORT_ALL = 0xffff_fffc;
  public static final int PORT_CONTROLLER = 0xffff_fffd;
  public static final int PORT_LOCAL = 0xffff_fffe;

  private final Kind kind;
  private final int number;
  private final long[] bits;
  private final String text;

  private ForeignAction(Kind kind, int number, long[] bits, String text) {
    this.kind = kind;
    this.number = number;
    this.bits = bits;
    this.text = text;
  }

  /**
   * @param port unsigned; one of the reserved ports or of the switch's
   */
  public static ForeignAction output(int port) {
    return new ForeignAction(Kind.OUTPUT, port, new long[0], portText(port));
  }

  public static ForeignAction group(int id) {
    return new ForeignAction(Kind.GROUP, id, new long[0], "group:" + Integer.toUnsignedString(id));
  }

  /**
   * Writes the bits of a mask.
   *
   * @param field number of {@link org.evenweave.engine.headers.HeaderField}
   * @param high bits 64 to 127
   */
  public static ForeignAction setField(
      int field, long high, long low, long maskHigh, long maskLow, String text) {
    return new ForeignAction(
        Kind.SET_FIELD, field, new long[] {high, low, maskHigh, maskLow}, text);
  }

  public static ForeignAction resubmit(int table) {
    return new ForeignAction(Kind.RESUBMIT, table, new long[0], "resubmit(," + table + ")");
  }

  /**
   * @param text names it
   */
  public static ForeignAction neutral(String text) {
    return new ForeignAction(Kind.NEUTRAL, 0, new long[0], text);
  }

  /**
   * @param text names it
   */
  public static ForeignAction unknown(String text) {
    return new ForeignAction(Kind.UNKNOWN, 0, new long[0], text);
  }

  private static String portText(int port) {
    switch (port) {
      case PORT_IN_PORT:
        return "IN_PORT";
      case PORT_NORMAL:
        return "NORMAL";
      case PORT_FLOOD:
        return "FLOOD";
      case PORT_ALL:
        return "ALL";
      case PORT_CONTROLLER:
        return "CONTROLLER";
      case PORT_LOCAL:
        return "LOCAL";
      default:
        return "output:" + Integer.toUnsignedString(port);
    }
  }

  public Kind kind() {
    return kind;
  }

  /** The port, the group, the field or the table. */
  public int number() {
    return number;
  }

  /** Bits 64 to 127 of what {@link Kind#SET_FIELD} writes. */
  public long high() {
    return bits[0];
  }

  public long low() {
    return bits[1];
  }

  public long maskHigh() {
    return bits[2];
  }

  public long maskLow() {
    return bits[3];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignAction
        && kind == ((ForeignAction) other).kind
        && number == ((ForeignAction) other).number
        && text.equals(((ForeignAction) other).text);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, number, text);
  }

  /** As ovs-ofctl writes it. */
  @Override
  public String toString() {
    return text;
  }
}
