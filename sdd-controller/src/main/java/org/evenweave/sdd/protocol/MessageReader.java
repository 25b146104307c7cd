package org.evenweave.sdd.protocol;

import org.agrona.DirectBuffer;
import org.evenweave.sdd.protocol.wire.MessageHeaderDecoder;

/**
 * Opens a frame: checks the header and the message's shape, so that the generated decoders can then
 * read every field. Reused; not thread-safe.
 */
public final class MessageReader {
  /** A message of a newer version of the schema, which is to be skipped. */
  public static final int UNKNOWN = 0;

  private final MessageHeaderDecoder header = new MessageHeaderDecoder();
  private int bodyOffset;

  /**
   * Checks a frame.
   *
   * @param offset where the message's header starts
   * @param length the frame's bytes
   * @return the message's template, or {@link #UNKNOWN}
   * @throws ProtocolException if it is no message of the schema
   */
  public int open(DirectBuffer buffer, int offset, int length) throws ProtocolException {
    if (length < MessageHeaderDecoder.ENCODED_LENGTH || length > Limits.MAX_MESSAGE_BYTES) {
      throw new ProtocolException("message", "cannot have " + length + " bytes");
    }
    header.wrap(buffer, offset);
    if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID) {
      throw new ProtocolException("message", "is of the unknown schema " + header.schemaId());
    }
    boolean newer = header.version() > MessageHeaderDecoder.SCHEMA_VERSION;
    Layout layout = Layouts.of(header.templateId());
    if (layout == null) {
      if (newer) {
        return UNKNOWN;
      }
      throw new ProtocolException("message", "is of the unknown template " + header.templateId());
    }
    bodyOffset = offset + MessageHeaderDecoder.ENCODED_LENGTH;
    int limit = offset + length;
    int end = layout.end(buffer, bodyOffset, header.blockLength(), header.version(), limit);
    if (end < limit && !newer) {
      throw new ProtocolException(layout.name(), (limit - end) + " bytes follow its end");
    }
    return header.templateId();
  }

  /** Where the message's block starts: a decoder's {@code wrap} needs these three. */
  public int bodyOffset() {
    return bodyOffset;
  }

  /** The block's length as the sender wrote it. */
  public int blockLength() {
    return header.blockLength();
  }

  /** The sender's version of the schema. */
  public int version() {
    return header.version();
  }
}
