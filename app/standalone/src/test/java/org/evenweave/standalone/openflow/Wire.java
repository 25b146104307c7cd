package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Messages to bytes and back through the real decoder. */
final class Wire {
  /** The last action of rules that let sources pass, as openflowj stands in for it. */
  private static final byte[] STAND_IN =
      ByteBufUtil.decodeHexDump("00000010fffffff90000000000000000");

  /** The same as Open vSwitch has it: resubmit(,0). */
  private static final byte[] RESUBMIT =
      ByteBufUtil.decodeHexDump("ffff001000002320000efff800000000");

  private Wire() {}

  /** A message as a switch sends it. */
  static byte[] ofSwitch(OFMessage message) {
    return exchanged(bytes(message), STAND_IN, RESUBMIT);
  }

  /** What the controller sent, as openflowj can read it. */
  static byte[] readable(byte[] sent) {
    return exchanged(sent, RESUBMIT, STAND_IN);
  }

  private static byte[] exchanged(byte[] message, byte[] from, byte[] to) {
    byte[] changed = message.clone();
    for (int at = 0; at + from.length <= message.length; at++) {
      if (Arrays.equals(message, at, at + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, changed, at, to.length);
      }
    }
    return changed;
  }

  static byte[] bytes(OFMessage message) {
    ByteBuf buffer = Unpooled.buffer();
    message.writeTo(buffer);
    return ByteBufUtil.getBytes(buffer);
  }

  /** What the decoder makes of exactly one message's bytes. */
  static Object decode(byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new MessageDecoder(new Dialect()));
    try {
      channel.writeInbound(Unpooled.wrappedBuffer(bytes));
      Object message = channel.readInbound();
      if (message instanceof ForeignPart) {
        message = channel.readInbound();
      }
      if (channel.readInbound() != null) {
        throw new AssertionError("more than one message");
      }
      return message;
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  /** Whether a message asks for reports of changed rules; openflowj cannot read it. */
  static boolean isMonitorRequest(byte[] message) {
    ByteBuf bytes = Unpooled.wrappedBuffer(message);
    return ByteBufUtil.equals(bytes, FlowMonitor.request(message[0], bytes.getUnsignedInt(4)));
  }

  /** The message after a trip over the wire, in either direction. */
  @SuppressWarnings("unchecked")
  static <M extends OFMessage> M carried(M message) {
    try {
      return (M) OpenFlow13.FACTORY.getReader().readFrom(Unpooled.wrappedBuffer(bytes(message)));
    } catch (OFParseError e) {
      throw new AssertionError(message.toString(), e);
    }
  }
}
