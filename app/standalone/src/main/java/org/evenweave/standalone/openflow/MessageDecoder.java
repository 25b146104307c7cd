package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Cuts the byte stream of one switch into messages: {@link Hello}, {@link SwitchError}, {@link
 * RoleStatus}, {@link FlowMonitor}, openflowj's {@link OFMessage} for what is handled here, and
 * {@link ForeignMessage} for everything else.
 *
 * <p>The cutting is done here because openflowj bounds its reads by what is in the buffer, not by
 * the message's own length: given a stream, a wrong inner length would make it read on into the
 * next message. Given exactly one message it either reads all of it or throws, and what it throws
 * on bytes that it does not know is not only its {@link OFParseError} but whatever the bytes ran
 * into (IndexOutOfBounds, IllegalArgument, NullPointer...). All of that makes a {@link
 * ForeignMessage}: switches send what vendors and later versions have added, and the next message
 * starts where this one's header says. Only a header that is none of OpenFlow's is a {@link
 * MalformedMessageException}; then the rest of the stream is discarded, since nobody knows where in
 * it the next message starts.
 */
final class MessageDecoder extends ByteToMessageDecoder {
  /** OpenFlow 1.0 to 1.5. */
  private static final int LAST_WIRE_VERSION = 6;

  private final Dialect dialect;
  private final ForeignCounts foreign = new ForeignCounts();
  private long arrivedAtNanos;
  private int messageBytes;
  private boolean lost;

  MessageDecoder(Dialect dialect) {
    this.dialect = dialect;
  }

  /** What came and is not handled. */
  ForeignCounts foreign() {
    return foreign;
  }

  /** {@link System#nanoTime} of when the bytes now being handled arrived. */
  long arrivedAtNanos() {
    return arrivedAtNanos;
  }

  /** The length of the message that was decoded last, which is the one now being handled. */
  int messageBytes() {
    return messageBytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
    arrivedAtNanos = System.nanoTime();
    super.channelRead(context, bytes);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf stream, List<Object> messages) {
    if (lost) {
      stream.skipBytes(stream.readableBytes());
      return;
    }
    try {
      if (stream.readableBytes() >= OpenFlow13.HEADER_BYTES) {
        int length = checkedLength(stream);
        if (stream.readableBytes() >= length) {
          messageBytes = length;
          messages.add(message(stream.readSlice(length), messages));
        }
      }
    } catch (MalformedMessageException e) {
      lost = true;
      throw e;
    }
  }

  /** Also refuses what is no header of OpenFlow, before waiting for a body that may never come. */
  private static int checkedLength(ByteBuf stream) {
    int start = stream.readerIndex();
    int version = stream.getUnsignedByte(start);
    int type = stream.getUnsignedByte(start + 1);
    int length = stream.getUnsignedShort(start + 2);
    if (version == 0 || version > LAST_WIRE_VERSION) {
      throw new MalformedMessageException("message type " + type + " of wire version " + version);
    }
    if (length < OpenFlow13.HEADER_BYTES) {
      throw new MalformedMessageException("message type " + type + " of length " + length);
    }
    return length;
  }

  /**
   * @param before gets what is to be handled before the message
   */
  private Object message(ByteBuf frame, List<Object> before) {
    int type = frame.getUnsignedByte(frame.readerIndex() + 1);
    boolean anyVersion = type == OpenFlow13.TYPE_HELLO || type == OpenFlow13.TYPE_ERROR;
    if (!anyVersion && frame.getUnsignedByte(frame.readerIndex()) != dialect.version()) {
      return ForeignMessage.ofOtherVersion(frame);
    }
    if (RoleStatus.isOne(frame)) {
      return RoleStatus.read(frame);
    }
    if (FlowMonitor.isOne(frame)) {
      return FlowMonitor.read(frame);
    }
    if (ReportedLimits.isOne(frame)) {
      return ReportedLimits.read(frame);
    }
    if (ForeignMessage.isMisdirected(frame)) {
      return ForeignMessage.of(frame);
    }
    try {
      if (anyVersion) {
        return type == OpenFlow13.TYPE_HELLO ? Hello.read(frame) : SwitchError.read(frame);
      }
      ByteBuf as13 = dialect.fromWire(frame.duplicate());
      return as13 == null ? ForeignMessage.of(frame) : read(as13, before);
    } catch (OFParseError | RuntimeException e) {
      return ForeignMessage.of(frame);
    }
  }

  private static OFMessage read(ByteBuf frame, List<Object> before) throws OFParseError {
    ByteBuf ours = frame;
    if (TableDescription.isOne(frame)) {
      ours = TableDescription.bufferFor(frame);
      ForeignPart others = TableDescription.split(frame, ours);
      if (!others.isEmpty()) {
        before.add(others);
      }
    }
    OFMessage message = OpenFlow13.FACTORY.getReader().readFrom(ours);
    if (message == null || ours.isReadable()) {
      throw new OFParseError("a message that does not fill its length");
    }
    return message;
  }
}
