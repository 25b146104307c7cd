package org.evenweave.sdd.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.evenweave.sdd.loop.FakeCircuitNetwork;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SddResourcesTest {
  @TempDir static Path temporary;

  @Test
  void restShowsHostsQueuesDemandAndSchedule() throws Exception {
    ObjectMapper json = new ObjectMapper();
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      // More than a week carries, so that there is demand in every period.
      network.queue(0, 1, 60_000_000);
      SessionBed.await("days", () -> !controller.state().days().isEmpty());
      JsonNode status = json.readTree(new SddStatusResource(controller).status());
      assertEquals(3, status.get("connected").intValue());
      assertEquals("tight", status.get("loop").textValue());

      JsonNode host = json.readTree(new SddHostsResource(controller).hosts()).at("/hosts/1");
      assertEquals("h1", host.get("name").textValue());
      assertEquals("10.0.0.2", host.at("/addresses/0").textValue());
      assertTrue(host.at("/clock/good").booleanValue());
      assertEquals("none", host.get("fallback").textValue());

      String queues = new SddQueuesResource(controller).queues("h1", 0, 100);
      JsonNode queue = json.readTree(queues).at("/queues/2");
      assertEquals("h2", queue.get("to").textValue());
      assertEquals(30_002, queue.get("queuedBytes").longValue());

      JsonNode demand = json.readTree(new SddDemandResource(controller).demand());
      assertEquals("h0", demand.at("/demand/0/from").textValue());
      assertEquals(demand.get("totalBytes"), demand.at("/demand/0/bytes"));

      JsonNode schedule = json.readTree(new SddScheduleResource(controller).schedule());
      assertEquals(2_000_000, schedule.get("nightNs").longValue());
      assertEquals(1_000_000, status.get("nightNs").longValue());
      assertTrue(schedule.at("/days/0/durationNs").longValue() > 0);
      assertTrue(schedule.at("/days").toString().contains("{\"from\":\"h0\",\"to\":\"h1\"}"));

      network
          .hosts
          .get(1)
          .send(ClientFrames.missed(9, 9, new long[] {2, 4, 3, 70}, new long[] {3, 1, 0, 0}));
      SessionBed.await("misses", () -> controller.sessions().host(1).misses().lateStarts() == 3);
      JsonNode misses = json.readTree(new SddMissesResource(controller).misses());
      assertEquals(5, misses.get("packetsOutOfSlot").longValue());
      assertEquals("h2", misses.at("/hosts/0/to").textValue());
      assertTrue(misses.has("circuitSwitch"));
    }
  }
}
