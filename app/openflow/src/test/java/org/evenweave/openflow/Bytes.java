package org.evenweave.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** Messages to bytes and back through openflowj. */
final class Bytes {
  private Bytes() {}

  /** In hex. */
  static String of(OFMessage message) {
    return ByteBufUtil.hexDump(buffer(message));
  }

  static int length(OFMessage message) {
    return buffer(message).readableBytes();
  }

  /** The message after it was written and read. */
  @SuppressWarnings("unchecked")
  static <M extends OFMessage> M carried(M message) {
    try {
      return (M) OFFactories.getFactory(OFVersion.OF_13).getReader().readFrom(buffer(message));
    } catch (OFParseError e) {
      throw new AssertionError(e);
    }
  }

  private static ByteBuf buffer(OFMessage message) {
    ByteBuf buffer = Unpooled.buffer();
    message.writeTo(buffer);
    return buffer;
  }
}
