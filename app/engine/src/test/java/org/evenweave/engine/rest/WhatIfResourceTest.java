package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.CompletableFuture;
import javax.ws.rs.ClientErrorException;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.glassfish.jersey.server.ContainerResponse;
import org.junit.jupiter.api.Test;

class WhatIfResourceTest extends RestFixture {
  private JsonNode ask(String body) throws Exception {
    CompletableFuture<ContainerResponse> answer =
        loop.start(() -> send("POST", "what-if", null, body));
    loop.runFor(SECOND_NANOS);
    assertEquals(200, answer.get().getStatus(), String.valueOf(answer.get().getEntity()));
    return JSON.readTree((String) answer.get().getEntity());
  }

  @Test
  void theAnswerHasWeightsTablesPairsAndThePlan() throws Exception {
    String before = get("groups").toString();
    JsonNode answer = ask("{\"exclude\":{\"links\":[\"s1-2/1\"]}}");
    assertEquals("wcmp", answer.get("strategy").asText());
    JsonNode group = answer.get("groups").get(0);
    assertEquals("s1-0", group.get("switch").asText());
    assertEquals("s1-2", group.get("destination").asText());
    JsonNode port = group.get("ports").get(0);
    assertEquals("s2-0", port.get("via").asText());
    assertEquals(43, port.get("before").get("slots").asInt());
    assertFalse(port.has("after"));
    assertEquals(128, group.get("ports").get(2).get("after").get("slots").asInt());
    JsonNode pair = answer.get("pairs").get(0);
    assertTrue(pair.get("afterBps").asLong() < pair.get("beforeBps").asLong(), pair.toString());
    assertTrue(answer.get("plan").get("groupsChanged").asInt() > 0);
    assertTrue(answer.get("plan").get("rounds").size() > 0);
    assertFalse(answer.has("failures"));
    assertEquals(before, get("groups").toString(), "nothing was changed");
  }

  @Test
  void everySingleFailureHasARowAndPagesEnd() throws Exception {
    JsonNode failures = ask("{\"everyFailure\":true,\"limit\":5}").get("failures");
    assertEquals(6 + fabric.linkCount(), failures.get("total").asInt());
    assertEquals(5, failures.get("next").asInt());
    JsonNode rest = ask("{\"everyFailure\":true,\"offset\":5}").get("failures");
    assertEquals(1 + fabric.linkCount(), rest.get("rows").size());
    assertFalse(rest.has("next"));
    JsonNode row = rest.get("rows").get(3);
    assertEquals("link", row.get("kind").asText());
    assertEquals("s1-0/3-s2-1/1", row.get("failed").asText());
    assertEquals(0, row.get("cutPairs").asInt());
    JsonNode worst = row.get("worst");
    assertTrue(worst.get("afterBps").asLong() < worst.get("beforeBps").asLong(), row.toString());
  }

  @Test
  void beforeASwitchIsConnectedNothingIsComputed() throws Exception {
    VirtualLoop empty = new VirtualLoop();
    FakeNetwork nobody = new FakeNetwork(fabric, empty, 1);
    Engine idle = new Engine(EngineConfig.empty(), nobody, nobody, empty);
    CompletableFuture<ClientErrorException> answer =
        empty.start(
            () ->
                assertThrows(
                    ClientErrorException.class, () -> new WhatIfResource(idle).whatIf("{}")));
    empty.runFor(SECOND_NANOS);
    assertEquals(409, answer.get().getResponse().getStatus());
  }

  @Test
  void anUnknownFieldOrElementIsRefused() throws Exception {
    assertEquals(400, send("POST", "what-if", null, "{\"excluded\":{}}").getStatus());
    CompletableFuture<ContainerResponse> answer =
        loop.start(() -> send("POST", "what-if", null, "{\"exclude\":{\"switches\":[\"x\"]}}"));
    loop.runFor(SECOND_NANOS);
    assertEquals(409, answer.get().getStatus());
  }
}
