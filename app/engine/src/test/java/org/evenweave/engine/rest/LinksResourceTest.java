package org.evenweave.engine.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.nib.PortSettings;
import org.junit.jupiter.api.Test;

class LinksResourceTest extends RestFixture {
  @Test
  void eachLinkIsListedWithWhatItLosesInEachDirection() throws IOException {
    network.traffic.send(0, 10_000);
    network.traffic.lose(0, 0.05);
    loop.runFor(60 * SECOND_NANOS);
    JsonNode links = get("links").get("links");
    assertEquals(12, links.size());
    JsonNode link = links.get(0);
    assertEquals("s1-0/1-s2-0/1", link.get("link").asText());
    assertEquals(1500, link.get("mtu").asInt());
    assertTrue(link.get("lossy").asBoolean());
    assertFalse(link.get("mtuTooSmall").asBoolean());
    assertFalse(link.get("avoided").asBoolean());
    JsonNode lossy = link.get("directions").get(0);
    assertEquals("s1-0/1", lossy.get("from").asText());
    assertEquals("s2-0/1", lossy.get("to").asText());
    assertEquals(0.05, lossy.get("lossShare").asDouble(), 0.005);
    double share = lossy.get("lost").asDouble() / lossy.get("sent").asDouble();
    assertTrue(share > 0.04 && share <= 0.05, lossy.toString());
    assertTrue(lossy.has("lossySince"), lossy.toString());
    assertFalse(link.get("directions").get(1).has("lossySince"));
  }

  @Test
  void aDirectionThatDelaysPacketsIsListedWithItsDelay() throws IOException {
    network.traffic.delay(1, 250_000_000L);
    loop.runFor(60 * SECOND_NANOS);
    JsonNode link = get("links").get("links").get(0);
    assertTrue(link.get("slow").asBoolean());
    assertFalse(link.get("lossy").asBoolean());
    JsonNode slow = link.get("directions").get(1);
    assertEquals(250, slow.get("delayMs").asInt(), 40);
    assertTrue(slow.has("slowSince"), slow.toString());
    assertFalse(link.get("directions").get(0).has("delayMs"));
  }

  @Test
  void aLinkWhoseMtuIsTooSmallIsAvoided() throws IOException {
    network.traffic.limitMtu(1, 1400);
    loop.runFor(30 * SECOND_NANOS);
    JsonNode link = get("links").get("links").get(0);
    assertTrue(link.get("mtuTooSmall").asBoolean());
    assertTrue(link.get("avoided").asBoolean());
    assertFalse(link.get("directions").get(0).get("mtuTooSmall").asBoolean());
    assertTrue(link.get("directions").get(1).get("mtuTooSmall").asBoolean());
    assertEquals("[\"s1-0/1-s2-0/1\"]", get("topology").get("avoidedLinks").toString());
  }

  @Test
  void portsAreListedWithTheirSettings() throws IOException {
    network.configurePort(
        "s1-2", FakeNetwork.HOST_PORT, PortSettings.of(PortSettings.NO_PACKET_IN));
    loop.runFor(SECOND_NANOS);
    assertEquals(
        "[{\"port\":\"s1-2/1000\",\"settings\":[\"NO_PACKET_IN\"]}]",
        get("links").get("ports").toString());
    assertTrue(get("status").get("converged").asBoolean());
  }
}
