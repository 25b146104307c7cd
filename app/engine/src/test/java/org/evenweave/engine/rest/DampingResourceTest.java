package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The resource of links that are damped, of which there is one: link 0. */
class DampingResourceTest extends RestFixture {
  @BeforeEach
  void flap() {
    for (int i = 0; i < 4; i++) {
      network.cut(0);
      loop.runFor(SECOND_NANOS / 4);
      network.heal(0);
      loop.runFor(SECOND_NANOS / 4);
    }
  }

  @Test
  void aDampedLinkIsListedWithTheTimeUntilItsRelease() throws IOException {
    JsonNode link = get("damping").get("links").get(0);
    assertEquals("s1-0/1-s2-0/1", link.get("link").asText());
    assertEquals(4, link.get("failures").asInt());
    double seconds = link.get("releaseInSeconds").asDouble();
    assertTrue(seconds > 15 && seconds < 20, link.toString());
    loop.runFor(SECOND_NANOS);
    JsonNode later = get("damping").get("links").get(0);
    assertEquals(seconds - 1, later.get("releaseInSeconds").asDouble(), 0.11);
  }

  @Test
  void theTopologyNamesIt() throws IOException {
    assertEquals("[\"s1-0/1-s2-0/1\"]", get("topology").get("dampedLinks").toString());
    assertEquals(12, get("topology").get("fabric").get("links").size());
  }

  @Test
  void itIsReleasedByEitherEnd() throws IOException {
    assertEquals(200, send("DELETE", "damping/s2-0/1", null, "").getStatus());
    loop.runFor(SECOND_NANOS);
    assertEquals("{\"links\":[]}", get("damping").toString());
    assertTrue(get("status").get("converged").asBoolean());
  }

  @Test
  void aLinkThatIsNotDampedIsNotFound() {
    for (String end : new String[] {"s1-0/2", "s1-0", "0/1-s2-0/1", "s1-0/1-s2-0/1"}) {
      assertEquals(404, send("DELETE", "damping/" + end, null, "").getStatus(), end);
    }
  }
}
