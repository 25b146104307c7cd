package org.evenweave.standalone.tools;

import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Splits a stream into lines, which end with {@code \n} (the last one may lack it), in memory for
 * one line. Bytes are left undecoded, for the JSON parser.
 */
final class LineReader {
  /** Longer lines are skipped; the fabric of 100,000 servers takes a fifth of this. */
  static final int MAX_LINE_BYTES = 1 << 26;

  private static final int INITIAL_BYTES = 1 << 16;

  private final InputStream in;
  private final Flushable beforeWaiting;
  private byte[] buffer = new byte[INITIAL_BYTES];
  private int lineStart;
  private int lineLength;
  private int nextLine;
  private int end;
  private boolean tooLong;

  /**
   * @param beforeWaiting flushed whenever nothing more can be read without waiting, so that who
   *     writes line by line gets answer by answer
   */
  LineReader(InputStream in, Flushable beforeWaiting) {
    this.in = in;
    this.beforeWaiting = beforeWaiting;
  }

  /**
   * Goes to the next line.
   *
   * @return whether there is one
   */
  boolean next() throws IOException {
    lineStart = nextLine;
    tooLong = false;
    int scanned = lineStart;
    while (true) {
      for (int i = scanned; i < end; i++) {
        if (buffer[i] == '\n') {
          lineLength = i - lineStart;
          nextLine = i + 1;
          return true;
        }
      }
      makeRoom();
      scanned = end;
      if (!fill()) {
        lineLength = end - lineStart;
        nextLine = end;
        return lineLength > 0 || tooLong;
      }
    }
  }

  /** Moves the line's beginning to the front, grows the buffer, or gives up a line too long. */
  private void makeRoom() {
    if (end < buffer.length) {
      return;
    }
    if (lineStart > 0) {
      System.arraycopy(buffer, lineStart, buffer, 0, end - lineStart);
      end -= lineStart;
      lineStart = 0;
    } else if (buffer.length < MAX_LINE_BYTES) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    } else {
      tooLong = true;
      end = 0;
    }
  }

  private boolean fill() throws IOException {
    if (in.available() == 0) {
      beforeWaiting.flush();
    }
    int read = in.read(buffer, end, buffer.length - end);
    end += Math.max(0, read);
    return read >= 0;
  }

  /** Whether the line has more than {@link #MAX_LINE_BYTES}; then its bytes are not to be had. */
  boolean tooLong() {
    return tooLong;
  }

  /** Holds the line from {@link #offset} on; valid until {@link #next}. */
  byte[] buffer() {
    return buffer;
  }

  int offset() {
    return lineStart;
  }

  /** Bytes of the line, without its end. */
  int length() {
    return lineLength;
  }
}
