package org.evenweave.standalone.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.fake.ConvergedEngine;
import org.evenweave.engine.metrics.EngineMetrics;
import org.evenweave.engine.rest.RestResources;
import org.evenweave.metrics.MetricsResource;
import org.evenweave.sdd.loop.FakeCircuitNetwork;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.rest.SddResources;
import org.evenweave.standalone.access.AccessControl;
import org.evenweave.standalone.access.AccessFile;
import org.evenweave.standalone.access.Role;
import org.evenweave.standalone.http.HttpApi;
import org.evenweave.standalone.log.LogResource;
import org.evenweave.standalone.openflow.ConnectionsResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The served description against the routes and the answers of a server in this process. */
class OpenApiTest extends ConvergedEngine {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** The query of each path that needs one. */
  private static final Map<String, String> QUERIES =
      Map.of("/paths", "?from=s1-0&to=s1-2", "/sdd/queues", "?host=h0");

  private final Description description = new Description();
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpApi api;

  @TempDir Path temporary;

  private void serve(Set<Object> more) throws IOException {
    serve(more, AccessControl.OPEN);
  }

  private void serve(Set<Object> more, AccessControl gate) throws IOException {
    Set<Object> resources = new HashSet<>(RestResources.of(engine));
    resources.add(new MetricsResource(List.of(new EngineMetrics(engine))));
    resources.add(new LogResource());
    resources.addAll(more);
    api = new HttpApi(ANY_PORT, resources, List.of(), null, gate);
  }

  @AfterEach
  void stop() {
    if (api != null) {
      engine.events().close();
      api.close();
    }
  }

