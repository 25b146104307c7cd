package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A switch's report that rules have changed, as they do: the flow monitor of OpenFlow 1.4 and later
 * (OFPMP_FLOW_MONITOR), or the same as an extension to 1.3 (ONF EXT-187), which Open vSwitch has.
 * Changes that this connection requested are reported in an abbreviated form, and are ignored.
 *
 * <p>openflowj has neither. Of others' changes only that there are some is looked at: the switch is
 * read then as in an audit.
 */
final class FlowMonitor {
  private static final int TYPE_MULTIPART_REQUEST = 18;
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int MULTIPART_EXPERIMENTER = 0xffff;
  private static final int MULTIPART_FLOW_MONITOR = 16;
  private static final int ONF = 0x4f4e_4600;
  private static final int ONF_FLOW_MONITOR = 1870;

  /** Type, flags, padding. */
  private static final int MULTIPART_BYTES = 8;

  private static final int EXPERIMENTER_BYTES = 8;

  /** Rules added, removed and modified; without those that are there, and abbreviated if ours. */
  private static final int ADDED_REMOVED_MODIFIED = 2 | 4 | 8;

  private static final int ANY = 0xffff_ffff;
  private static final int ALL_TABLES = 0xff;
  private static final int COMMAND_ADD = 0;
  private static final int MATCH_OXM = 1;
  private static final int MATCH_BYTES = 4;

  /** The events of an update that is abbreviated. */
  private static final int ABBREVIATED_13 = 3;

  private static final int ABBREVIATED_14 = 4;

  private static final int UPDATE_HEADER_BYTES = 4;

  private final boolean byOthers;

  private FlowMonitor(boolean byOthers) {
    this.byOthers = byOthers;
  }

  /**
   * A request to report all changes from now on, for as long as the connection lasts.
   *
   * @param version on the wire
   */
  static ByteBuf request(int version, long xid) {
    ByteBuf request = Unpooled.buffer();
    request.writeByte(version).writeByte(TYPE_MULTIPART_REQUEST).writeShort(0).writeInt((int) xid);
    if (version == OpenFlow13.WIRE_VERSION) {
      request.writeShort(MULTIPART_EXPERIMENTER).writeZero(6);
      request.writeInt(ONF).writeInt(ONF_FLOW_MONITOR);
      request.writeInt(0).writeShort(ADDED_REMOVED_MODIFIED).writeShort(MATCH_BYTES);
      request.writeInt(ANY).writeByte(ALL_TABLES).writeZero(3);
    } else {
      request.writeShort(MULTIPART_FLOW_MONITOR).writeZero(6);
      request.writeInt(0).writeInt(ANY).writeInt(ANY).writeShort(ADDED_REMOVED_MODIFIED);
      request.writeByte(ALL_TABLES).writeByte(COMMAND_ADD);
    }
    request.writeShort(MATCH_OXM).writeShort(MATCH_BYTES).writeZero(4);
    return request.setShort(2, request.readableBytes());
  }

  /** Whether a whole message is one, or the answer to the request. */
  static boolean isOne(ByteBuf frame) {
    return updatesAt(frame) > 0;
  }

  /** Where the updates begin; 0 if the message has none. */
  private static int updatesAt(ByteBuf frame) {
    int start = frame.readerIndex();
    int body = start + OpenFlow13.HEADER_BYTES;
    int updates = body + MULTIPART_BYTES;
    if (frame.getUnsignedByte(start + 1) != TYPE_MULTIPART_REPLY || updates > frame.writerIndex()) {
      return 0;
    }
    int type = frame.getUnsignedShort(body);
    if (frame.getUnsignedByte(start) > OpenFlow13.WIRE_VERSION) {
      return type == MULTIPART_FLOW_MONITOR ? updates : 0;
    }
    boolean isExtension =
        type == MULTIPART_EXPERIMENTER
            && updates + EXPERIMENTER_BYTES <= frame.writerIndex()
            && frame.getInt(updates) == ONF
            && frame.getInt(updates + 4) == ONF_FLOW_MONITOR;
    return isExtension ? updates + EXPERIMENTER_BYTES : 0;
  }

  /**
   * Reads a message of which {@link #isOne} holds. What cannot be read, or says that updates are
   * left out, may be a change of somebody else's.
   */
  static FlowMonitor read(ByteBuf frame) {
    boolean is13 = frame.getUnsignedByte(frame.readerIndex()) == OpenFlow13.WIRE_VERSION;
    int abbreviated = is13 ? ABBREVIATED_13 : ABBREVIATED_14;
    int at = updatesAt(frame);
    while (at + UPDATE_HEADER_BYTES <= frame.writerIndex()) {
      int length = frame.getUnsignedShort(at);
      if (length < UPDATE_HEADER_BYTES || frame.getUnsignedShort(at + 2) != abbreviated) {
        return new FlowMonitor(true);
      }
      at += length;
    }
    return new FlowMonitor(false);
  }

  /** Whether a rule has changed that this connection did not ask to change. */
  boolean isByOthers() {
    return byOthers;
  }
}
