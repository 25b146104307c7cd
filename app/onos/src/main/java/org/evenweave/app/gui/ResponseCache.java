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
 * Caches responses of REST resources that are polled, by entity tag: what has not changed is
 * neither written by the leader nor sent. Not thread-safe.
 */
final class ResponseCache {
  /** The longest page a resource gives. */
  static final int PAGE = 10_000;

  private static final int NOT_MODIFIED = 304;
  private static final int FIRST_ERROR = 400;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final byte[] NO_BODY = {};

  private static final class Cached {
    final String tag;
    final JsonNode body;

    Cached(String tag, JsonNode body) {
      this.tag = tag;
      this.body = body;
    }
  }

  /** An error response; the message is the resource's. */
  static final class ErrorResponseException extends Exception {
    private static final long serialVersionUID = 1;

    ErrorResponseException(String message) {
      super(message);
    }
  }

  private final RestClient rest;
  private final Map<String, Cached> cached = new HashMap<>();

  ResponseCache(RestClient rest) {
    this.rest = rest;
  }

  /**
   * The present JSON of a resource.
   *
   * @param path with its query
   */
  JsonNode get(String path) throws ErrorResponseException {
    Cached before = cached.get(path);
    Map<String, String> headers = before == null ? Map.of() : Map.of("If-None-Match", before.tag);
    RestResponse response = rest.send(new RestRequest("GET", path, headers, NO_BODY));
    if (response.status() == NOT_MODIFIED) {
      return before.body;
    }
    JsonNode body = parse(response.text());
    if (response.status() >= FIRST_ERROR) {
      throw new ErrorResponseException(body.path("error").asText());
    }
    String tag = response.headers().get("ETag");
    if (tag != null) {
      cached.put(path, new Cached(tag, body));
    }
    return body;
  }

  /** All rows of a paged list. */
  List<JsonNode> rows(String resource, String list) throws ErrorResponseException {
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

  /** Empties the cache. */
  void forget() {
    cached.clear();
  }

  private static JsonNode parse(String text) throws ErrorResponseException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new ErrorResponseException("not JSON: " + e.getOriginalMessage());
    }
  }
}
