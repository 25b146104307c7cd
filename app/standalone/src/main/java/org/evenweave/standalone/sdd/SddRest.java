package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.evenweave.standalone.controller.Endpoint;

/** The REST resources of a running SDD controller, for commands. */
final class SddRest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final String base;

  SddRest(InetSocketAddress http) {
    base = "http://" + Endpoint.text(http);
  }

  /** What a resource below {@code /evenweave/sdd} answers. */
  JsonNode get(String resource) throws InterruptedException, NoAnswerException {
    return send("GET", resource, HttpRequest.BodyPublishers.noBody());
  }

  /** Puts a new state; the answer. */
  JsonNode put(String resource, byte[] json) throws InterruptedException, NoAnswerException {
    return send("PUT", resource, HttpRequest.BodyPublishers.ofByteArray(json));
  }

  void post(String resource) throws InterruptedException, NoAnswerException {
    send("POST", resource, HttpRequest.BodyPublishers.noBody());
  }

  /** A name in a path or a query, whatever an operator types. */
  static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  void delete(String resource) throws InterruptedException, NoAnswerException {
    send("DELETE", resource, HttpRequest.BodyPublishers.noBody());
  }

  /** An answer as it is shown, and taken again. */
  static String text(JsonNode answer) {
    return answer.toPrettyString() + System.lineSeparator();
  }

  private JsonNode send(String method, String resource, HttpRequest.BodyPublisher body)
      throws InterruptedException, NoAnswerException {
    HttpResponse<String> response;
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(base + "/evenweave/sdd/" + resource))
              .method(method, body)
              .header("Content-Type", "application/json")
              .timeout(PATIENCE)
              .build();
      response = client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (HttpTimeoutException e) {
      throw new NoAnswerException(
          "what listens at " + base + " does not answer within " + PATIENCE.toSeconds() + " s");
    } catch (IOException e) {
      throw new NoAnswerException(
          "no controller answers at " + base + ": choose another with --http");
    }
    JsonNode answer;
    try {
      answer = JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new NoAnswerException("what answers at " + base + " is no controller");
    }
    if (response.statusCode() / 100 != 2) {
      throw new NoAnswerException(
          answer.path("error").asText("status " + response.statusCode() + " from " + base));
    }
    return answer;
  }

  /** There is no answer, or it is no; the message has the reason. */
  static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
      super(message);
    }
  }
}
