package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * Cuts the byte stream of one switch into messages: {@link Hello}, {@link SwitchError}, and
 * openflowj's {@link OFMessage} for everything else.
 *
 * <p>The cutting is done here because openflowj bounds its reads by what is in the buffer, not by
 * the message's own length: given a stream, a wrong inner length would make it read on into the
 * next message. Given exactly one message it either reads all of it or throws, and what it throws
 * on bad bytes is not only its {@link OFParseError} but whatever the bytes ran into
 * (IndexOutOfBounds, IllegalArgument, NullPointer...). All of that becomes a {@link
 * MalformedMessageException}; after the first, the rest of the stream is discarded, since nobody
 * knows where in it the next message starts.
 */
final class MessageDecoder extends ByteToMessageDecoder {
  private final Dialect dialect;
  private long arrivedAtNanos;
  private int messageBytes;
  private boolean lost;

  MessageDecoder(Dialect dialect) {
    this.dialect = dialect;
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
          Object message = message(stream.readSlice(length), messages);
          if (message != null) {
            messages.add(message);
          }
        }
      }
    } catch (MalformedMessageException e) {
      lost = true;
      throw e;
    }
  }

  /** Also refuses what is no header of ours, before waiting for a body that may never come. */
  private int checkedLength(ByteBuf stream) {
    int start = stream.readerIndex();
    int version = stream.getUnsignedByte(start);
    int type = stream.getUnsignedByte(start + 1);
    int length = stream.getUnsignedShort(start + 2);
    boolean anyVersion = type == OpenFlow13.TYPE_HELLO || type == OpenFlow13.TYPE_ERROR;
    if (version != dialect.version() && !anyVersion) {
      throw new MalformedMessageException(
          "message type "
              + type
              + " with version byte "
              + version
              + " instead of "
              + dialect.version());
    }
    if (length < OpenFlow13.HEADER_BYTES) {
      throw new MalformedMessageException("message type " + type + " of length " + length);
    }
    return length;
  }

  /**
   * The message; null for one that 1.3 has not.
   *
   * @param before gets what is to be handled before it
   */
  private Object message(ByteBuf frame, List<Object> before) {
    int type = frame.getUnsignedByte(frame.readerIndex() + 1);
    if (type == OpenFlow13.TYPE_HELLO) {
      return Hello.read(frame);
    }
    if (type == OpenFlow13.TYPE_ERROR) {
      return SwitchError.read(frame);
    }
    try {
      ByteBuf as13 = dialect.fromWire(frame);
      if (as13 == null) {
        return null;
      }
      ByteBuf ours = as13;
      if (TableDescription.isOne(as13)) {
        ours = TableDescription.bufferFor(as13);
        ForeignPart foreign = TableDescription.split(as13, ours);
        if (!foreign.isEmpty()) {
          before.add(foreign);
        }
      }
      OFMessage message = OpenFlow13.FACTORY.getReader().readFrom(ours);
      if (message == null || ours.isReadable()) {
        throw new MalformedMessageException("message type " + type + " does not fill its length");
      }
      return message;
    } catch (MalformedMessageException e) {
      throw e;
    } catch (OFParseError e) {
      throw new MalformedMessageException("message type " + type + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      throw new MalformedMessageException(
          "message type " + type + " with wrong inner lengths or values", e);
    }
  }
}
