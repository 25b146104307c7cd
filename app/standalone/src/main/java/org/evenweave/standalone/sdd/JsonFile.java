package org.evenweave.standalone.sdd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A document that a command is given. */
final class JsonFile {
  private JsonFile() {}

  /**
   * @param file a path, or {@code -} for standard input
   */
  static byte[] read(String file, CommandSpec spec) {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "FILE: " + file + " cannot be read");
    }
  }
}
