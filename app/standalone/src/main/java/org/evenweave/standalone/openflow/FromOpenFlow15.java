package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/**
 * Messages of OpenFlow 1.5 as the same messages of 1.3, for those that are requested or handled
 * here. Lengths are checked where they are followed; a message that breaks off throws {@link
 * IndexOutOfBoundsException}, as openflowj does.
 */
final class FromOpenFlow15 {
  private static final int ETHERNET = 0;
  private static final int PORT15_BYTES = 40;
  private static final int PORT_STATUS_BYTES = OpenFlow13.HEADER_BYTES + 8;
  private static final int ANY = 0xffff_ffff;

  /** Packets, bytes, drops and errors, each both ways. */
  private static final int PORT_COUNTERS_BYTES = 8 * Long.BYTES;

  /** Frame, overrun and CRC errors, and collisions. */
  private static final int ERROR_CAUSES_BYTES = 4 * Long.BYTES;

  private static final long UNSUPPORTED = -1L;

  /** Reason of a packet-in: an action. 1.5 distinguishes kinds of actions. */
  private static final int REASON_ACTION = 1;

  private static final int LAST_REASON_OF_13 = 2;

  /** Of a packet-in: header, buffer, total length. */
  private static final int REASON_AT = OpenFlow13.HEADER_BYTES + 6;

  /** In an entry of OpenFlow 1.3's flow statistics: seconds and nanoseconds, 4 bytes each. */
  private static final int DURATION_AT = 4;

  private static final int PACKET_COUNT_AT = 32;

  private static final int BYTE_COUNT_AT = 40;

  private final Dialect dialect;

  FromOpenFlow15(Dialect dialect) {
    this.dialect = dialect;
  }

  /** A copy on the heap, or null for what 1.3 does not have. */
  ByteBuf translate(ByteBuf frame) {
    int type = frame.getUnsignedByte(frame.readerIndex() + 1);
    if (type > OpenFlow15.LAST_TYPE_OF_13) {
      return null;
    }
    ByteBuf to = Unpooled.buffer(frame.readableBytes() + 64);
    if (type == OpenFlow15.TYPE_PORT_STATUS) {
      to.writeBytes(frame, PORT_STATUS_BYTES);
      port(frame, to);
    } else if (type == OpenFlow15.TYPE_FLOW_REMOVED) {
      flowRemoved(frame, to);
    } else if (type == OpenFlow15.TYPE_MULTIPART_REPLY) {
      multipartReply(frame, to);
    } else {
      to.writeBytes(frame);
    }
    if (type == OpenFlow15.TYPE_PACKET_IN && to.getUnsignedByte(REASON_AT) > LAST_REASON_OF_13) {
      to.setByte(REASON_AT, REASON_ACTION);
    }
    if (frame.isReadable() || to.readableBytes() > 0xffff) {
      throw new MalformedMessageException(
          "message type " + type + " of " + to.readableBytes() + " bytes in OpenFlow 1.3");
    }
    to.setByte(0, OpenFlow13.WIRE_VERSION);
    to.setShort(2, to.readableBytes());
    return to;
  }

  private void multipartReply(ByteBuf frame, ByteBuf to) {
    int type = frame.getUnsignedShort(frame.readerIndex() + OpenFlow13.HEADER_BYTES);
    to.writeBytes(frame, OpenFlow15.MULTIPART_BYTES);
    while (frame.isReadable()) {
      switch (type) {
        case OpenFlow15.MULTIPART_PORT_DESC:
          port(frame, to);
          break;
        case OpenFlow15.MULTIPART_PORT_STATS:
          portStatistics(part(frame, 0), to);
          break;
        case OpenFlow15.MULTIPART_GROUP_DESC:
          group(part(frame, 0), to);
          break;
        case OpenFlow15.MULTIPART_FLOW:
          flow(part(frame, 0), to);
          break;
        default:
          to.writeBytes(frame);
      }
    }
  }

