package org.evenweave.standalone.sdd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.evenweave.schema.FileProblem;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A document that a command is given. */
final class JsonFile {
  /** What REST accepts as a body. */
  private static final int MAX_BYTES = 1 << 26;

  private JsonFile() {}

  /**
   * @param file a path, or {@code -} for standard input
   */
  static byte[] read(String file, CommandSpec spec) {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new ParameterException(
            spec.commandLine(), "FILE: " + file + " is longer than " + (MAX_BYTES >> 20) + " MiB");
      }
      return bytes;
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "FILE: " + file + " cannot be read: " + FileProblem.of(e));
    }
  }
}