  private HttpResponse<String> send(
      String method, String path, String body, String... furtherHeaders) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(api.address() + HttpApi.ROOT + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    if (furtherHeaders.length > 0) {
      request.headers(furtherHeaders);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  private static boolean isEmbedded(JsonNode operation) {
    JsonNode runtimes = operation.path("x-runtimes");
    return runtimes.isMissingNode() || runtimes.toString().contains("embedded");
  }

  @Test
  void everyRouteIsDescribedAndEveryDescribedRouteExists() {
    List<Class<?>> resources = new ArrayList<>();
    RestResources.of(engine).forEach(resource -> resources.add(resource.getClass()));
    SddResources.of(null).forEach(resource -> resources.add(resource.getClass()));
    resources.add(MetricsResource.class);
    resources.add(LogResource.class);
    resources.add(ConnectionsResource.class);
    assertEquals(
        String.join("\n", Routes.servedBy(resources)),
        String.join("\n", Routes.documentedIn(description.document(), OpenApiTest::isEmbedded)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"401", "403", "429", "503"})
  void everyOperationDescribesHowItIsRefused(String status) {
    String shared = "#/components/responses/" + status;
    for (Map.Entry<String, JsonNode> path : description.document().get("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        assertEquals(
            shared,
            operation.getValue().path("responses").path(status).path("$ref").asText(),
            operation.getKey() + " " + path.getKey());
      }
    }
    assertEquals(
        "#/components/schemas/Error",
        description
            .document()
            .at(shared.substring(1) + "/content/application~1json/schema/$ref")
            .asText());
  }

  @Test
  void everyOperationNamesTheRoleThatItNeeds() {
    for (Map.Entry<String, JsonNode> path : description.document().get("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String method = operation.getKey().toUpperCase(Locale.ROOT);
        assertEquals(
            Role.neededFor(method, path.getKey().substring(1)).text(),
            operation.getValue().path("x-role").asText(),
            method + " " + path.getKey());
      }
    }
  }

  @Test
  void everyWayToLogInIsDescribedAndNoneIsNeededOnLoopback() {
    Map<String, String> types = new TreeMap<>();
    for (Map.Entry<String, JsonNode> scheme :
        description.document().at("/components/securitySchemes").properties()) {
      types.put(
          scheme.getKey(),
          scheme.getValue().get("type").asText() + scheme.getValue().path("scheme").asText());
    }
    assertEquals("{certificate=mutualTLS, token=httpbearer, user=httpbasic}", types.toString());
    Set<String> choices = new TreeSet<>();
    for (JsonNode choice : description.document().get("security")) {
      choices.add(choice.toString());
    }
    assertEquals("[{\"certificate\":[]}, {\"token\":[]}, {\"user\":[]}, {}]", choices.toString());
  }

  @Test
  void refusalsAreAsDescribed() throws Exception {
    Path access = temporary.resolve("access.json");
    String token = "Bearer " + AccessFile.addToken(access, "viewer", Role.READ);
    try (AccessControl gate = AccessControl.of(true, access, null)) {
      serve(Set.of(), gate);
      HttpResponse<String> noLogin = send("GET", "/status", "");
      assertEquals(401, noLogin.statusCode());
      description.requireDescribed("get", "/status", noLogin);
      HttpResponse<String> noRole =
          send("PUT", "/strategy", "{\"strategy\":\"ecmp\"}", "Authorization", token);
      assertEquals(403, noRole.statusCode());
      description.requireDescribed("put", "/strategy", noRole);
      HttpResponse<String> otherSite =
          send("GET", "/version", "", "Authorization", token, "Origin", "http://evil.example");
      assertEquals(403, otherSite.statusCode());
      description.requireDescribed("get", "/version", otherSite);
    }
  }

  @Test
  void everyReferenceLeadsToAPartOfTheDocument() {
    for (JsonNode reference : description.document().findValues("$ref")) {
      if (reference.isTextual()) {
        assertTrue(reference.asText().startsWith("#/"), reference.asText());
        JsonNode target = description.document().at(reference.asText().substring(1));
        assertTrue(target.isObject(), reference.asText());
      }
    }
  }

  @Test
  void whatIsReadOfAConvergedFabricIsAsDescribed() throws Exception {
    serve(Set.of());
    Set<String> read = new HashSet<>();
    for (Map.Entry<String, JsonNode> path : description.readable().entrySet()) {
      boolean blocks =
          path.getKey().equals("/verification") || path.getKey().equals("/events/stream");
      if (isEmbedded(path.getValue())
          && !blocks
          && !path.getKey().startsWith("/sdd/")
          && !path.getKey().equals("/connections")) {
        String query = QUERIES.getOrDefault(path.getKey(), "");
        HttpResponse<String> response = send("GET", path.getKey() + query, "");
        assertEquals(200, response.statusCode(), path.getKey() + ": " + response.body());
        description.requireDescribed("get", path.getKey(), response);
        read.add(path.getKey());
      }
    }
    assertTrue(read.contains("/groups") && read.contains("/openapi.json"), read.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET|/verification|",
        "POST|/verification|",
        "POST|/audit|",
        "POST|/what-if|",
        "POST|/what-if|{\"everyFailure\":true,\"limit\":3,\"exclude\":{\"links\":[\"s1-2/2\"]}}"
      })
  void whatWaitsForTheLoopIsAsDescribed(String method, String path, String body) throws Exception {
    serve(Set.of());
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    CompletableFuture<HttpResponse<String>> answer =
        loop.start(() -> send(method, path, body == null ? "" : body));
    loop.runFor(SECOND_NANOS);
    assertEquals(200, answer.get().statusCode(), answer.get().body());
    description.requireDescribed(method.toLowerCase(Locale.ROOT), path, answer.get());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT|/exclusions/{element}|/exclusions/s2-1|200|",
        "DELETE|/exclusions/{element}|/exclusions/s1-0/1|200|",
        "PUT|/exclusions/{element}|/exclusions/nowhere|404|",
        "DELETE|/damping/{end}|/damping/s1-0/1|404|",
        "PUT|/strategy|/strategy|200|{\"strategy\":\"ecmp\"}",
        "PUT|/strategy|/strategy|400|{\"strategy\":\"best\"}",
        "PATCH|/configuration|/configuration|200|{\"maxOversubscription\":1.05}",
        "PATCH|/configuration|/configuration|400|{\"nothing\":1}",
        "PATCH|/configuration|/configuration|400|{\"minNextHops\":{}}",
        "PATCH|/configuration|/configuration|409|{\"damping\":{\"suppress\":1}}",
        "PUT|/configuration|/configuration|409|{}",
        "POST|/what-if|/what-if|400|{\"nothing\":1}",
        "POST|/striping|/striping|409|"
            + "{\"kind\":\"group\",\"s1\":2,\"s2\":1,\"uplinks\":1,\"downlinks\":1}",
        "POST|/striping|/striping|200|{\"kind\":\"group\",\"s1\":4,\"s2\":4,\"uplinks\":6,"
            + "\"downlinks\":6,\"picture\":true,\"cables\":true,\"addS1\":2}",
        "POST|/striping|/striping|200|"
            + "{\"kind\":\"compare\",\"s1\":6,\"s2\":6,\"uplinks\":8,\"downlinks\":8}",
        "GET|/groups|/groups?switch=nowhere|404|",
        "GET|/groups|/groups?switch=|404|",
        "GET|/groups|/groups?limit=|400|",
        "GET|/groups|/groups?offset=99999999999|200|",
        "GET|/paths|/paths|400|",
        "GET|/events|/events?since=x|400|"
      })
  void changesAndErrorsAreAsDescribed(
      String method, String described, String path, int status, String body) throws Exception {
    serve(Set.of());
    HttpResponse<String> response = send(method, path, body == null ? "" : body);
    assertEquals(status, response.statusCode(), response.body());
    description.requireDescribed(method.toLowerCase(Locale.ROOT), described, response);
  }

  /** Also one that only another runtime serves. */
  @Test
  void aMethodThatNoDescribedPathHasIsNotAllowed() throws Exception {
    serve(Set.of());
    for (Map.Entry<String, JsonNode> path : description.document().get("paths").properties()) {
      for (String method : List.of("TRACE", "GET", "PUT", "PATCH")) {
        if (!path.getValue().has(method.toLowerCase(Locale.ROOT))) {
          String at = path.getKey().replaceAll("\\{[^}]*}", "any");
          HttpResponse<String> response = send(method, at, "");
          assertEquals(405, response.statusCode(), method + " " + at);
          String allow = response.headers().firstValue("Allow").orElse("none");
          for (String declared : (Iterable<String>) path.getValue()::fieldNames) {
            assertTrue(allow.contains(declared.toUpperCase(Locale.ROOT)), at + ": " + allow);
          }
        }
      }
    }
    assertEquals(404, send("TRACE", "/nowhere", "").statusCode());
  }

  @Test
  void whatTheSddControllerAnswersIsAsDescribed() throws Exception {
    try (SddController controller =
            new SddController(
                FakeCircuitNetwork.config(temporary, FakeCircuitNetwork.HYBRID_WITH_A_CLASS));
        FakeCircuitNetwork circuits = new FakeCircuitNetwork(controller, temporary)) {
      circuits.queue(0, 1, 60_000_000);
      serve(SddResources.of(controller));
      for (String path : description.readable().keySet()) {
        if (path.startsWith("/sdd/")) {
          String query = QUERIES.getOrDefault(path, "");
          description.requireDescribed("get", path, send("GET", path + query, ""));
        }
      }
      String weights = "{\"nowhere\":{}}";
      description.requireDescribed(
          "put", "/sdd/edge/weights", send("PUT", "/sdd/edge/weights", weights));
      assertEquals(409, send("PUT", "/sdd/edge/weights", weights).statusCode());
      assertEquals(400, send("PUT", "/sdd/edge/weights", "{\"10.0.0.0/8\":1}").statusCode());
      String order = "{\"prefixes\":[{\"prefix\":\"00/0\",\"scheme\":\"alb\"}]}";
      assertEquals(409, send("PUT", "/sdd/edge/order", order).statusCode());
      assertEquals(400, send("PUT", "/sdd/edge/order", "{\"hosts\":[]}").statusCode());
      description.requireDescribed("delete", "/sdd/sharing", send("DELETE", "/sdd/sharing", ""));
      description.requireDescribed(
          "post", "/sdd/edge/discovery", send("POST", "/sdd/edge/discovery", ""));
      description.requireDescribed("get", "/sdd/edge/{host}", send("GET", "/sdd/edge/nobody", ""));
    }
  }
}
