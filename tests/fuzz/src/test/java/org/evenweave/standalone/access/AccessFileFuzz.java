package org.evenweave.standalone.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of tokens. */
public final class AccessFileFuzz {
  private AccessFileFuzz() {}

  /** For Jazzer. */
  public static void fuzzerTestOneInput(byte[] text) throws IOException {
    Path file = Files.createTempFile("access", ".json");
    try {
      Files.write(file, text);
      AccessFile.read(file).forEach((name, entry) -> AccessFile.matches("secret", entry.hash));
    } catch (IOException e) {
      // Refused with a reason.
    } finally {
      Files.delete(file);
    }
  }
}
