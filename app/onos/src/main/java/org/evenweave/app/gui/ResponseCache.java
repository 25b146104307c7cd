package org.evenweave.app.gui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.app.rest.RestClient;
import org.evenweave.app.rest.RestRequest;
import org.evenweave.app.rest.RestResponse;

/**
 * The REST resources' answers, asked for again and again. What has not changed since the last time
 * is neither written by the leader nor sent. For one thread.
 */
final class ResponseCache {
  /** The longest page a resource gives. */
  static final int PAGE = 10_000;

  private static final int NOT_MODIFIED = 304;
  private static final int FIRST_ERROR = 400;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final byte[] NO_BODY = {};

  private static final class Known {
    final String tag;
    final JsonNode body;

    Known(String tag, JsonNode body) {
      this.tag = tag;
      this.body = body;
    }
  }

  /** There is no answer now; the message is the resource's. */
  static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
      super(message);
    }
  }

  private final RestClient questions;
  private final Map<String, Known> known = new HashMap<>();

  ResponseCache(RestClient questions) {
    this.questions = questions;
  }

  /**
   * What a resource says now.
   *
   * @param path with its query
   */
  JsonNode get(String path) throws NoAnswerException {
    Known before = known.get(path);
    Map<String, String> headers = before == null ? Map.of() : Map.of("If-None-Match", before.tag);
    RestResponse answer = questions.ask(new RestRequest("GET", path, headers, NO_BODY));
    if (answer.status() == NOT_MODIFIED) {
      return before.body;
    }
    JsonNode body = parse(answer.text());
    if (answer.status() >= FIRST_ERROR) {
      throw new NoAnswerException(body.path("error").asText());
    }
    String tag = answer.headers().get("ETag");
    if (tag != null) {
      known.put(path, new Known(tag, body));
    }
    return body;
  }

  /** All rows of a resource that is a list in pages. */
  List<JsonNode> rows(String resource, String list) throws NoAnswerException {
    List<JsonNode> rows = new ArrayList<>();
    int offset = 0;
    JsonNode page;
    do {
      page = get(resource + "?limit=" + PAGE + "&offset=" + offset);
      page.get(list).forEach(rows::add);
      offset = page.path("next").asInt();
    } while (page.has("next"));
    return rows;
  }

  /** Forgets what nobody may ask for again. */
  void forget() {
    known.clear();
  }

  private static JsonNode parse(String text) throws NoAnswerException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new NoAnswerException("not JSON: " + e.getOriginalMessage());
    }
  }
}
