package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.evenweave.standalone.client.ClientException;
import org.evenweave.standalone.client.Rest;

/** The REST resources of a running SDD controller, for commands. */
final class SddRest {
  private final Rest rest;

  SddRest(Rest rest) {
    this.rest = rest;
  }

  /** What a resource below {@code /evenweave/sdd} answers. */
  JsonNode get(String resource) throws InterruptedException, NoAnswerException {
    return send("GET", resource, null);
  }

  /** Puts a new state; the answer. */
  JsonNode put(String resource, byte[] json) throws InterruptedException, NoAnswerException {
    return send("PUT", resource, new String(json, StandardCharsets.UTF_8));
  }

  void post(String resource) throws InterruptedException, NoAnswerException {
    send("POST", resource, null);
  }

  /** A name in a path or a query, whatever an operator types. */
  static String encoded(String name) {
    return Rest.encoded(name);
  }

  void delete(String resource) throws InterruptedException, NoAnswerException {
    send("DELETE", resource, null);
  }

  /** An answer as it is shown, and taken again. */
  static String text(JsonNode answer) {
    return answer.toPrettyString() + System.lineSeparator();
  }

  private JsonNode send(String method, String resource, String body)
      throws InterruptedException, NoAnswerException {
    try {
      return rest.send(method, "sdd/" + resource, body);
    } catch (ClientException e) {
      throw new NoAnswerException(e.getMessage());
    }
  }

  /** There is no answer, or it is no; the message has the reason. */
  static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
      super(message);
    }
  }
}
