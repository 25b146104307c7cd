package org.evenweave.sdd.rest;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What a request brings. */
final class RequestBody {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private RequestBody() {}

  /**
   * Reads one document.
   *
   * @throws JsonProcessingException if it is none, or nothing at all
   */
  static JsonNode json(String body) throws JsonProcessingException {
    JsonNode json = JSON.readTree(body);
    if (json.isMissingNode()) {
      throw new JsonParseException(null, "there is nothing");
    }
    return json;
  }
}
