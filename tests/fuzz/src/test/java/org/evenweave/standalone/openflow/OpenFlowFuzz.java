package org.evenweave.standalone.openflow;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;

/** The bytes of a switch. The first one says which version was agreed on. */
public final class OpenFlowFuzz {
  private OpenFlowFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    Dialect dialect = new Dialect();
    dialect.agreeOn(bytes[0] % 2 == 0 ? OpenFlow13.WIRE_VERSION : OpenFlow15.WIRE_VERSION);
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(dialect));
    try {
      channel.writeInbound(Unpooled.wrappedBuffer(bytes, 1, bytes.length - 1));
      channel.finish();
    } catch (MalformedMessageException e) {
      // The connection ends.
    }
    for (Object message = channel.readInbound(); message != null; ) {
      String unused = String.valueOf(message);
      ReferenceCountUtil.release(message);
      message = channel.readInbound();
    }
  }
}
