package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.foreign.ForeignGroup;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.openflow.ForeignEntries;
import org.evenweave.openflow.LargeTable;

/**
 * Removes foreign groups and rules from a description of a switch's tables before it is decoded.
 * They may hold fields and actions that openflowj cannot read (Open vSwitch's own, say), and must
 * not make the reply unreadable; {@link ForeignEntries} reads them.
 */
final class TableDescription {
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int MULTIPART_FLOW = 1;
  private static final int MULTIPART_GROUP_DESC = 7;

  /** Header, multipart type, flags, padding. */
  private static final int PREFIX_BYTES = OpenFlow13.HEADER_BYTES + 8;

  /** A rule's up to its match, with that one's header. */
  private static final int MIN_FLOW_BYTES = 56;

  /** Length, type, padding, group id. */
  private static final int GROUP_HEADER_BYTES = 8;

  private final ByteBuf frame;
  private final boolean hasFlows;
  private final List<ForeignRule> rules = new ArrayList<>();
  private final List<ForeignGroup> groups = new ArrayList<>();

  private TableDescription(ByteBuf frame) {
    this.frame = frame;
    hasFlows = multipartType(frame) == MULTIPART_FLOW;
  }

  /** Whether a whole message describes rules or groups. */
  static boolean isOne(ByteBuf frame) {
    return frame.getUnsignedByte(frame.readerIndex() + 1) == TYPE_MULTIPART_REPLY
        && frame.readableBytes() >= PREFIX_BYTES
        && (multipartType(frame) == MULTIPART_FLOW || multipartType(frame) == MULTIPART_GROUP_DESC);
  }

  private static int multipartType(ByteBuf frame) {
    return frame.getUnsignedShort(frame.readerIndex() + OpenFlow13.HEADER_BYTES);
  }

  /**
   * Cuts a message in two.
   *
   * @param ours gets the same reply with Evenweave's entries only
   * @return the other entries
   */
  static ForeignPart split(ByteBuf frame, ByteBuf ours) throws MalformedMessageException {
    TableDescription description = new TableDescription(frame);
    try {
      description.split(ours);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new MalformedMessageException("description of tables: " + e.getMessage(), e);
    }
    long xid = frame.getUnsignedInt(frame.readerIndex() + 4);
    return new ForeignPart(xid, description.rules, description.groups);
  }

  /** A buffer for what is Evenweave's of a message. */
  static ByteBuf bufferFor(ByteBuf frame) {
    return Unpooled.buffer(frame.readableBytes());
  }

  private void split(ByteBuf ours) throws MalformedMessageException {
    ours.writeBytes(frame, frame.readerIndex(), PREFIX_BYTES);
    int minBytes = hasFlows ? MIN_FLOW_BYTES : GROUP_HEADER_BYTES;
    int at = frame.readerIndex() + PREFIX_BYTES;
    int end = frame.writerIndex();
    while (at < end) {
      int length = at + minBytes <= end ? frame.getUnsignedShort(at) : 0;
      if (length < minBytes || at + length > end) {
        throw new MalformedMessageException(
            "description of tables with an entry of length " + length);
      }
      ByteBuf entry = frame.slice(at, length);
      if (hasFlows) {
        addFlow(entry, ours);
      } else {
        addGroup(entry, ours);
      }
      at += length;
    }
    ours.setShort(2, ours.readableBytes());
  }

  private void addFlow(ByteBuf described, ByteBuf ours) {
    ByteBuf entry = SecondLookup.isIn(described) ? SecondLookup.fromWire(described) : described;
    ByteBuffer bytes = entry.nioBuffer();
    boolean isOurs =
        !SecondLookup.hasStandIn(described)
            && ForeignEntries.cookie(bytes) == OpenFlow13.ENGINE_COOKIE.getValue()
            && ForeignEntries.isOrdinary(bytes);
    if (isOurs) {
      ours.writeBytes(entry);
    } else {
      rules.add(ForeignEntries.rule(described.nioBuffer(), 0));
    }
  }

  private void addGroup(ByteBuf entry, ByteBuf ours) {
    int id = entry.getInt(4);
    if (OpenFlow13.isOurs(id) || LargeTable.isPortGroup(id)) {
      HashedTable.fromWire(entry, ours);
    } else {
      groups.add(ForeignEntries.group(entry.nioBuffer()));
    }
  }
}
