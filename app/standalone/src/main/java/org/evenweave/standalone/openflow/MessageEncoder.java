package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Writes openflowj's messages as bytes, in the negotiated version. */
final class MessageEncoder extends MessageToByteEncoder<OFMessage> {
  private final Dialect dialect;

  MessageEncoder(Dialect dialect) {
    super(OFMessage.class);
    this.dialect = dialect;
  }

  @Override
  protected void encode(ChannelHandlerContext context, OFMessage message, ByteBuf bytes) {
    message.writeTo(bytes);
    dialect.toWire(bytes);
  }
}
