package org.evenweave.app.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.evenweave.engine.rest.JsonErrors;

/** An HTTP response of a REST resource, as sent between instances. */
public final class RestResponse {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int status;
  private final HashMap<String, String> headers;
  private final byte[] body;

  /**
   * @param status of HTTP
   * @param headers several values of one name are joined by commas
   */
  public RestResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = new HashMap<>(headers);
    this.body = body;
  }

  /** An error as the resources report it. */
  public static RestResponse error(int status, String message) {
    return new RestResponse(
        status,
        Map.of("Content-Type", "application/json"),
        JsonErrors.body(message).getBytes(StandardCharsets.UTF_8));
  }

  public int status() {
    return status;
  }

  public Map<String, String> headers() {
    return headers;
  }

  public byte[] body() {
    return body;
  }

  /** The body, which is JSON. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** This response with fields added to its JSON object; unchanged if it has no body. */
  RestResponse with(Map<String, String> fields) {
    if (body.length == 0) {
      return this;
    }
    try {
      ObjectNode object = (ObjectNode) JSON.readTree(text());
      new TreeMap<>(fields).forEach(object::put);
      return new RestResponse(status, headers, object.toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("no JSON: " + this, e);
    }
  }

  @Override
  public String toString() {
    return status + " " + text();
  }
}