  /** The part whose length stands {@code at} bytes from here. */
  private static ByteBuf part(ByteBuf from, int at) {
    int length = from.getUnsignedShort(from.readerIndex() + at);
    if (length < at + 2) {
      throw new MalformedMessageException("a part of length " + length);
    }
    return from.readSlice(length);
  }

  private static void port(ByteBuf frame, ByteBuf to) {
    ByteBuf port = part(frame, 4);
    to.writeBytes(port, 4).writeZero(4);
    port.skipBytes(4);
    to.writeBytes(port, PORT15_BYTES - 8);
    int ethernetAt = to.writerIndex();
    to.writeZero(24);
    while (port.isReadable()) {
      ByteBuf property = part(port, 2);
      if (property.getUnsignedShort(0) == ETHERNET) {
        to.setBytes(ethernetAt, property, 8, 24);
      }
    }
  }

  /** Causes of errors are a property in 1.5, and the age stands before the counters. */
  private static void portStatistics(ByteBuf statistics, ByteBuf to) {
    statistics.skipBytes(4);
    to.writeBytes(statistics, 4).writeZero(4);
    ByteBuf age = statistics.readSlice(8);
    to.writeBytes(statistics, PORT_COUNTERS_BYTES);
    int causesAt = to.writerIndex();
    to.writeLong(UNSUPPORTED).writeLong(UNSUPPORTED).writeLong(UNSUPPORTED).writeLong(UNSUPPORTED);
    while (statistics.isReadable()) {
      ByteBuf property = part(statistics, 2);
      if (property.getUnsignedShort(0) == ETHERNET) {
        to.setBytes(causesAt, property, 8, ERROR_CAUSES_BYTES);
      }
    }
    to.writeBytes(age);
  }

  private void group(ByteBuf group, ByteBuf to) {
    int at = to.writerIndex();
    group.skipBytes(2);
    to.writeZero(2).writeBytes(group, 6);
    int bucketsBytes = group.readUnsignedShort();
    group.skipBytes(6);
    ByteBuf buckets = group.readSlice(bucketsBytes);
    while (buckets.isReadable()) {
      bucket(part(buckets, 0), to);
    }
    if (!isHashedAsWanted(to.getByte(at + 2), group)) {
      to.setByte(at + 2, OpenFlow13.GROUP_ALL);
    }
    to.setShort(at, to.writerIndex() - at);
  }

  private static void bucket(ByteBuf bucket, ByteBuf to) {
    int at = to.writerIndex();
    bucket.skipBytes(2);
    int actionBytes = bucket.readUnsignedShort();
    bucket.skipBytes(4);
    to.writeZero(4).writeInt(ANY).writeInt(ANY).writeZero(4);
    actions(bucket.readSlice(actionBytes), to);
    to.setShort(at, to.writerIndex() - at);
    while (bucket.isReadable()) {
      ByteBuf property = part(bucket, 2);
      int type = property.getUnsignedShort(0);
      if (type == OpenFlow15.BUCKET_WEIGHT) {
        to.setShort(at + 2, property.getUnsignedShort(4));
      } else if (type == OpenFlow15.BUCKET_WATCH_PORT) {
        to.setInt(at + 4, property.getInt(4));
      } else if (type == OpenFlow15.BUCKET_WATCH_GROUP) {
        to.setInt(at + 8, property.getInt(4));
      }
    }
  }

  /** What 1.5 copies fields by has another form in 1.3: Open vSwitch's own. */
  private static void actions(ByteBuf actions, ByteBuf to) {
    while (actions.isReadable()) {
      ByteBuf action = part(actions, 2);
      boolean isCopy =
          action.readableBytes() == HashedTable.MOVE_BYTES
              && action.getUnsignedShort(0) == OpenFlow15.ACTION_COPY_FIELD;
      if (isCopy) {
        HashedTable.writeMove(to, action.getLong(4) >>> 16, action.getLong(12));
      } else {
        to.writeBytes(action);
      }
    }
  }

