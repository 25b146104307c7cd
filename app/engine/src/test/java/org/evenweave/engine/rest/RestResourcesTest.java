package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.HttpHeaders;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.FabricReader;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestResourcesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final VirtualLoop loop = new VirtualLoop();
  private final Fabric fabric = Fabrics.figure32();
  private final FakeNetwork network = new FakeNetwork(fabric, loop, 1);
  private final Engine engine =
      new Engine(
          new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
          network,
          network,
          loop);

  @BeforeEach
  void converge() {
    engine.start();
    network.connectAll();
    loop.runFor(SECOND_NANOS);
  }

  private final ApplicationHandler rest =
      new ApplicationHandler(new ResourceConfig().registerInstances(RestResources.of(engine)));

  /** As a server would: by method, path, headers and body. */
  private ContainerResponse send(String method, String path, String etag, String body) {
    URI root = URI.create("http://localhost/");
    ContainerRequest request =
        new ContainerRequest(
            root,
            root.resolve(path),
            method,
            null,
            new MapPropertiesDelegate(),
            rest.getConfiguration());
    if (etag != null) {
      request.header(HttpHeaders.IF_NONE_MATCH, etag);
    }
    request.header(HttpHeaders.CONTENT_TYPE, "application/json");
    request.setEntityStream(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    try {
      return rest.apply(request, new ByteArrayOutputStream()).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(method + " " + path, e);
    }
  }

  private JsonNode get(String path) throws IOException {
    ContainerResponse response = send("GET", path, null, "");
    assertEquals(200, response.getStatus(), path);
    return JSON.readTree((String) response.getEntity());
  }

  @Test
  void statusTellsThatTheFabricIsAsItShouldBe() throws IOException {
    JsonNode status = get("status");
    assertTrue(status.get("converged").asBoolean());
    assertTrue(status.get("confirmed").asBoolean());
    assertEquals("converged", status.get("state").asText());
    assertEquals("[]", status.get("reasons").toString());
    assertEquals("{\"switches\":0,\"links\":0}", status.get("missing").toString());
    assertEquals(6, status.get("switches").asInt());
    assertEquals(12, status.get("links").asInt());
    assertEquals("wcmp", status.get("strategy").asText());
    // Each S1 has one group that the two others share; each S2 one for the S1 with two links.
    assertEquals(6, status.get("groups").asInt());
  }

  @Test
  void groupsShowWeightsWantedInstalledAndRealised() throws IOException {
    JsonNode groups = get("groups?switch=s1-0").get("groups");
    assertEquals(2, groups.size());
    JsonNode group = groups.get(1);
    assertEquals("s1-2", group.get("destination").asText());
    assertEquals("installed", group.get("state").asText());
    assertEquals(256, group.get("entries").asInt());
    assertFalse(group.get("spreadsUdp").asBoolean(true));
    assertEquals(
        "{\"port\":1,\"via\":\"s2-0\",\"wanted\":1,\"slots\":43,\"installed\":43,"
            + "\"idealShare\":0.16666666666666666,\"realisedShare\":0.16796875}",
        group.get("ports").get(0).toString());
  }

  @Test
  void theTopologyIsAFabricThatTheToolsRead() throws IOException {
    JsonNode topology = get("topology");
    Fabric read = FabricReader.fabricOf(topology.get("fabric"));
    assertEquals(fabric.toString(), read.toString());
  }

  @Test
  void eventsComeAfterTheOneAskedForAndCarryTheConfirmation() throws IOException {
    JsonNode all = get("events").get("events");
    long last = all.get(all.size() - 1).get("sequence").asLong();
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    JsonNode later = get("events?since=" + last).get("events");
    assertEquals(1, later.size());
    assertEquals("link-down", later.get(0).get("kind").asText());
    assertTrue(
        later.get(0).get("confirmedEpochMicros").asLong()
            > later.get(0).get("detectedEpochMicros").asLong());
  }

  @Test
  void packetsTellWhichPortSendsWhatCannotBeHandled() throws IOException {
    network.packetIn("s1-0", FakeNetwork.HOST_PORT, new byte[3]);
    loop.runFor(SECOND_NANOS);
    assertEquals(
        "{\"handled\":1,\"malformed\":1,\"dropped\":0,"
            + "\"ports\":[{\"switch\":\"s1-0\",\"port\":1000,\"malformed\":1,\"dropped\":0}]}",
        get("packets").toString());
  }

  @Test
  void theStrategyIsPutAndShown() throws IOException {
    StrategyResource strategy = new StrategyResource(engine);
    assertEquals("{\"strategy\":\"ecmp\"}", strategy.use("{\"strategy\":\"ecmp\"}"));
    assertEquals("{\"strategy\":\"ecmp\"}", strategy.strategy());
    loop.runFor(SECOND_NANOS);
    assertTrue(get("status").get("converged").asBoolean());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{",
        "null",
        "[]",
        "{\"strategy\":7}",
        "{\"strategy\":\"best\"}",
        "{\"strategy\":\"wcmp\",\"more\":1}"
      })
  void aStrategyThatIsNoneIsABadRequest(String body) {
    assertThrows(BadRequestException.class, () -> new StrategyResource(engine).use(body));
  }

  @ParameterizedTest
  @CsvSource({
    "404, GET, groups?switch=s9-9",
    "404, GET, oversubscription?switch=s9-9",
    "404, GET, paths?from=s1-0&to=s9-9",
    "404, GET, paths?from=s1-0&to=s2-0",
    "400, GET, paths?from=s1-0",
    "400, GET, paths?from=s1-0&to=s1-2&limit=0",
    "400, GET, groups?offset=-1",
    "400, GET, groups?limit=10001",
    "400, GET, events?limit=0",
    "405, DELETE, configuration",
    "405, PUT, status",
    "404, GET, nothing"
  })
  void aRequestThatCannotBeAnsweredHasTheStatusThatSaysWhy(int status, String method, String path) {
    assertEquals(status, send(method, path, null, "").getStatus());
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "topology", "groups", "oversubscription", "events"})
  void whoHasTheAnswerAlreadyIsNotSentItAgain(String path) {
    ContainerResponse first = send("GET", path, null, "");
    String etag = first.getHeaders().getFirst("ETag").toString();
    assertEquals(304, send("GET", path, etag, "").getStatus());
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    ContainerResponse changed = send("GET", path, etag, "");
    assertEquals(200, changed.getStatus());
    assertFalse(etag.equals(changed.getHeaders().getFirst("ETag").toString()));
  }

  @Test
  void longListsComeInPages() throws IOException {
    JsonNode all = get("groups");
    int total = all.get("total").asInt();
    assertEquals(9, total);
    assertFalse(all.has("next"));
    List<JsonNode> rows = new ArrayList<>();
    int offset = 0;
    do {
      JsonNode page = get("groups?limit=4&offset=" + offset);
      page.get("groups").forEach(rows::add);
      offset = page.has("next") ? page.get("next").asInt() : total;
    } while (offset < total);
    assertEquals(all.get("groups").toString(), rows.toString().replace(", {", ",{"));
    assertEquals(2, get("events?limit=2").get("events").size());
  }

  @Test
  void oversubscriptionShowsEveryTableWithASharedGroupCountedOnce() throws IOException {
    JsonNode answer = get("oversubscription?switch=s1-0");
    int id = get("groups?switch=s1-0").get("groups").get(0).get("groupId").asInt();
    assertEquals(
        "{\"limit\":1,\"total\":1,\"switches\":[{\"switch\":\"s1-0\",\"entries\":256,"
            + "\"oversubscription\":1.0078125,\"groups\":[{\"groupId\":"
            + id
            + ",\"destinations\":2,"
            + "\"ports\":4,\"entries\":256,\"oversubscription\":1.0078125}]}]}",
        answer.toString());
  }

  @Test
  void pathsOfAPairHaveSharesThatSumToOne() throws IOException {
    JsonNode paths = get("paths?from=s1-0&to=s1-2");
    assertTrue(paths.get("complete").asBoolean());
    double ideal = 0;
    double realised = 0;
    for (JsonNode path : paths.get("paths")) {
      assertEquals(2, path.get("links").size());
      ideal += path.get("idealShare").asDouble();
      realised += path.get("realisedShare").asDouble();
    }
    // Six products of two doubles each.
    assertEquals(1, ideal, 1e-12);
    assertEquals(1, realised, 1e-12);
    JsonNode first = get("paths?from=s1-0&to=s1-2&limit=1");
    assertEquals(paths.get("paths").get(0), first.get("paths").get(0));
    assertFalse(first.get("complete").asBoolean());
  }

  /** What a runtime's thread would do while the loop runs on its own. */
  private JsonNode verification() throws Exception {
    return whileTheLoopRuns("GET", "verification");
  }

  private JsonNode whileTheLoopRuns(String method, String path) throws Exception {
    CompletableFuture<JsonNode> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                ContainerResponse response = send(method, path, null, "");
                assertEquals(200, response.getStatus(), path);
                return JSON.readTree((String) response.getEntity());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    while (!answer.isDone()) {
      loop.runFor(SECOND_NANOS / 100);
      Thread.sleep(1);
    }
    return answer.get();
  }

  @Test
  void verificationReadsTheSwitchesAndNamesWhatIsNotAsWanted() throws Exception {
    JsonNode good = verification();
    assertTrue(good.get("ok").asBoolean(), good.toString());
    assertEquals(6, good.get("switches").asInt());
    FlowRule rule = network.tables("s2-0").flows().get("10.0.0.0/24");
    network.tamper("s2-0", SwitchOperation.deleteFlow(rule));
    JsonNode bad = verification();
    assertFalse(bad.get("ok").asBoolean());
    assertEquals("black-hole", bad.get("violations").get(0).get("kind").asText());
    assertEquals("s2-0", bad.get("differences").get(0).get("switch").asText());
    assertFalse(bad.get("differences").get(0).has("found"));
    assertFalse(bad.get("converged").asBoolean());
    assertEquals(
        "[\"s2-0: tables are not as installed, and are being repaired\"]",
        bad.get("reasons").toString());
    // What is known to be wrong is repaired without waiting for the next audit.
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
  }

  @Test
  void verificationWaitsForTheChangesUnderWay() throws Exception {
    for (int round = 0; round < 10; round++) {
      engine.useRule(WeightRule.values()[round % 2]);
      JsonNode verified = verification();
      assertTrue(verified.get("ok").asBoolean(), verified.toString());
      assertTrue(verified.get("converged").asBoolean(), verified.toString());
    }
  }

  @Test
  void aSwitchThatIsNotConnectedDegradesTheStatusByName() throws IOException {
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    JsonNode status = get("status");
    assertEquals("degraded", status.get("state").asText());
    assertEquals("[\"s2-1 is not connected\"]", status.get("reasons").toString());
    assertFalse(status.get("converged").asBoolean());
    assertTrue(status.get("confirmed").asBoolean());
    assertEquals(1, status.get("missing").get("switches").asInt());
  }

  @Test
  void aTableThatIsTooSmallIsRefusedAtItsOwnField() throws IOException {
    ObjectNode config = (ObjectNode) get("configuration");
    ((ObjectNode) config.get("switches").get(2)).put("table", 15);
    BadRequestException error =
        assertThrows(
            BadRequestException.class,
            () -> new ConfigurationResource(engine).configure(config.toString()));
    assertTrue(error.getMessage().startsWith("switches[2].table: "), error.getMessage());
  }

  @Test
  void aGroupThatIsNotConfirmedYetShowsWhatTheSwitchHolds() throws IOException {
    engine.useRule(WeightRule.EQUAL);
    while (!get("groups?switch=s1-0")
        .get("groups")
        .get(0)
        .get("state")
        .asText()
        .equals("pending")) {
      loop.runFor(SECOND_NANOS / 1000);
    }
    JsonNode port = get("groups?switch=s1-0").get("groups").get(0).get("ports").get(0);
    assertEquals(64, port.get("slots").asInt());
    assertEquals(43, port.get("installed").asInt());
    loop.runFor(SECOND_NANOS);
    port = get("groups?switch=s1-0").get("groups").get(0).get("ports").get(0);
    assertEquals(64, port.get("installed").asInt());
  }

  @Test
  void anAuditNowTellsWhichSwitchesDriftedAndRepairsThem() throws Exception {
    assertEquals("{\"switches\":6,\"drifted\":[]}", whileTheLoopRuns("POST", "audit").toString());
    FlowRule rule = network.tables("s2-0").flows().get("10.0.0.0/24");
    network.tamper("s2-0", SwitchOperation.deleteFlow(rule));
    assertEquals(
        "{\"switches\":6,\"drifted\":[\"s2-0\"]}", whileTheLoopRuns("POST", "audit").toString());
    loop.runFor(SECOND_NANOS);
    assertTrue(verification().get("ok").asBoolean());
  }

  @Test
  void theConfigurationIsShownAndReplacedAsAWhole() throws IOException {
    ObjectNode config = (ObjectNode) get("configuration");
    ((ArrayNode) config.get("excluded").get("switches")).add("s2-1");
    assertEquals(200, send("PUT", "configuration", null, config.toString()).getStatus());
    assertFalse(get("status").get("converged").asBoolean());
    loop.runFor(SECOND_NANOS);
    assertTrue(get("status").get("converged").asBoolean());
    assertEquals(config, get("configuration"));
  }

  @Test
  void aConfigurationThatIsWrongIsRefusedWithItsPath() throws IOException {
    String before = get("configuration").toString();
    BadRequestException error =
        assertThrows(
            BadRequestException.class,
            () ->
                new ConfigurationResource(engine)
                    .configure("{\"excluded\":{\"switches\":[\"s9-9\"]}}"));
    assertTrue(error.getMessage().startsWith("excluded.switches[0]: no switch \"s9-9\""));
    assertEquals(400, send("PUT", "configuration", null, "{").getStatus());
    assertEquals(before, get("configuration").toString());
  }

  @Test
  void theStreamTellsWhatHappenedAndEndsWithTheEngine() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    engine.events().close();
    new EventStreamResource(engine).stream(0, 0).write(output);
    assertTrue(output.toString(StandardCharsets.UTF_8).startsWith(":"));
  }

  /** Most streams end like that; JAX-RS logs an error with a stack trace for what is thrown. */
  @Test
  void aStreamWhoseClientHasGoneEndsWithoutAFailure() throws Exception {
    EventStreamResource resource = new EventStreamResource(engine);
    for (int i = 0; i <= EventStreamResource.MAX_STREAMS; i++) {
      resource.stream(0, 0)
          .write(
              new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                  throw new IOException("broken pipe");
                }
              });
    }
  }

  @Test
  void theStreamSendsAnEventAndItsConfirmation() throws Exception {
    EventStreamResource resource = new EventStreamResource(engine);
    long last = engine.events().lastSequence();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    CompletableFuture<Void> stream =
        CompletableFuture.runAsync(
            () -> {
              try {
                resource.stream(0, last).write(output);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    while (!output.toString(StandardCharsets.UTF_8).contains("confirmedEpochMicros")) {
      assertFalse(stream.isDone());
      Thread.sleep(1);
    }
    engine.events().close();
    stream.get();
    String text = output.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("id: " + (last + 1) + "\nevent: link-down\ndata: {"), text.trim());
  }

  @Test
  void streamsBeyondAFewAreRefused() {
    EventStreamResource resource = new EventStreamResource(engine);
    for (int i = 0; i < EventStreamResource.MAX_STREAMS; i++) {
      resource.stream(0, 0);
    }
    assertThrows(ServiceUnavailableException.class, () -> resource.stream(0, 0));
  }
}
