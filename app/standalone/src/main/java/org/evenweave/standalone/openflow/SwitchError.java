package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFErrorType;
import org.projectfloodlight.openflow.protocol.ver13.OFBadActionCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFBadInstructionCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFBadMatchCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFBadRequestCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFErrorTypeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFFlowModFailedCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFGroupModFailedCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFHelloFailedCodeSerializerVer13;
import org.projectfloodlight.openflow.protocol.ver13.OFRoleRequestFailedCodeSerializerVer13;

/**
 * A switch's ERROR. Read here and not by openflowj, which throws at a code it does not know: an
 * error must reach the operation it is about, whatever it says. openflowj gives the names.
 */
final class SwitchError {
  private static final int BODY_BYTES = 4;

  /** OFPBRC_IS_SLAVE; the other errors by which roles are refused have a type of their own. */
  private static final short IS_SLAVE =
      OFBadRequestCodeSerializerVer13.toWireValue(OFBadRequestCode.IS_SLAVE);

  private final long xid;
  private final short type;
  private final short code;
  private final String text;

  private SwitchError(long xid, short type, short code, String text) {
    this.xid = xid;
    this.type = type;
    this.code = code;
    this.text = text;
  }

  /** The answer to a request that is there, and cannot be read. */
  static SwitchError unreadable(ForeignMessage answer) {
    return new SwitchError(
        answer.xid(), (short) -1, (short) -1, "the answer cannot be read: " + answer.kind());
  }

  /** Reads a whole message. */
  static SwitchError read(ByteBuf frame) throws MalformedMessageException {
    int start = frame.readerIndex();
    int body = start + OpenFlow13.HEADER_BYTES;
    if (frame.readableBytes() < OpenFlow13.HEADER_BYTES + BODY_BYTES) {
      throw new MalformedMessageException("ERROR of " + frame.readableBytes() + " bytes");
    }
    long xid = frame.getUnsignedInt(start + 4);
    short type = frame.getShort(body);
    short code = frame.getShort(body + 2);
    int dataBytes = frame.writerIndex() - body - BODY_BYTES;
    String text = typeName(type) + ": " + codeName(type, code);
    if (type == OFErrorTypeSerializerVer13.HELLO_FAILED_VAL && dataBytes > 0) {
      text += " (" + ascii(frame, body + BODY_BYTES, dataBytes) + ")";
    }
    return new SwitchError(xid, type, code, text);
  }

  /** The xid of the message that was refused. */
  long xid() {
    return xid;
  }

  /** Whether the message was refused because another controller is master. */
  boolean isSlave() {
    return type == OFErrorTypeSerializerVer13.BAD_REQUEST_VAL && code == IS_SLAVE;
  }

  /** Whether a claim to be master was refused because another controller's was newer. */
  boolean isStaleRole() {
    return type == OFErrorTypeSerializerVer13.ROLE_REQUEST_FAILED_VAL && code == 0;
  }

  /** Type and code in words, as in {@code group mod failed: GROUP_EXISTS}. */
  @Override
  public String toString() {
    return text;
  }

  /** HELLO_FAILED carries a text; only its printable ASCII is logged. */
  private static String ascii(ByteBuf frame, int at, int bytes) {
    return frame
        .toString(at, Math.min(bytes, 120), StandardCharsets.US_ASCII)
        .replaceAll("[^ -~]", "?");
  }

  private static String typeName(short type) {
    try {
      OFErrorType known = OFErrorTypeSerializerVer13.ofWireValue(type);
      return known.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    } catch (IllegalArgumentException e) {
      return "error type " + (type & 0xffff);
    }
  }

  private static String codeName(short type, short code) {
    try {
      return String.valueOf(knownCode(type, code));
    } catch (IllegalArgumentException e) {
      return "code " + (code & 0xffff);
    }
  }

  private static Object knownCode(short type, short code) {
    switch (type) {
      case OFErrorTypeSerializerVer13.HELLO_FAILED_VAL:
        return OFHelloFailedCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.BAD_REQUEST_VAL:
        return OFBadRequestCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.BAD_ACTION_VAL:
        return OFBadActionCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.BAD_INSTRUCTION_VAL:
        return OFBadInstructionCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.BAD_MATCH_VAL:
        return OFBadMatchCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.FLOW_MOD_FAILED_VAL:
        return OFFlowModFailedCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.GROUP_MOD_FAILED_VAL:
        return OFGroupModFailedCodeSerializerVer13.ofWireValue(code);
      case OFErrorTypeSerializerVer13.ROLE_REQUEST_FAILED_VAL:
        return OFRoleRequestFailedCodeSerializerVer13.ofWireValue(code);
      default:
        return "code " + (code & 0xffff);
    }
  }
}
