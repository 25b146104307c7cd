package org.evenweave.standalone.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.evenweave.schema.FileProblem;

/** The REST resources of a running controller, for commands. */
public final class Rest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROOT = "/evenweave";
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** A verification of a large fabric, or a what-if of every failure, takes long. */
  private static final Duration ANSWER = Duration.ofMinutes(2);

  /** As many rows as a page may have. */
  private static final int PAGE = 10_000;

  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final Profile profile;
  private final HttpClient client;
  private final String base;

  /**
   * Asks a controller.
   *
   * @throws ClientException if the profile cannot be used
   */
  public Rest(Profile profile) throws ClientException {
    this.profile = profile;
    this.base = base(profile.server);
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT);
    if (profile.authorities != null) {
      builder.sslContext(trusting(profile));
    }
    client = builder.build();
  }

  /** A server without a path is the embedded runtime; ONOS has one: {@code /onos/evenweave}. */
  private static String base(String server) throws ClientException {
    String url = server.contains("://") ? server : "http://" + server;
    url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      uri = URI.create("");
    }
    boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!http || uri.getHost() == null || uri.getRawQuery() != null) {
      throw new ClientException(
          ClientException.WRONG_INPUT,
          "the server \"" + server + "\" is not a URL like http://127.0.0.1:8282");
    }
    return uri.getPath().isEmpty() ? url + ROOT : url;
  }

  private static SSLContext trusting(Profile profile) throws ClientException {
    try (InputStream pem = Files.newInputStream(profile.authorities)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        store.setCertificateEntry("ca" + count++, each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new ClientException(
          ClientException.WRONG_INPUT, profile.authorities + ": " + FileProblem.of(e));
    } catch (GeneralSecurityException e) {
      throw new ClientException(
          ClientException.WRONG_INPUT,
          profile.authorities + ": has no certificates in PEM: " + e.getMessage());
    }
  }

  /** A name in a path or a query, whatever an operator types. */
  public static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The same of a link's end, whose slash stays. */
  static String encodedPath(String name) {
    return encoded(name).replace("%2F", "/");
  }

  JsonNode get(String resource) throws ClientException, InterruptedException {
    return send("GET", resource, null, "application/json");
  }

  /**
   * Sends a request.
   *
   * @param resource below {@code /evenweave}
   * @param body JSON; null for none
   * @return the answer, an empty object if there is none
   * @throws ClientException if there is no answer, or it is a refusal
   */
  public JsonNode send(String method, String resource, String body)
      throws ClientException, InterruptedException {
    return send(method, resource, body, "application/json");
  }

  JsonNode patch(String resource, String body) throws ClientException, InterruptedException {
    return send("PATCH", resource, body, "application/merge-patch+json");
  }

  /**
   * All rows of a resource that answers in pages.
   *
   * @param resource with its query, if it has one
   * @param rows the field that has them
   */
  ObjectNode getAll(String resource, String rows) throws ClientException, InterruptedException {
    String first = resource + (resource.indexOf('?') < 0 ? "?" : "&") + "limit=" + PAGE;
    ObjectNode answer = (ObjectNode) get(first);
    ArrayNode all = (ArrayNode) answer.path(rows);
    while (answer.has("next")) {
      JsonNode page = get(first + "&offset=" + answer.get("next").asInt());
      page.path(rows).forEach(all::add);
      answer.remove("next");
      if (page.has("next")) {
        answer.set("next", page.get("next"));
      }
    }
    return answer;
  }

  private HttpRequest.Builder request(String resource) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/" + resource));
    if (profile.authorization != null) {
      request.header("Authorization", profile.authorization);
    }
    return request;
  }

  private JsonNode send(String method, String resource, String body, String type)
      throws ClientException, InterruptedException {
    HttpRequest.Builder request =
        request(resource)
            .timeout(ANSWER)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> response = exchange(request.build(), HttpResponse.BodyHandlers.ofString());
    require(response.statusCode(), response.body());
    return json(response.body());
  }

  /** The lines of a stream of events, as they come. To be closed. */
  Stream<String> stream(String resource) throws ClientException, InterruptedException {
    HttpResponse<Stream<String>> response =
        exchange(request(resource).build(), HttpResponse.BodyHandlers.ofLines());
    if (response.statusCode() / 100 != 2) {
      try (Stream<String> lines = response.body()) {
        require(response.statusCode(), String.join("\n", lines.toArray(String[]::new)));
      }
    }
    return response.body();
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws ClientException, InterruptedException {
    try {
      return client.send(request, handler);
    } catch (HttpTimeoutException e) {
      throw unreachable("does not answer in time");
    } catch (SSLException e) {
      throw unreachable("is not trusted, or does not speak TLS: " + e.getMessage());
    } catch (IOException e) {
      throw unreachable("cannot be reached: choose another with --server or --profile");
    }
  }

  private ClientException unreachable(String problem) {
    return new ClientException(
        ClientException.UNREACHABLE, "the controller at " + base + " " + problem);
  }

  private void require(int status, String body) throws ClientException {
    if (status / 100 == 2) {
      return;
    }
    String problem;
    try {
      problem = JSON.readTree(body).path("error").asText("status " + status);
    } catch (JsonProcessingException e) {
      problem = "status " + status + " from " + base + ", which may not be a controller";
    }
    boolean denied = status == UNAUTHORIZED || status == FORBIDDEN;
    throw new ClientException(
        denied ? ClientException.NOT_ALLOWED : ClientException.REFUSED, problem);
  }

  private JsonNode json(String body) throws ClientException {
    try {
      return JSON.readTree(body.isEmpty() ? "{}" : body);
    } catch (JsonProcessingException e) {
      throw unreachable("does not answer with JSON");
    }
  }
}
