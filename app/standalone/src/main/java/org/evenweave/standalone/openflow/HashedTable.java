package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.evenweave.openflow.LargeTable;

/**
 * The group that leads to a {@link LargeTable}, for which openflowj has a stand-in only. Its bucket
 * sets the metadata to the table's id, moves bits of the hash into them, and looks the packet up
 * again:
 *
 * <pre>
 *   set_field:ID &lt;&lt; 16-&gt;metadata,move:NXM_NX_DP_HASH[0..k-1]-&gt;OXM_OF_METADATA[0..k-1],resubmit(,20)
 * </pre>
 *
 * <p>The last two are actions of Open vSwitch's own (its ovs-actions(7)). Open vSwitch computes the
 * hash because the group is of type SELECT, also where it has one bucket.
 */
final class HashedTable {
  /** Length of the action that moves bits from one field to another. */
  static final int MOVE_BYTES = 24;

  private static final int GROUP_TYPE_AT = 10;
  private static final int COMMAND_DELETE = 2;
  private static final int BUCKET_AT = 16;

  private static final int ENTRY_BYTES = 8;
  private static final int ACTION_HEADER_BYTES = 4;
  private static final int SET_FIELD_BYTES = 16;
  private static final int RESUBMIT_BYTES = 16;
  private static final int STAND_IN_BYTES = OpenFlow15.BUCKET13_BYTES + SET_FIELD_BYTES;
  private static final int BUCKET_BYTES = STAND_IN_BYTES + MOVE_BYTES + RESUBMIT_BYTES;

  private static final int EXPERIMENTER = 0xffff;
  private static final int NICIRA = 0x2320;
  private static final int MOVE = 6;
  private static final int RESUBMIT_TABLE = 14;
  private static final int IN_PORT = 0xfff8;

  /** NXM_NX_DP_HASH: class 1, field 35, four bytes; OXM_OF_METADATA: class basic, field 2. */
  private static final long HASH_TO_METADATA = 0x0001_4604_8000_0408L;

  private static final long SLOT = (1L << LargeTable.SLOT_BITS) - 1;

  private HashedTable() {}

  /**
   * Makes the real group of a stand-in, in a message of OpenFlow 1.3 that is alone in its buffer.
   */
  static void toWire(ByteBuf message) {
    if (message.getUnsignedByte(1) != OpenFlow13.TYPE_GROUP_MOD
        || message.getByte(GROUP_TYPE_AT) != OpenFlow13.GROUP_INDIRECT
        || message.getUnsignedShort(OpenFlow13.HEADER_BYTES) == COMMAND_DELETE) {
      return;
    }
    long standIn = message.getLong(BUCKET_AT + STAND_IN_BYTES - Long.BYTES);
    message.setByte(GROUP_TYPE_AT, OpenFlow13.GROUP_SELECT);
    message.writerIndex(BUCKET_AT).writeBytes(bucket(standIn & ~SLOT, (int) (standIn & SLOT)));
    message.setShort(2, message.readableBytes());
  }

  /**
   * Copies a group as the switch describes it in OpenFlow 1.3, or the stand-in for it. A group of
   * the stand-in's type that the switch really has is shown as one of a type that is never ours; so
   * is one with other actions of vendors, without its buckets, which openflowj could not read.
   */
  static void fromWire(ByteBuf entry, ByteBuf to) {
    int at = to.writerIndex();
    if (!isTable(entry)) {
      boolean isReadable = !hasVendorActions(entry.duplicate());
      to.writeBytes(entry, 0, isReadable ? entry.readableBytes() : ENTRY_BYTES);
      if (!isReadable || entry.getByte(2) == OpenFlow13.GROUP_INDIRECT) {
        to.setShort(at, to.writerIndex() - at);
        to.setByte(at + 2, OpenFlow13.GROUP_ALL);
      }
      return;
    }
    to.writeBytes(entry, 0, ENTRY_BYTES + STAND_IN_BYTES);
    to.setShort(at, ENTRY_BYTES + STAND_IN_BYTES);
    to.setByte(at + 2, OpenFlow13.GROUP_INDIRECT);
    to.setShort(at + ENTRY_BYTES, STAND_IN_BYTES);
    int metadataAt = to.writerIndex() - Long.BYTES;
    to.setLong(metadataAt, to.getLong(metadataAt) | bits(entry));
  }

