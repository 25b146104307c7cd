package org.evenweave.standalone.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.schema.InputSchema;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  private static List<String> linesOf(InputStream in) throws IOException {
    LineReader reader = new LineReader(in, () -> {});
    List<String> lines = new ArrayList<>();
    while (reader.next()) {
      assertFalse(reader.tooLong());
      lines.add(
          new String(
              reader.buffer(), reader.offset(), reader.length(), StandardCharsets.ISO_8859_1));
    }
    assertFalse(reader.next(), "the end stays the end");
    return lines;
  }

  /** Line lengths around the buffer's, which is 64 KiB at first. */
  @Property(tries = 200)
  void linesAreWhatIsBetweenNewlines(@ForAll Random random) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      int length = random.nextInt(3) * 0xfffe + random.nextInt(5);
      text.append("abc".repeat(length / 3 + 1), 0, length).append('\n');
    }
    text.append("x".repeat(random.nextInt(3)));
    List<String> expected = new ArrayList<>(Arrays.asList(text.toString().split("\n", -1)));
    if (expected.get(expected.size() - 1).isEmpty()) {
      expected.remove(expected.size() - 1);
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(expected, linesOf(new ByteArrayInputStream(bytes)));
    assertEquals(expected, linesOf(new InPieces(bytes, random)));
  }

  @Test
  void aLineTooLongIsSkippedAndSaidSo() throws IOException {
    byte[] text = new byte[2 * LineReader.MAX_LINE_BYTES + 3];
    Arrays.fill(text, (byte) 'x');
    text[1] = '\n';
    text[text.length - 2] = '\n';
    LineReader reader = new LineReader(new ByteArrayInputStream(text), () -> {});
    assertTrue(reader.next());
    assertEquals(1, reader.length());
    assertTrue(reader.next());
    assertTrue(reader.tooLong());
    assertTrue(reader.next());
    assertFalse(reader.tooLong());
    assertEquals(1, reader.length());
    assertFalse(reader.next());
  }

  /** Somebody who types, or a program that waits for each answer before it asks again. */
  @Test
  void answersAreThereBeforeTheNextLineIsWaitedFor() throws IOException {
    String line = "{\"weights\":[1],\"maxOversubscription\":1}\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int[] asked = {0};
    InputStream typist =
        new InputStream() {
          private int position = line.length();

          @Override
          public int read() {
            if (position == line.length()) {
              assertEquals(asked[0], out.toString(StandardCharsets.UTF_8).lines().count());
              if (asked[0]++ == 3) {
                return -1;
              }
              position = 0;
            }
            return line.charAt(position++);
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            int first = read();
            if (first < 0) {
              return -1;
            }
            buffer[offset] = (byte) first;
            int read = 1;
            while (read < length && position < line.length()) {
              buffer[offset + read++] = (byte) line.charAt(position++);
            }
            return read;
          }

          @Override
          public int available() {
            return line.length() - position;
          }
        };
    ReduceTool reduce = new ReduceTool();
    new ResultStream(() -> InputSchema.named("reduce"), reduce::answer, reduce.plainAnswer(), out)
        .answerAll(typist);
    assertEquals(4, asked[0]);
  }

  /** Gives what it has in small or large pieces. */
  private static final class InPieces extends InputStream {
    private final ByteArrayInputStream whole;
    private final Random random;

    InPieces(byte[] bytes, Random random) {
      this.whole = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() {
      return whole.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int piece = random.nextBoolean() ? 1 + random.nextInt(3) : 1 + random.nextInt(1 << 16);
      return whole.read(buffer, offset, Math.min(length, piece));
    }
  }
}
