package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * The action of Open vSwitch's own that looks a packet up in table 0 again ({@code resubmit(,0)} in
 * its ovs-actions(7)), which rules that guard sources end with. openflowj has a stand-in only: the
 * output to the reserved port TABLE, which a rule may not have (OpenFlow 1.3.5, section 7.2.5).
 * Both have 16 bytes.
 */
final class SecondLookup {
  private static final int BYTES = 16;
  private static final int TYPE_FLOW_MOD = 14;

  /** A flow-mod up to its match. */
  private static final int FLOW_MOD_BYTES = 48;

  /** OFPAT_OUTPUT of 16 bytes to OFPP_TABLE, with no bytes for the controller. */
  private static final long STAND_IN_HIGH = 0x0000_0010_ffff_fff9L;

  private static final long STAND_IN_LOW = 0;

  /** OFPAT_EXPERIMENTER of 16 bytes, of Nicira. */
  private static final long RESUBMIT_HIGH = 0xffff_0010_0000_2320L;

  /** Its type NXAST_RESUBMIT_TABLE, the port that the packet came by (OFPP_IN_PORT), table 0. */
  private static final long RESUBMIT_LOW = 0x000e_fff8_0000_0000L;

  private SecondLookup() {}

  /** Puts the action for its stand-in into a flow-mod, alone in its buffer. */
  static void toWire(ByteBuf message) {
    if (message.getUnsignedByte(1) == TYPE_FLOW_MOD
        && message.readableBytes() >= FLOW_MOD_BYTES + BYTES
        && endsWith(message, STAND_IN_HIGH, STAND_IN_LOW)) {
      setEnd(message, RESUBMIT_HIGH, RESUBMIT_LOW);
    }
  }

  /** Whether a flow entry ends with the action. */
  static boolean isIn(ByteBuf entry) {
    return entry.readableBytes() >= BYTES && endsWith(entry, RESUBMIT_HIGH, RESUBMIT_LOW);
  }

  /** Whether a flow entry, as a switch describes it, ends with what is a stand-in here. */
  static boolean hasStandIn(ByteBuf entry) {
    return entry.readableBytes() >= BYTES && endsWith(entry, STAND_IN_HIGH, STAND_IN_LOW);
  }

  /**
   * A copy of a flow entry in which {@link #isIn it is}, with the stand-in; on the heap, so that
   * nobody has to release it.
   */
  static ByteBuf fromWire(ByteBuf entry) {
    ByteBuf copy = Unpooled.copiedBuffer(entry);
    setEnd(copy, STAND_IN_HIGH, STAND_IN_LOW);
    return copy;
  }

  private static boolean endsWith(ByteBuf bytes, long high, long low) {
    int at = bytes.writerIndex() - BYTES;
    return bytes.getLong(at) == high && bytes.getLong(at + Long.BYTES) == low;
  }

  private static void setEnd(ByteBuf bytes, long high, long low) {
    int at = bytes.writerIndex() - BYTES;
    bytes.setLong(at, high).setLong(at + Long.BYTES, low);
  }
}