  /** Only as far as lengths are right; openflowj finds those that are not. */
  private static boolean hasVendorActions(ByteBuf entry) {
    entry.skipBytes(ENTRY_BYTES);
    while (entry.readableBytes() >= OpenFlow15.BUCKET13_BYTES) {
      int bucketBytes = entry.getUnsignedShort(entry.readerIndex());
      if (bucketBytes < OpenFlow15.BUCKET13_BYTES || bucketBytes > entry.readableBytes()) {
        return false;
      }
      ByteBuf actions = entry.readSlice(bucketBytes).skipBytes(OpenFlow15.BUCKET13_BYTES);
      while (actions.readableBytes() >= ACTION_HEADER_BYTES) {
        int actionBytes = actions.getUnsignedShort(actions.readerIndex() + 2);
        if (actions.getUnsignedShort(actions.readerIndex()) == EXPERIMENTER) {
          return true;
        }
        if (actionBytes < ACTION_HEADER_BYTES || actionBytes > actions.readableBytes()) {
          return false;
        }
        actions.skipBytes(actionBytes);
      }
    }
    return false;
  }

  /** Whether a group is just as one of a large table of its id. */
  private static boolean isTable(ByteBuf entry) {
    if (entry.readableBytes() != ENTRY_BYTES + BUCKET_BYTES
        || entry.getByte(2) != OpenFlow13.GROUP_SELECT
        || bits(entry) > LargeTable.SLOT_BITS) {
      return false;
    }
    long metadata = Integer.toUnsignedLong(entry.getInt(4)) << LargeTable.SLOT_BITS;
    return ByteBufUtil.equals(bucket(metadata, bits(entry)), 0, entry, ENTRY_BYTES, BUCKET_BYTES);
  }

  /** How many bits of the hash a table's group moves. */
  private static int bits(ByteBuf entry) {
    return entry.getUnsignedShort(ENTRY_BYTES + STAND_IN_BYTES + 10);
  }

  private static ByteBuf bucket(long metadata, int bits) {
    ByteBuf bucket = Unpooled.buffer(BUCKET_BYTES);
    bucket.writeShort(BUCKET_BYTES).writeShort(1).writeLong(-1).writeZero(4);
    bucket.writeShort(0x19).writeShort(SET_FIELD_BYTES).writeInt((int) HASH_TO_METADATA);
    bucket.writeLong(metadata);
    writeMove(bucket, (long) bits << 32, HASH_TO_METADATA);
    bucket.writeShort(EXPERIMENTER).writeShort(RESUBMIT_BYTES).writeInt(NICIRA);
    bucket.writeShort(RESUBMIT_TABLE).writeShort(IN_PORT);
    return bucket.writeByte(LargeTable.SLOTS_TABLE).writeZero(3);
  }

  /** Whether an action is one of Open vSwitch's own that moves bits. */
  static boolean isMove(ByteBuf action) {
    return action.readableBytes() == MOVE_BYTES
        && action.getUnsignedShort(0) == EXPERIMENTER
        && action.getInt(4) == NICIRA
        && action.getUnsignedShort(8) == MOVE;
  }

  /**
   * Writes an action that moves bits.
   *
   * @param bits in 16 bits each how many, from which of the source, and to which of the destination
   * @param fields the headers of both
   */
  static void writeMove(ByteBuf to, long bits, long fields) {
    to.writeShort(EXPERIMENTER).writeShort(MOVE_BYTES).writeInt(NICIRA).writeShort(MOVE);
    to.writeShort((int) (bits >>> 32)).writeInt((int) bits).writeLong(fields);
  }
}
