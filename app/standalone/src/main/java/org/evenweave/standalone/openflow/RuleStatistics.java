package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Reads a flow statistics reply of OpenFlow 1.3 rule by rule, for one that openflowj cannot read as
 * a whole: somebody has given one of its rules a vendor's action or match field (Open vSwitch has
 * dozens). A rule whose instructions cannot be read is shown without any, which is no rule of the
 * engine's, so that an audit repairs it; one whose match cannot be read is in no place where the
 * engine has a rule, and is left out.
 */
final class RuleStatistics {
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int MULTIPART_FLOW = 1;

  /** Header, multipart type, flags, padding. */
  private static final int PREFIX_BYTES = OpenFlow13.HEADER_BYTES + 8;

  /** An entry up to its match. */
  private static final int MATCH_AT = 48;

  /** Type and length of a match without fields. */
  private static final int LEAST_MATCH_BYTES = 4;

  private RuleStatistics() {}

  /** Whether a whole message is a flow statistics reply. */
  static boolean isOne(ByteBuf frame) {
    int start = frame.readerIndex();
    return frame.getUnsignedByte(start + 1) == TYPE_MULTIPART_REPLY
        && frame.readableBytes() >= PREFIX_BYTES
        && frame.getUnsignedShort(start + OpenFlow13.HEADER_BYTES) == MULTIPART_FLOW;
  }

  /**
   * Reads a reply.
   *
   * @param unreadable told of each rule that is shown without instructions or left out
   * @throws OFParseError if the lengths of its rules do not fill it
   */
  static OFMessage read(ByteBuf frame, Consumer<String> unreadable) throws OFParseError {
    int start = frame.readerIndex();
    List<OFFlowStatsEntry> rules = new ArrayList<>();
    int at = start + PREFIX_BYTES;
    int end = frame.writerIndex();
    while (at < end) {
      int length = at + MATCH_AT + LEAST_MATCH_BYTES <= end ? frame.getUnsignedShort(at) : 0;
      if (length < MATCH_AT + LEAST_MATCH_BYTES || at + length > end) {
        throw new OFParseError("flow statistics with a rule of length " + length);
      }
      rules.addAll(rule(frame, start, frame.slice(at, length), unreadable));
      at += length;
    }
    OFFlowStatsReply empty = parse(frame, start, Unpooled.EMPTY_BUFFER);
    return empty.createBuilder().setEntries(rules).build();
  }

  private static List<OFFlowStatsEntry> rule(
      ByteBuf frame, int start, ByteBuf entry, Consumer<String> unreadable) {
    try {
      return parse(frame, start, entry).getEntries();
    } catch (OFParseError | RuntimeException e) {
      unreadable.accept("rule with actions that cannot be read");
    }
    try {
      int matchBytes = (entry.getUnsignedShort(MATCH_AT + 2) + 7) / 8 * 8;
      ByteBuf bare = Unpooled.buffer();
      bare.writeBytes(entry, 0, MATCH_AT + matchBytes);
      bare.setShort(0, bare.readableBytes());
      return parse(frame, start, bare).getEntries();
    } catch (OFParseError | RuntimeException e) {
      unreadable.accept("rule with a match that cannot be read");
      return List.of();
    }
  }

  /** A reply with one entry, or none, in the place of all of a frame's. */
  private static OFFlowStatsReply parse(ByteBuf frame, int start, ByteBuf entry)
      throws OFParseError {
    ByteBuf alone = Unpooled.buffer(PREFIX_BYTES + entry.readableBytes());
    alone.writeBytes(frame, start, PREFIX_BYTES).writeBytes(entry, 0, entry.readableBytes());
    alone.setShort(2, alone.readableBytes());
    OFMessage reply = OpenFlow13.FACTORY.getReader().readFrom(alone);
    if (alone.isReadable()) {
      throw new OFParseError("a rule that does not fill its length");
    }
    return (OFFlowStatsReply) reply;
  }
}
