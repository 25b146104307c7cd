package org.evenweave.app.rest;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.rest.ReadOnlyRequests;

/** An HTTP request to a REST resource, as sent between instances. */
public final class RestRequest {
  private static final byte[] NO_BODY = {};

  private final String method;
  private final String path;
  private final HashMap<String, String> headers;
  private final byte[] body;

  /**
   * @param method such as {@code GET}
   * @param path below the resources' root, without a leading slash, with the query, as encoded in
   *     an URI: {@code groups?switch=s1-0}
   * @param headers several values of one name are joined by commas
   */
  public RestRequest(String method, String path, Map<String, String> headers, byte[] body) {
    this.method = method;
    this.path = path;
    this.headers = new HashMap<>(headers);
    this.body = body;
  }

  /** Reads a resource. */
  public static RestRequest get(String path) {
    return new RestRequest("GET", path, Map.of(), NO_BODY);
  }

  /** Posts to a resource that takes no body. */
  public static RestRequest post(String path) {
    return new RestRequest("POST", path, Map.of(), NO_BODY);
  }

  /**
   * Puts a new state.
   *
   * @param json the state; empty for a resource that takes no body
   */
  public static RestRequest put(String path, String json) {
    Map<String, String> headers =
        json.isEmpty() ? Map.of() : Map.of("Content-Type", "application/json");
    return new RestRequest("PUT", path, headers, json.getBytes(StandardCharsets.UTF_8));
  }

  public static RestRequest delete(String path) {
    return new RestRequest("DELETE", path, Map.of(), NO_BODY);
  }

  public String method() {
    return method;
  }

  /** Whether it changes nothing. */
  public boolean isReadOnly() {
    int end = path.indexOf('?');
    return ReadOnlyRequests.contain(method, end < 0 ? path : path.substring(0, end));
  }

  /** Whether it is to this resource, with any query. */
  public boolean isTo(String resource) {
    return path.equals(resource) || path.startsWith(resource + "?");
  }

  /** Whether it is to a resource below this one. */
  boolean isBelow(String resource) {
    return path.startsWith(resource + "/");
  }

  public String path() {
    return path;
  }

  public Map<String, String> headers() {
    return headers;
  }

  public byte[] body() {
    return body;
  }

  @Override
  public String toString() {
    return method + " " + path + " " + new String(body, StandardCharsets.UTF_8);
  }
}
