package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;

/**
 * Messages of OpenFlow 1.3 as the same messages of 1.5. Five of the messages that are sent here
 * differ in more than the version byte.
 */
final class ToOpenFlow15 {
  private static final int ANY_PORT = 0xffff_ffff;
  private static final int ALL_GROUPS = 0xffff_fffc;
  private static final int ALL_BUCKETS = 0xffff_ffff;
  private static final int COMMAND_DELETE = 2;

  /** OXM header of in_port: class basic, field 0, four bytes. */
  private static final int OXM_IN_PORT = 0x8000_0004;

  private final Dialect dialect;

  ToOpenFlow15(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Translates a whole message, alone in its buffer, in place. */
  void translate(ByteBuf message) {
    int type = message.getUnsignedByte(1);
    message.setByte(0, OpenFlow15.WIRE_VERSION);
    if (type == OpenFlow15.TYPE_MULTIPART_REQUEST) {
      addBody(message);
    } else if (type == OpenFlow15.TYPE_SET_ASYNC) {
      message.writerIndex(OpenFlow13.HEADER_BYTES);
      message.writeShort(OpenFlow15.ASYNC_PACKET_IN_MASTER).writeShort(8);
      message.writeInt(OpenFlow15.ALL_PACKET_IN_REASONS);
    } else if (type == OpenFlow15.TYPE_GROUP_MOD || type == OpenFlow15.TYPE_PACKET_OUT) {
      ByteBuf body = message.copy();
      try {
        body.skipBytes(OpenFlow13.HEADER_BYTES);
        message.writerIndex(OpenFlow13.HEADER_BYTES);
        if (type == OpenFlow15.TYPE_GROUP_MOD) {
          groupMod(body, message);
        } else {
          packetOut(body, message);
        }
      } finally {
        body.release();
      }
    }
    message.setShort(2, message.readableBytes());
  }

  private void groupMod(ByteBuf from, ByteBuf to) {
    int command = from.getUnsignedShort(from.readerIndex());
    boolean isSelect = from.getByte(from.readerIndex() + 2) == OpenFlow13.GROUP_SELECT;
    to.writeBytes(from, 8);
    int bucketsLengthAt = to.writerIndex();
    to.writeZero(4).writeInt(ALL_BUCKETS);
    int bucketsAt = to.writerIndex();
    for (int id = 0; from.isReadable(); id++) {
      bucket(id, from, to);
    }
    to.setShort(bucketsLengthAt, to.writerIndex() - bucketsAt);
    if (dialect.seedsHash() && isSelect && command != COMMAND_DELETE) {
      to.writeShort(OpenFlow15.GROUP_EXPERIMENTER)
          .writeShort(OpenFlow15.SELECTION_METHOD_BYTES)
          .writeInt(OpenFlow15.NETRONOME)
          .writeInt(OpenFlow15.SELECTION_METHOD)
          .writeZero(4)
          .writeBytes(OpenFlow15.dpHash())
          .writeLong(dialect.selectionMethodParameter());
    }
  }

  private static void bucket(int id, ByteBuf from, ByteBuf to) {
    int actionBytes = from.readUnsignedShort() - OpenFlow15.BUCKET13_BYTES;
    int weight = from.readUnsignedShort();
    int watchPort = from.readInt();
    // The watch group is never used here.
    from.skipBytes(8);
    int at = to.writerIndex();
    to.writeZero(2).writeShort(actionBytes).writeInt(id);
    actions(from.readSlice(actionBytes), to);
    if (weight > 0) {
      to.writeShort(OpenFlow15.BUCKET_WEIGHT).writeShort(8).writeShort(weight).writeZero(2);
    }
    if (watchPort != ANY_PORT) {
      to.writeShort(OpenFlow15.BUCKET_WATCH_PORT).writeShort(8).writeInt(watchPort);
    }
    to.setShort(at, to.writerIndex() - at);
  }

  /** Open vSwitch refuses its own action that moves bits where 1.5 has one. */
  private static void actions(ByteBuf actions, ByteBuf to) {
    while (actions.isReadable()) {
      ByteBuf action = actions.readSlice(actions.getUnsignedShort(actions.readerIndex() + 2));
      if (HashedTable.isMove(action)) {
        to.writeShort(OpenFlow15.ACTION_COPY_FIELD).writeShort(HashedTable.MOVE_BYTES);
        to.writeBytes(action, 10, 6).writeZero(2).writeBytes(action, 16, 8).writeZero(4);
      } else {
        to.writeBytes(action);
      }
    }
  }

  /** The port that the packet came in by has become a match. */
  private static void packetOut(ByteBuf from, ByteBuf to) {
    to.writeBytes(from, 4);
    int inPort = from.readInt();
    to.writeBytes(from, 2).writeZero(2);
    from.skipBytes(6);
    to.writeShort(1).writeShort(12).writeInt(OXM_IN_PORT).writeInt(inPort).writeZero(4);
    to.writeBytes(from);
  }

  /** 1.5 can request single descriptions; this requests all. */
  private static void addBody(ByteBuf message) {
    int type = message.getUnsignedShort(OpenFlow13.HEADER_BYTES);
    if (type == OpenFlow15.MULTIPART_GROUP_DESC || type == OpenFlow15.MULTIPART_PORT_DESC) {
      message.writeInt(type == OpenFlow15.MULTIPART_GROUP_DESC ? ALL_GROUPS : ANY_PORT);
      message.writeZero(4);
    }
  }
}