  /**
   * Whether a group has just the properties that we give groups on this switch. 1.3 cannot say
   * that, so a group that was changed in this is shown as one that was changed in its type.
   */
  private boolean isHashedAsWanted(int groupType, ByteBuf properties) {
    if (!dialect.seedsHash() || groupType != OpenFlow13.GROUP_SELECT) {
      return !properties.isReadable();
    }
    return properties.readableBytes() == OpenFlow15.SELECTION_METHOD_BYTES
        && properties.readUnsignedShort() == OpenFlow15.GROUP_EXPERIMENTER
        && properties.readUnsignedShort() == OpenFlow15.SELECTION_METHOD_BYTES
        && properties.readInt() == OpenFlow15.NETRONOME
        && properties.readInt() == OpenFlow15.SELECTION_METHOD
        && Arrays.equals(
            ByteBufUtil.getBytes(properties.skipBytes(4).readSlice(16)), OpenFlow15.dpHash())
        && properties.readLong() == dialect.selectionMethodParameter();
  }

  private static void flow(ByteBuf flow, ByteBuf to) {
    int at = to.writerIndex();
    flow.skipBytes(4);
    to.writeZero(2).writeBytes(flow, 2).writeZero(8);
    // Priority, idle and hard time-out, flags; then importance, which 1.3 has not.
    to.writeBytes(flow, 8).writeZero(4);
    flow.skipBytes(2);
    to.writeBytes(flow, 8).writeZero(16);
    int matchBytes = flow.getUnsignedShort(flow.readerIndex() + 2);
    to.writeBytes(flow, padded(matchBytes));
    int statisticsBytes = flow.getUnsignedShort(flow.readerIndex() + 2);
    statistics(flow.slice(flow.readerIndex() + 4, statisticsBytes - 4), to, at);
    flow.skipBytes(padded(statisticsBytes));
    to.writeBytes(flow);
    to.setShort(at, to.writerIndex() - at);
  }

  /** Fills in the duration and what was counted, which are fields of a list in 1.5 (OXS). */
  private static void statistics(ByteBuf fields, ByteBuf to, int at) {
    while (fields.isReadable()) {
      int field = fields.readInt();
      int bytes = field & 0xff;
      if (field == OpenFlow15.STATISTIC_DURATION) {
        to.setLong(at + DURATION_AT, fields.getLong(fields.readerIndex()));
      } else if (field == OpenFlow15.STATISTIC_PACKETS) {
        to.setLong(at + PACKET_COUNT_AT, fields.getLong(fields.readerIndex()));
      } else if (field == OpenFlow15.STATISTIC_BYTES) {
        to.setLong(at + BYTE_COUNT_AT, fields.getLong(fields.readerIndex()));
      }
      fields.skipBytes(bytes);
    }
  }

  /** Durations and counters, which are not used here, are statistics in 1.5; they are left 0. */
  private static void flowRemoved(ByteBuf frame, ByteBuf to) {
    to.writeBytes(frame, OpenFlow13.HEADER_BYTES);
    short table = frame.readUnsignedByte();
    short reason = frame.readUnsignedByte();
    int priority = frame.readUnsignedShort();
    int idleTimeout = frame.readUnsignedShort();
    int hardTimeout = frame.readUnsignedShort();
    to.writeLong(frame.readLong()).writeShort(priority).writeByte(reason).writeByte(table);
    to.writeZero(8).writeShort(idleTimeout).writeShort(hardTimeout).writeZero(16);
    to.writeBytes(frame, padded(frame.getUnsignedShort(frame.readerIndex() + 2)));
    frame.skipBytes(frame.readableBytes());
  }

  private static int padded(int bytes) {
    return (bytes + 7) / 8 * 8;
  }
}
