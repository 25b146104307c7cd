package org.evenweave.standalone.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Holds an answer back until it is complete, so that an error can still take its place; one that
 * does not fit passes on what it has, and then can no more be taken back.
 */
final class ResultBuffer extends OutputStream {
  private static final int BYTES = 1 << 16;
  private static final int MOST_DIGITS = 20;

  private final OutputStream out;
  private final byte[] held = new byte[BYTES];
  private final byte[] digits = new byte[MOST_DIGITS];
  private int length;
  private boolean begun;

  ResultBuffer(OutputStream out) {
    this.out = out;
  }

  /** Passes on what is held; the answer is complete. */
  void complete() throws IOException {
    out.write(held, 0, length);
    length = 0;
    begun = false;
  }

  /** Drops what is held; returns whether that was all of the answer. */
  boolean takeBack() {
    length = 0;
    return !begun;
  }

  private void reserve(int bytes) throws IOException {
    if (held.length - length < bytes) {
      out.write(held, 0, length);
      length = 0;
      begun = true;
    }
  }

  @Override
  public void write(int value) throws IOException {
    reserve(1);
    held[length++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    reserve(count);
    if (count > held.length) {
      out.write(bytes, offset, count);
      return;
    }
    System.arraycopy(bytes, offset, held, length, count);
    length += count;
  }

  /** Writes a number of at least 0. */
  void writeNumber(long number) throws IOException {
    int first = MOST_DIGITS;
    long left = number;
    do {
      digits[--first] = (byte) ('0' + left % 10);
      left /= 10;
    } while (left > 0);
    write(digits, first, MOST_DIGITS - first);
  }

  /** Writes a finite double as Jackson does. */
  void writeNumber(double number) throws IOException {
    write(Double.toString(number).getBytes(StandardCharsets.ISO_8859_1));
  }
}
