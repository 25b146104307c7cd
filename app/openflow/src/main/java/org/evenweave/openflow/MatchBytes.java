package org.evenweave.openflow;

import java.nio.ByteBuffer;
import org.evenweave.engine.headers.HeaderField;

/** One field of a match, or of an action that sets it (OXM; OpenFlow 1.3.5, section 7.2.3.2). */
final class MatchBytes {
  private static final int HEADER_BYTES = 4;
  private static final int EXPERIMENTER_CLASS = 0xffff;
  private static final int EXPERIMENTER_BYTES = 4;
  private static final int MAX_BYTES = 16;

  private final int oxmClass;
  private final int field;
  private final boolean masked;
  private final int bytes;
  private final long[] value;
  private final long[] mask;

  private MatchBytes(int header, int bytes, long[] value, long[] mask) {
    oxmClass = header >>> 16;
    field = header >>> 9 & 0x7f;
    masked = (header & 0x100) != 0;
    this.bytes = bytes;
    this.value = value;
    this.mask = mask;
  }

  /**
   * Reads a field and moves behind it.
   *
   * @throws IllegalArgumentException if it is longer than what is left
   */
  static MatchBytes next(ByteBuffer fields) {
    if (fields.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException("a match field without a header");
    }
    int header = fields.getInt();
    int length = header & 0xff;
    if (length > fields.remaining()) {
      throw new IllegalArgumentException("a match field of " + length + " bytes");
    }
    int end = fields.position() + length;
    int prefix = header >>> 16 == EXPERIMENTER_CLASS ? Math.min(EXPERIMENTER_BYTES, length) : 0;
    fields.position(fields.position() + prefix);
    boolean masked = (header & 0x100) != 0;
    int bytes = (length - prefix) / (masked ? 2 : 1);
    MatchBytes read;
    if (bytes > MAX_BYTES) {
      read = new MatchBytes(header, bytes, new long[2], new long[2]);
    } else {
      long[] value = bits(fields, bytes);
      long[] all = all(HeaderField.bits(number(header), bytes));
      long[] mask = masked ? bits(fields, bytes) : all;
      read = new MatchBytes(header, bytes, value, new long[] {mask[0] & all[0], mask[1] & all[1]});
    }
    fields.position(end);
    return read;
  }

  private static long[] bits(ByteBuffer fields, int bytes) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < bytes; i++) {
      high = high << 8 | low >>> 56;
      low = low << 8 | Byte.toUnsignedLong(fields.get());
    }
    return new long[] {high, low};
  }

  private static long[] all(int bits) {
    long high = bits <= 64 ? 0 : -1L >>> (128 - bits);
    long low = bits == 0 ? 0 : bits >= 64 ? -1L : -1L >>> (64 - bits);
    return new long[] {high, low};
  }

  private static int number(int header) {
    return HeaderField.of(header >>> 16, header >>> 9 & 0x7f);
  }

  int oxmClass() {
    return oxmClass;
  }

  /** The number in its class. */
  int field() {
    return field;
  }

  boolean isMasked() {
    return masked;
  }

  /** Whether the value has at most 128 bits; else it counts as any. */
  boolean fits() {
    return bytes <= MAX_BYTES;
  }

  /** As {@link HeaderField}; Open vSwitch's older numbers as OpenFlow's. */
  int number() {
    return NiciraFields.number(oxmClass, field);
  }

  long high() {
    return value[0];
  }

  long low() {
    return value[1];
  }

  long maskHigh() {
    return mask[0];
  }

  long maskLow() {
    return mask[1];
  }
}
