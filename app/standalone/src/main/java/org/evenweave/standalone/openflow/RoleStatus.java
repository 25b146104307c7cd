package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import org.projectfloodlight.openflow.types.U64;

/**
 * A switch's report that it has given this controller another role: OFPT_ROLE_STATUS of OpenFlow
 * 1.4 and later, or the same as an extension to 1.3 (ONF EXT-191), which Open vSwitch sends.
 */
final class RoleStatus {
  private static final int TYPE_EXPERIMENTER = 4;
  private static final int TYPE_ROLE_STATUS = 30;
  private static final int ONF = 0x4f4e_4600;
  private static final int ONF_ROLE_STATUS = 1911;
  private static final int EXPERIMENTER_BYTES = 8;

  /** Role, reason, padding, generation id. */
  private static final int BODY_BYTES = 16;

  private static final int ROLE_MASTER = 2;

  private final boolean master;
  private final U64 generation;

  private RoleStatus(boolean master, U64 generation) {
    this.master = master;
    this.generation = generation;
  }

  /** Whether a whole message is one. */
  static boolean isOne(ByteBuf frame) {
    return bodyAt(frame) > 0;
  }

  /** Where the role stands; 0 if the message is none. */
  private static int bodyAt(ByteBuf frame) {
    int start = frame.readerIndex();
    int type = frame.getUnsignedByte(start + 1);
    int body = start + OpenFlow13.HEADER_BYTES;
    if (type == TYPE_ROLE_STATUS && frame.getByte(start) > OpenFlow13.WIRE_VERSION) {
      return body + BODY_BYTES <= frame.writerIndex() ? body : 0;
    }
    int extension = body + EXPERIMENTER_BYTES;
    return type == TYPE_EXPERIMENTER
            && extension + BODY_BYTES <= frame.writerIndex()
            && frame.getInt(body) == ONF
            && frame.getInt(body + 4) == ONF_ROLE_STATUS
        ? extension
        : 0;
  }

  /** Reads a message of which {@link #isOne} holds. */
  static RoleStatus read(ByteBuf frame) {
    int body = bodyAt(frame);
    return new RoleStatus(frame.getInt(body) == ROLE_MASTER, U64.of(frame.getLong(body + 8)));
  }

  /** Whether this controller is the master. */
  boolean isMaster() {
    return master;
  }

  /** The generation id of the latest claim. */
  U64 generation() {
    return generation;
  }
}
