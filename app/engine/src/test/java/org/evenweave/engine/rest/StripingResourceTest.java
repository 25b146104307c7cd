package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import javax.ws.rs.ClientErrorException;
import org.glassfish.jersey.server.ContainerResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripingResourceTest extends RestFixture {
  private JsonNode ask(String body) throws Exception {
    ContainerResponse answer = send("POST", "striping", null, body);
    assertEquals(200, answer.getStatus(), String.valueOf(answer.getEntity()));
    return JSON.readTree((String) answer.getEntity());
  }

  @Test
  void anExpansionHasItsCablesAndItsSteps() throws Exception {
    JsonNode answer =
        ask(
            "{\"kind\":\"group\",\"s1\":2,\"s2\":2,\"uplinks\":3,\"downlinks\":3,"
                + "\"addS2\":1,\"cables\":true}");
    assertEquals("[[2,1],[1,2]]", answer.get("matrix").toString());
    assertEquals("{\"a\":\"s1-0/1\",\"b\":\"s2-0/1\"}", answer.get("cables").get(0).toString());
    JsonNode expansion = answer.get("expansion");
    assertEquals(3, expansion.get("s2").intValue());
    assertEquals(2, expansion.get("cablesMoved").intValue());
    assertEquals(
        "move s1-0 port 2 from s2-0 port 2 to s2-2 port 1",
        expansion.get("steps").get(0).textValue());
    // Each port is used once.
    Set<String> ends = new HashSet<>();
    for (JsonNode cable : expansion.get("cables")) {
      assertTrue(ends.add(cable.get("a").textValue()) && ends.add(cable.get("b").textValue()));
    }
    assertEquals(6, expansion.get("cables").size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {'kind':'group'} | s1",
        "409 | {'kind':'group','s1':2,'s2':2,'uplinks':3,'downlinks':4} | downlinks: s1 x uplinks",
        "409 | {'kind':'group','s1':4096,'s2':4096,'uplinks':1,'downlinks':1} | s1 x s2: must be",
        "409 | {'kind':'group','s1':2,'s2':2,'uplinks':60000,'downlinks':60000} | s1 x uplinks: must",
      })
  void aBodyThatDoesNotFitIsRefusedWithItsField(int status, String body, String problem) {
    ClientErrorException refusal =
        assertThrows(
            ClientErrorException.class,
            () -> new StripingResource().striping(body.replace('\'', '"')));
    assertEquals(status, refusal.getResponse().getStatus());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }
}
