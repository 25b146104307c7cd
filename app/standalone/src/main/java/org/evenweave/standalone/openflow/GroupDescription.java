package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.evenweave.openflow.LargeTable;

/**
 * Takes others' groups out of a group description reply before it is read. The request cannot ask
 * for some groups only, and others' may hold actions that openflowj cannot read (Open vSwitch's
 * own, say); they must not make the reply unreadable.
 */
final class GroupDescription {
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int MULTIPART_GROUP_DESC = 7;

  /** Header, multipart type, flags, padding. */
  private static final int PREFIX_BYTES = OpenFlow13.HEADER_BYTES + 8;

  /** Length, type, padding, group id. */
  private static final int ENTRY_HEADER_BYTES = 8;

  private GroupDescription() {}

  /** Whether a whole message is a group description reply. */
  static boolean isOne(ByteBuf frame) {
    int start = frame.readerIndex();
    return frame.getUnsignedByte(start + 1) == TYPE_MULTIPART_REPLY
        && frame.readableBytes() >= PREFIX_BYTES
        && frame.getUnsignedShort(start + OpenFlow13.HEADER_BYTES) == MULTIPART_GROUP_DESC;
  }

  /** The same reply with Evenweave's groups only; a copy on the heap. */
  static ByteBuf onlyOurs(ByteBuf frame) throws MalformedMessageException {
    ByteBuf ours = Unpooled.buffer(frame.readableBytes());
    ours.writeBytes(frame, frame.readerIndex(), PREFIX_BYTES);
    int at = frame.readerIndex() + PREFIX_BYTES;
    int end = frame.writerIndex();
    while (at < end) {
      int length = at + ENTRY_HEADER_BYTES <= end ? frame.getUnsignedShort(at) : 0;
      if (length < ENTRY_HEADER_BYTES || at + length > end) {
        throw new MalformedMessageException("group description with an entry of length " + length);
      }
      int id = frame.getInt(at + 4);
      if (OpenFlow13.isOurs(id) || LargeTable.isPortGroup(id)) {
        HashedTable.fromWire(frame.slice(at, length), ours);
      }
      at += length;
    }
    ours.setShort(2, ours.readableBytes());
    return ours;
  }
}
