package org.evenweave.engine.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.evenweave.wcmp.fabric.FabricException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir private Path folder;

  private Path file(String text, Charset charset) throws IOException {
    return Files.write(folder.resolve("fabric.json"), text.getBytes(charset));
  }

  private static String problem(Path file) {
    return assertThrows(FabricException.class, () -> TextFile.read(file)).getMessage();
  }

  @Test
  void utf8IsReadWithOrWithoutAByteOrderMark() throws IOException {
    assertEquals(
        "{\"id\":\"\u00e9\"}", TextFile.read(file("{\"id\":\"\u00e9\"}", StandardCharsets.UTF_8)));
    assertEquals("{}", TextFile.read(file("\ufeff{}", StandardCharsets.UTF_8)));
    assertEquals("", TextFile.read(file("", StandardCharsets.UTF_8)));
  }

  @Test
  void anotherEncodingIsNamed() throws IOException {
    Path utf16 = file("\ufeff{}", StandardCharsets.UTF_16BE);
    assertEquals(utf16 + ": is not text in UTF-8 but in UTF-16", problem(utf16));
    Path littleEndian = file("\ufeff{}", StandardCharsets.UTF_16LE);
    assertEquals(littleEndian + ": is not text in UTF-8 but in UTF-16", problem(littleEndian));
    Path latin1 = file("{\"id\":\"\u00e9\"}", StandardCharsets.ISO_8859_1);
    assertEquals(latin1 + ": is not text in UTF-8", problem(latin1));
  }

  @Test
  void aFileWithoutEndIsGivenUp() {
    assertEquals(
        "/dev/zero: is longer than 64 MiB, the limit of a fabric file",
        problem(Path.of("/dev/zero")));
  }

  @Test
  void whatIsNoFileIsNamed() {
    assertEquals(folder.resolve("none") + ": no such file", problem(folder.resolve("none")));
    assertEquals(folder + ": cannot be read: Is a directory", problem(folder));
  }
}
