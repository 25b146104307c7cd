package org.evenweave.sdd.rest;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.evenweave.sdd.config.StrictJson;

/** The body of a request. */
final class RequestBody {
  private RequestBody() {}

  /**
   * Reads one document.
   *
   * @throws IOException if it is none, more than one, or nothing at all: see {@link #problem}
   */
  static JsonNode json(String body) throws IOException {
    JsonNode json = StrictJson.read(body.getBytes(StandardCharsets.UTF_8));
    if (json.isMissingNode()) {
      throw new JsonParseException(null, "there is nothing");
    }
    return json;
  }

  /** What to answer to a body that could not be read. */
  static String problem(IOException e) {
    return e instanceof StrictJson.TooMuchException
        ? "the body: " + ((StrictJson.TooMuchException) e).getOriginalMessage()
        : "the body is not JSON";
  }
}
