package org.evenweave.sdd.protocol;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.evenweave.sdd.protocol.wire.MessageHeaderEncoder;

/** One encoded message, header included: what goes into a frame behind its length. */
public final class Frame {
  private static final int USUAL_BYTES = 256;

  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(USUAL_BYTES);
  private int length;

  Frame() {}

  /** Where encoders write. */
  MutableDirectBuffer buffer() {
    return buffer;
  }

  static MessageHeaderEncoder header() {
    return new MessageHeaderEncoder();
  }

  /**
   * Ends the message.
   *
   * @param bodyBytes what the encoder wrote, without the header
   */
  Frame of(int bodyBytes) {
    length = MessageHeaderEncoder.ENCODED_LENGTH + bodyBytes;
    return this;
  }

  /** The message's bytes, header included. */
  public int length() {
    return length;
  }

  /** The message begins at 0 of this array, which may be longer. */
  public byte[] array() {
    return buffer.byteArray();
  }

  /** A copy of the message's bytes. */
  public byte[] bytes() {
    byte[] bytes = new byte[length];
    buffer.getBytes(0, bytes);
    return bytes;
  }
}
