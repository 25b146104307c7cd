package org.evenweave.app.rest;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.evenweave.engine.rest.JsonErrors;

/** An HTTP response of the engine's REST resources, as it goes from instance to instance. */
public final class Answer {
  private final int status;
  private final HashMap<String, String> headers;
  private final byte[] body;

  /**
   * @param status of HTTP
   * @param headers the values of a name that is there several times joined by commas
   */
  public Answer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = new HashMap<>(headers);
    this.body = body;
  }

  /** What a resource says of an error. */
  public static Answer error(int status, String message) {
    return new Answer(
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

  @Override
  public String toString() {
    return status + " " + text();
  }
}
