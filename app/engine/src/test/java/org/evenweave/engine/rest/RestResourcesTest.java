package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import javax.ws.rs.BadRequestException;
import javax.ws.rs.NotFoundException;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.FabricReader;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

  @Test
  void statusTellsThatTheFabricIsAsItShouldBe() throws IOException {
    JsonNode status = JSON.readTree(new StatusResource(engine).status());
    assertTrue(status.get("converged").asBoolean());
    assertEquals(6, status.get("switches").asInt());
    assertEquals(12, status.get("links").asInt());
    assertEquals("wcmp", status.get("strategy").asText());
    // Each S1 has one group that the two others share; each S2 one for the S1 with two links.
    assertEquals(6, status.get("groups").asInt());
  }

  @Test
  void groupsShowWeightsWantedInstalledAndRealised() throws IOException {
    JsonNode groups = JSON.readTree(new GroupsResource(engine).groups("s1-0")).get("groups");
    assertEquals(2, groups.size());
    JsonNode group = groups.get(1);
    assertEquals("s1-2", group.get("destination").asText());
    assertEquals("installed", group.get("state").asText());
    assertEquals(256, group.get("entries").asInt());
    assertFalse(group.get("spreadsUdp").asBoolean(true));
    assertEquals(
        "{\"port\":1,\"via\":\"s2-0\",\"wanted\":1,\"installed\":43,"
            + "\"idealShare\":0.16666666666666666,\"realisedShare\":0.16796875}",
        group.get("ports").get(0).toString());
    assertThrows(NotFoundException.class, () -> new GroupsResource(engine).groups("s9-9"));
  }

  @Test
  void theTopologyIsAFabricThatTheToolsRead() throws IOException {
    JsonNode topology = JSON.readTree(new TopologyResource(engine).topology());
    Fabric read = FabricReader.fabricOf(topology.get("fabric"));
    assertEquals(fabric.toString(), read.toString());
  }

  @Test
  void eventsComeAfterTheOneAskedForAndCarryTheConfirmation() throws IOException {
    EventsResource events = new EventsResource(engine);
    JsonNode all = JSON.readTree(events.events(0)).get("events");
    long last = all.get(all.size() - 1).get("sequence").asLong();
    network.cut(0);
    loop.runFor(SECOND_NANOS);
    JsonNode later = JSON.readTree(events.events(last)).get("events");
    assertEquals(1, later.size());
    assertEquals("link-down", later.get(0).get("kind").asText());
    assertTrue(
        later.get(0).get("confirmedEpochMicros").asLong()
            > later.get(0).get("detectedEpochMicros").asLong());
  }

  @Test
  void theStrategyIsPutAndShown() throws IOException {
    StrategyResource strategy = new StrategyResource(engine);
    assertEquals("{\"strategy\":\"ecmp\"}", strategy.use("{\"strategy\":\"ecmp\"}"));
    assertEquals("{\"strategy\":\"ecmp\"}", strategy.strategy());
    loop.runFor(SECOND_NANOS);
    assertTrue(JSON.readTree(new StatusResource(engine).status()).get("converged").asBoolean());
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
}
