package org.evenweave.standalone.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.evenweave.schema.FileProblem;

/** A JSON document that a command is given as a file, or on standard input. */
final class ConfigFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ConfigFile() {}

  /**
   * The text of the file.
   *
   * @param file a path, or {@code -} for standard input
   */
  static String text(String file) throws ClientException {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ClientException(
          ClientException.WRONG_INPUT, file + " cannot be read: " + FileProblem.of(e));
    }
  }

  /** The document in the text of a file. */
  static JsonNode json(String file, String text) throws ClientException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new ClientException(
          ClientException.WRONG_INPUT,
          file + ": line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage());
    }
  }
}
