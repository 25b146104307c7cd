package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Writes openflowj's messages as bytes. */
final class MessageEncoder extends MessageToByteEncoder<OFMessage> {
  MessageEncoder() {
    super(OFMessage.class);
  }

  @Override
  protected void encode(ChannelHandlerContext context, OFMessage message, ByteBuf bytes) {
    message.writeTo(bytes);
  }
}
