package org.evenweave.standalone.openflow;

import io.netty.buffer.ByteBuf;

/**
 * A switch's HELLO. Read here and not by openflowj because it comes in the highest version the
 * switch speaks, and may hold elements not defined yet, which must be skipped (OpenFlow 1.3.5,
 * section 6.3.1).
 */
final class Hello {
  private static final int VERSION_BITMAP = 1;
  private static final int ELEMENT_HEADER_BYTES = 4;

  private final int version;
  private final boolean hasBitmap;
  private final int bitmap;

  private Hello(int version, boolean hasBitmap, int bitmap) {
    this.version = version;
    this.hasBitmap = hasBitmap;
    this.bitmap = bitmap;
  }

  /** Reads a whole message. */
  static Hello read(ByteBuf frame) throws MalformedMessageException {
    int version = frame.getUnsignedByte(frame.readerIndex());
    int at = frame.readerIndex() + OpenFlow13.HEADER_BYTES;
    int end = frame.writerIndex();
    // Before 1.3 a HELLO had a body that meant nothing.
    while (version >= OpenFlow13.WIRE_VERSION && at + ELEMENT_HEADER_BYTES <= end) {
      int type = frame.getUnsignedShort(at);
      int length = frame.getUnsignedShort(at + 2);
      if (length < ELEMENT_HEADER_BYTES || at + length > end) {
        throw new MalformedMessageException("HELLO with an element of length " + length);
      }
      if (type == VERSION_BITMAP && length >= ELEMENT_HEADER_BYTES + 4) {
        return new Hello(version, true, frame.getInt(at + ELEMENT_HEADER_BYTES));
      }
      at += (length + 7) / 8 * 8;
    }
    return new Hello(version, false, 0);
  }

  /**
   * The highest version that both sides know, 1.5 or 1.3; 0 if there is none. Our own HELLO says
   * 1.3 in its header and both in its bitmap, so that with a switch that knows no bitmaps (they
   * came with 1.3.1) the lower of the headers' versions can only be 1.3.
   */
  int agreedVersion() {
    if (!hasBitmap) {
      return version >= OpenFlow13.WIRE_VERSION ? OpenFlow13.WIRE_VERSION : 0;
    }
    if ((bitmap >>> OpenFlow15.WIRE_VERSION & 1) != 0) {
      return OpenFlow15.WIRE_VERSION;
    }
    return (bitmap >>> OpenFlow13.WIRE_VERSION & 1) != 0 ? OpenFlow13.WIRE_VERSION : 0;
  }

  @Override
  public String toString() {
    return "HELLO of wire version "
        + version
        + (hasBitmap ? " with versions 0x" + Integer.toHexString(bitmap) : "");
  }
}
