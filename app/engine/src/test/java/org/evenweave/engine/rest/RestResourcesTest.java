package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.ClientErrorException;
import org.evenweave.engine.config.FabricReader;
import org.evenweave.engine.config.TracerouteConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.glassfish.jersey.server.ContainerResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestResourcesTest extends RestFixture {
  @Test
  void statusShowsThatTheFabricIsAsItShouldBe() throws IOException {
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
  void theVersionIsSemantic() throws IOException {
    String version = get("version").get("version").asText();
    assertTrue(version.matches("[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?"), version);
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
  void eventsComeAfterTheGivenOneAndCarryTheConfirmation() throws IOException {
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
  void interfacesAreTheAddressesOfSwitchesPortsAndTheirLinks() throws IOException {
    JsonNode answer = get("interfaces?switch=s2-0");
    assertEquals("100.64.0.0/10", answer.get("prefix").asText());
    int number = fabric.indexOf("s2-0");
    assertEquals(
        "{\"address\":\"100.64."
            + number
            + ".1\",\"switch\":\"s2-0\",\"port\":1,\"link\":\"s1-0/1-s2-0/1\"}",
        answer.get("interfaces").get(0).toString());
    assertEquals(4, answer.get("total").asInt());
    assertEquals(24, get("interfaces").get("total").asInt());
    assertEquals(404, send("GET", "interfaces?switch=s9-9", null, "").getStatus());
    engine.change(
        config ->
            config.withTraceroute(
                new TracerouteConfig(false, Ipv4Prefix.parse("10.9.0.0/16"), 4, 2)));
    loop.runFor(SECOND_NANOS);
    assertEquals(0, get("interfaces").get("total").asInt());
  }

  @Test
  void packetsShowWhichPortSendsWhatCannotBeHandled() throws IOException {
    network.packetIn("s1-0", FakeNetwork.HOST_PORT, new byte[3]);
    loop.runFor(SECOND_NANOS);
    assertEquals(
        "{\"handled\":1,\"malformed\":1,\"dropped\":0,"
            + "\"expired\":{\"answered\":0,\"limited\":0,\"unanswered\":0},"
            + "\"ports\":[{\"switch\":\"s1-0\",\"port\":1000,\"malformed\":1,\"dropped\":0}],"
            + "\"sourceGuard\":{\"dropped\":0,\"ports\":[],\"unguarded\":[]}}",
        get("packets").toString());
  }

  @Test
  void theStrategyIsPutAndShown() throws IOException {
    StrategyResource strategy = new StrategyResource(engine);
    String ecmp = "{\"strategy\":\"ecmp\",\"inForce\":\"ecmp\"}";
    assertEquals(ecmp, strategy.use("{\"strategy\":\"ecmp\"}"));
    assertEquals(ecmp, strategy.strategy());
    assertEquals(
        "{\"strategy\":\"auto\",\"inForce\":\"wcmp\",\"why\":\"switches with prefixes are at most"
            + " two links apart, and each pair gets its maximum flow\"}",
        strategy.use("{\"strategy\":\"auto\"}"));
    loop.runFor(SECOND_NANOS);
    assertTrue(get("status").get("converged").asBoolean());
  }

  @Test
  void everyStrategyThatCanBePutIsListedWithItsPrice() throws IOException {
    for (JsonNode strategy :
        new ObjectMapper()
            .readTree(new StrategiesResource(engine).strategies())
            .get("strategies")) {
      String put = "{\"strategy\":\"" + strategy.get("name").asText() + "\"}";
      String answer = new StrategyResource(engine).use(put);
      assertEquals(strategy.get("name"), new ObjectMapper().readTree(answer).get("strategy"));
      assertFalse(strategy.get("description").asText().isEmpty());
      assertFalse(strategy.get("price").asText().isEmpty());
      loop.runFor(SECOND_NANOS);
      assertTrue(get("status").get("converged").asBoolean(), put);
    }
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
    "400, GET, events?since=-1",
    "400, GET, events?since=",
    "400, GET, events/stream?since=",
    "400, GET, groups?limit=",
    "400, GET, groups?offset=1.5",
    "400, GET, groups?limit=99999999999999999999",
    "200, GET, groups?offset=99999999999999999999",
    "200, GET, events?since=99999999999999999999",
    "404, GET, groups?switch=",
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
  void oversubscriptionShowsWhatItCostsThatDestinationsShareAGroupAndTheLeastThatItCan()
      throws IOException {
    assertFalse(get("oversubscription").get("switches").get(0).has("sharing"));
    configure("s1-1/4", 0.5, "s1-0", "{\"groups\":1}");
    JsonNode row = get("oversubscription?switch=s1-0").get("switches").get(0);
    assertEquals(1, row.get("use").get("groups").asInt());
    assertEquals(2, row.get("groups").size());
    JsonNode sharing = row.get("sharing");
    double cost = sharing.get("oversubscription").asDouble();
    assertTrue(cost > 1, sharing.toString());
    // Of two sets of next hops the answer is exact; 256 slots cost something more.
    assertEquals(cost, sharing.get("leastOversubscription").asDouble(), 1e-12);
    assertEquals(cost, row.get("oversubscription").asDouble(), 0.02);
    assertFalse(get("oversubscription?switch=s1-1").get("switches").get(0).has("sharing"));
  }

  @Test
  void aPortThatIsLeftOutIsNamedWithItsShareAndWhyWhereGroupsAndPathsAre() throws IOException {
    configure("s1-0/4", 0.001, "s1-0", "{}");
    JsonNode group = get("groups?switch=s1-0").get("groups").get(1);
    JsonNode left = group.get("leftOut");
    assertEquals(1, left.size());
    assertEquals(4, left.get(0).get("port").asInt());
    double share = left.get(0).get("share").asDouble();
    assertEquals(group.get("ports").get(3).get("idealShare").asDouble(), share);
    assertEquals(share, group.get("unusedShare").asDouble());
    String why = left.get(0).get("why").asText();
    assertTrue(
        why.matches("one entry, 1/256 of the packets, would be [0-9.]+ times its share"), why);
    JsonNode use = get("oversubscription?switch=s1-0").get("switches").get(0).get("groups");
    assertTrue(use.toString().contains("\"leftOut\":" + left), use.toString());
    int leftOut = 0;
    for (JsonNode path : get("paths?from=s1-0&to=s1-2").get("paths")) {
      boolean isSlow = path.get("links").get(0).asText().startsWith("s1-0/4-");
      assertEquals(isSlow, path.path("leftOut").asBoolean(), path.toString());
      leftOut += isSlow ? 1 : 0;
    }
    assertTrue(leftOut > 0);
    // The slow link is on no path from s1-1 to s1-2, and there are no fields then.
    JsonNode other = get("groups?switch=s1-1").get("groups").get(1);
    assertEquals("s1-2", other.get("destination").asText());
    assertFalse(other.has("leftOut") || other.has("unusedShare"), other.toString());
  }

  @Test
  void oversubscriptionShowsEveryTableWithASharedGroupCountedOnce() throws IOException {
    JsonNode answer = get("oversubscription?switch=s1-0");
    int id = get("groups?switch=s1-0").get("groups").get(0).get("groupId").asInt();
    assertEquals(
        "{\"limit\":1,\"total\":1,\"switches\":[{\"switch\":\"s1-0\",\"target\":\"ovs\","
            + "\"rules\":"
            + network.tables("s1-0").flowCount()
            + ",\"entries\":256,\"oversubscription\":1.0078125,\"groups\":[{\"groupId\":"
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
    ClientErrorException error =
        assertThrows(
            ClientErrorException.class,
            () -> new ConfigurationResource(engine).configure(config.toString()));
    assertEquals(409, error.getResponse().getStatus());
    assertTrue(error.getMessage().startsWith("switches[2].table: "), error.getMessage());
  }

  @Test
  void aProgramWithSomeOfTheResourcesDescribesTheseAlone() throws IOException {
    OpenApiResource some = new OpenApiResource(path -> path.endsWith("/edge"));
    JsonNode paths = JSON.readTree(some.document()).get("paths");
    assertEquals(1, paths.size());
    assertTrue(paths.has("/sdd/edge"), paths.toString());
    assertTrue(get("openapi.json").get("paths").has("/status"));
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
    ClientErrorException error =
        assertThrows(
            ClientErrorException.class,
            () ->
                new ConfigurationResource(engine)
                    .configure("{\"excluded\":{\"switches\":[\"s9-9\"]}}"));
    assertTrue(error.getMessage().startsWith("excluded.switches[0]: no switch \"s9-9\""));
    assertEquals(400, send("PUT", "configuration", null, "{").getStatus());
    assertEquals(before, get("configuration").toString());
  }
}
