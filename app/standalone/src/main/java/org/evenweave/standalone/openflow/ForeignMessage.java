package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;

/**
 * A well-framed message that is not handled here: of a vendor, of another version, one that only
 * controllers send, or one whose contents cannot be read. It ends no connection. OpenFlow has a
 * receiver answer requests that it does not know by an error (1.3.5, sections 7.4.4.2 and 7.5.4);
 * replies and reports are ignored.
 */
final class ForeignMessage {
  private static final List<String> TYPES =
      List.of(
          "HELLO",
          "ERROR",
          "ECHO_REQUEST",
          "ECHO_REPLY",
          "EXPERIMENTER",
          "FEATURES_REQUEST",
          "FEATURES_REPLY",
          "GET_CONFIG_REQUEST",
          "GET_CONFIG_REPLY",
          "SET_CONFIG",
          "PACKET_IN",
          "FLOW_REMOVED",
          "PORT_STATUS",
          "PACKET_OUT",
          "FLOW_MOD",
          "GROUP_MOD",
          "PORT_MOD",
          "TABLE_MOD",
          "MULTIPART_REQUEST",
          "MULTIPART_REPLY",
          "BARRIER_REQUEST",
          "BARRIER_REPLY",
          "QUEUE_GET_CONFIG_REQUEST",
          "QUEUE_GET_CONFIG_REPLY",
          "ROLE_REQUEST",
          "ROLE_REPLY",
          "GET_ASYNC_REQUEST",
          "GET_ASYNC_REPLY",
          "SET_ASYNC",
          "METER_MOD",
          "ROLE_STATUS",
          "TABLE_STATUS",
          "REQUESTFORWARD",
          "BUNDLE_CONTROL",
          "BUNDLE_ADD_MESSAGE",
          "CONTROLLER_STATUS");

  /** What controllers send to switches. */
  private static final Set<Integer> REQUESTS =
      Set.of(5, 7, 9, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 29, 33, 34);

  /** What switches answer requests with. */
  private static final Set<Integer> REPLIES = Set.of(6, 8, 19, 21, 23, 25, 27);

  private static final int TYPE_EXPERIMENTER = 4;
  private static final int TYPE_PACKET_IN = 10;
  private static final int TYPE_PORT_STATUS = 12;
  private static final int TYPE_MULTIPART_REQUEST = 18;
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int MULTIPART_EXPERIMENTER = 0xffff;
  private static final int LAST_REASON_OF_PACKET_IN_13 = 2;
  private static final int LAST_REASON_OF_PORT_STATUS = 2;

  /** Of a packet-in: header, buffer, total length. */
  private static final int PACKET_IN_REASON_AT = OpenFlow13.HEADER_BYTES + 6;

  /** How much of the message an error quotes (1.3.5, section 7.4.4). */
  private static final int QUOTED_BYTES = 64;

  private final int type;
  private final long xid;
  private final String kind;
  private final OFBadRequestCode error;
  private final byte[] head;

  private ForeignMessage(ByteBuf frame, String kind, OFBadRequestCode error) {
    int start = frame.readerIndex();
    type = frame.getUnsignedByte(start + 1);
    xid = frame.getUnsignedInt(start + 4);
    this.kind = kind;
    this.error = error;
    head = ByteBufUtil.getBytes(frame, start, Math.min(QUOTED_BYTES, frame.readableBytes()));
  }

  /** A message of another version than the negotiated one. */
  static ForeignMessage ofOtherVersion(ByteBuf frame) {
    int start = frame.readerIndex();
    int version = frame.getUnsignedByte(start);
    String kind = name(frame.getUnsignedByte(start + 1)) + " of OpenFlow wire version " + version;
    return new ForeignMessage(frame, kind, OFBadRequestCode.BAD_VERSION);
  }

  /** A message that only a controller sends, or of a type that no version has. */
  static boolean isMisdirected(ByteBuf frame) {
    int type = frame.getUnsignedByte(frame.readerIndex() + 1);
    return REQUESTS.contains(type) || type >= TYPES.size();
  }

  /** Any other message of the negotiated version; its contents may be damaged. */
  static ForeignMessage of(ByteBuf frame) {
    int type = frame.getUnsignedByte(frame.readerIndex() + 1);
    OFBadRequestCode error = null;
    if (type == TYPE_EXPERIMENTER) {
      error = OFBadRequestCode.BAD_EXPERIMENTER;
    } else if (type == TYPE_MULTIPART_REQUEST) {
      error = OFBadRequestCode.BAD_STAT;
    } else if (isMisdirected(frame)) {
      error = OFBadRequestCode.BAD_TYPE;
    }
    return new ForeignMessage(frame, kind(frame, type), error);
  }

  private static String kind(ByteBuf frame, int type) {
    int body = frame.readerIndex() + OpenFlow13.HEADER_BYTES;
    int bodyBytes = frame.writerIndex() - body;
    if (type == TYPE_EXPERIMENTER && bodyBytes >= 8) {
      return experimenter("EXPERIMENTER", frame, body);
    }
    if ((type == TYPE_MULTIPART_REPLY || type == TYPE_MULTIPART_REQUEST) && bodyBytes >= 8) {
      int multipart = frame.getUnsignedShort(body);
      String name = name(type) + " of type " + multipart;
      return multipart == MULTIPART_EXPERIMENTER && bodyBytes >= 16
          ? experimenter(name, frame, body + 8)
          : name;
    }
    if (type == TYPE_PACKET_IN && bodyBytes >= 8) {
      int reason = frame.getUnsignedByte(frame.readerIndex() + PACKET_IN_REASON_AT);
      return name(type) + (reason > LAST_REASON_OF_PACKET_IN_13 ? " with reason " + reason : "");
    }
    if (type == TYPE_PORT_STATUS && bodyBytes >= 1) {
      int reason = frame.getUnsignedByte(body);
      return name(type) + (reason > LAST_REASON_OF_PORT_STATUS ? " with reason " + reason : "");
    }
    return name(type);
  }

  private static String experimenter(String name, ByteBuf frame, int at) {
    return String.format(
        Locale.ROOT,
        "%s 0x%08x type %d",
        name,
        frame.getInt(at),
        Integer.toUnsignedLong(frame.getInt(at + 4)));
  }

  private static String name(int type) {
    return type < TYPES.size() ? TYPES.get(type) : "message type " + type;
  }

  long xid() {
    return xid;
  }

  /** What it is counted as: a type, with what tells messages of this type apart. */
  String kind() {
    return kind;
  }

  /** Whether it answers a request. */
  boolean isReply() {
    return REPLIES.contains(type);
  }

  /** The error that answers it; null if it is to be ignored. */
  OFMessage answer() {
    return error == null
        ? null
        : OpenFlow13.FACTORY
            .errorMsgs()
            .buildBadRequestErrorMsg()
            .setXid(xid)
            .setCode(error)
            .setData(OFErrorCauseData.of(head, OFVersion.OF_13))
            .build();
  }

  @Override
  public String toString() {
    return kind;
  }
}
