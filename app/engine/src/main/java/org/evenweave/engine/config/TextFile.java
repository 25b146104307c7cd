package org.evenweave.engine.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.evenweave.schema.FileProblem;
import org.evenweave.wcmp.fabric.FabricException;

/** Reads a text file given by an operator in bounded memory, even if it is a device or binary. */
final class TextFile {
  /** As a body of REST; the fabric of 100,000 servers takes some 20 MB. */
  static final int MAX_BYTES = 1 << 26;

  private static final char BYTE_ORDER_MARK = 0xfeff;

  private TextFile() {}

  /**
   * Reads a file in UTF-8, with or without a byte order mark.
   *
   * @throws FabricException naming the file, if it cannot be read, is too long, or is no such text
   */
  static String read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new FabricException(file.toString(), "no such file");
    } catch (IOException e) {
      throw new FabricException(file.toString(), "cannot be read: " + FileProblem.of(e));
    }
    if (bytes.length > MAX_BYTES) {
      throw new FabricException(
          file.toString(),
          "is longer than " + (MAX_BYTES >> 20) + " MiB, the limit of a fabric file");
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new FabricException(
          file.toString(), "is not text in UTF-8" + (isUtf16(bytes) ? " but in UTF-16" : ""));
    }
  }

  /** By the byte order mark that editors put in front. */
  private static boolean isUtf16(byte[] bytes) {
    int first = bytes.length < 2 ? 0 : ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
    return first == 0xfeff || first == 0xfffe;
  }
}
