package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Limits;

/**
 * How much a switch says that it holds: groups of type SELECT by OFPMP_GROUP_FEATURES, rules of its
 * first table by OFPMP_TABLE_FEATURES. Both look alike in OpenFlow 1.3 and 1.5. They are read here,
 * since table features list fields of Open vSwitch's own, which openflowj cannot read.
 *
 * <p>Source: OpenFlow 1.3.5, sections 7.3.5.5 and 7.3.5.10.
 */
final class ReportedLimits {
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int GROUP_FEATURES = 8;
  private static final int TABLE_FEATURES = 12;

  /** Header, multipart type, flags, padding. */
  private static final int BODY_AT = OpenFlow13.HEADER_BYTES + 8;

  /** Types and capabilities stand before the most groups of each type; SELECT is the second. */
  private static final int MOST_SELECT_GROUPS_AT = BODY_AT + 8 + 4;

  /** Length, id and the rest of a table up to its number of rules. */
  private static final int TABLE_ID_AT = BODY_AT + 2;

  private static final int MOST_RULES_AT = BODY_AT + 60;

  /** What Open vSwitch says where it has no limit (query_tables in its ofproto.c). */
  private static final int NO_LIMIT_IN_OPEN_VSWITCH = 1_000_000;

  private final ForeignMessage unasked;
  private final long xid;
  private final boolean hasMore;
  private final Limits.Kind kind;
  private final long most;

  private ReportedLimits(
      ForeignMessage unasked, long xid, boolean hasMore, Limits.Kind kind, long most) {
    this.unasked = unasked;
    this.xid = xid;
    this.hasMore = hasMore;
    this.kind = kind;
    this.most = most;
  }

  /** Whether a whole message reports some. */
  static boolean isOne(ByteBuf frame) {
    int at = frame.readerIndex();
    if (frame.getUnsignedByte(at + 1) != TYPE_MULTIPART_REPLY || frame.readableBytes() < BODY_AT) {
      return false;
    }
    int type = frame.getUnsignedShort(at + OpenFlow13.HEADER_BYTES);
    return type == GROUP_FEATURES || type == TABLE_FEATURES;
  }

  /** Reads a message of which {@link #isOne} holds; one that is too short reports none. */
  static ReportedLimits read(ByteBuf frame) {
    int at = frame.readerIndex();
    long xid = frame.getUnsignedInt(at + 4);
    boolean ofGroups = frame.getUnsignedShort(at + OpenFlow13.HEADER_BYTES) == GROUP_FEATURES;
    int mostAt = ofGroups ? MOST_SELECT_GROUPS_AT : MOST_RULES_AT;
    // Groups and rules of forwarding are in the first table, which is in the first message.
    boolean isOther =
        !ofGroups && mostAt <= frame.readableBytes() && frame.getByte(at + TABLE_ID_AT) != 0;
    long most =
        isOther || mostAt + 4 > frame.readableBytes()
            ? Fabric.UNLIMITED
            : frame.getUnsignedInt(at + mostAt);
    boolean hasMore = (frame.getUnsignedShort(at + OpenFlow13.HEADER_BYTES + 2) & 1) != 0;
    return new ReportedLimits(
        ForeignMessage.of(frame),
        xid,
        hasMore,
        ofGroups ? Limits.Kind.GROUPS : Limits.Kind.RULES,
        most);
  }

  /** What it is to somebody who has not asked. */
  ForeignMessage unasked() {
    return unasked;
  }

  /** Of the request. */
  long xid() {
    return xid;
  }

  /** Whether more messages answer the same request. */
  boolean hasMore() {
    return hasMore;
  }

  /**
   * The limits known so far with this one.
   *
   * @param isOpenVSwitch whether the numbers by which it says that there is no limit count as none
   */
  Limits in(Limits known, boolean isOpenVSwitch) {
    // A switch that says 0 says nothing: it is asked for groups and rules anyway.
    boolean isNone =
        most == 0
            || most >= Fabric.UNLIMITED
            || (isOpenVSwitch && most == NO_LIMIT_IN_OPEN_VSWITCH);
    return isNone ? known : known.with(kind, (int) most);
  }
}
