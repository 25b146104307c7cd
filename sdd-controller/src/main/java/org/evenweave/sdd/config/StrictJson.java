package org.evenweave.sdd.config;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;

/** Reads one JSON document in which each field is there once, and nothing is behind it. */
public final class StrictJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private StrictJson() {}

  /** It is JSON, and more than one document or value; the message says what is too much. */
  public static final class TooMuchException extends JsonParseException {
    private static final long serialVersionUID = 1;

    TooMuchException(JsonParser parser, String message) {
      super(parser, message);
    }
  }

  /**
   * Reads it.
   *
   * @param json in UTF-8
   * @return missing if there is nothing
   * @throws TooMuchException if a field occurs twice, or something behind the document
   * @throws IOException if it is no JSON
   */
  public static JsonNode read(byte[] json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      JsonNode root = document(parser);
      if (!isAtEnd(parser)) {
        throw new TooMuchException(parser, "there is text after the document");
      }
      return root == null ? MissingNode.getInstance() : root;
    }
  }

  private static JsonNode document(JsonParser parser) throws IOException {
    try {
      return JSON.readTree(parser);
    } catch (JsonParseException e) {
      // The parser has no type of its own for it.
      if (e.getOriginalMessage().startsWith("Duplicate field")) {
        String name = parser.getParsingContext().getCurrentName();
        throw new TooMuchException(parser, "the field \"" + name + "\" occurs twice");
      }
      throw e;
    }
  }

  private static boolean isAtEnd(JsonParser parser) throws IOException {
    try {
      return parser.nextToken() == null;
    } catch (JsonProcessingException e) {
      return false;
    }
  }
}
