package org.evenweave.sdd.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.evenweave.sdd.loop.FakeCircuitNetwork;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.sdd.protocol.ClientFrames;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SddResourcesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path temporary;

  /** What a resource answers once a field of it is true or more than 0. */
  private static JsonNode eventually(Callable<String> resource, String field) throws Exception {
    JsonNode[] answer = new JsonNode[1];
    SessionBed.await(
        field,
        () -> {
          try {
            answer[0] = JSON.readTree(resource.call());
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return answer[0].at(field).asBoolean();
        });
    return answer[0];
  }

  @Test
  void restShowsClassesWithTheirRatesAtEachHost() throws Exception {
    String sharing =
        ", \"sharing\": {\"method\": \"rcp\", \"capacityBps\": 5000, \"classes\": ["
            + "{\"name\": \"all\"},"
            + "{\"name\": \"web\", \"in\": \"all\", \"ceilingBps\": 4000, \"flows\": [{}]}]}";
    try (SddController controller =
        new SddController(FakeCircuitNetwork.config(temporary, sharing))) {
      JsonNode rates = JSON.readTree(new SddRatesResource(controller).rates());
      assertEquals(
          "{\"method\":\"rcp\",\"capacityBps\":5000,\"packetBytes\":1514,\"classes\":["
              + "{\"name\":\"all\",\"weight\":1,\"guaranteedBps\":0,\"ceilingBps\":5000},"
              + "{\"name\":\"web\",\"in\":\"all\",\"weight\":1,\"guaranteedBps\":0,\"ceilingBps\":4000,"
              + "\"queue\":4}],"
              + "\"rates\":[]}",
          rates.toString());
      try (FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
        rates = eventually(new SddRatesResource(controller)::rates, "/rates/2/rateBps");
        assertTrue(
            rates
                .at("/rates/2")
                .toString()
                .startsWith("{\"host\":\"h2\",\"class\":\"web\",\"rateBps\":4000"));
        assertEquals(3, network.hosts.size());
      }
    }
  }

  @Test
  void restShowsHostsQueuesDemandAndSchedule() throws Exception {
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      // More than a week carries, so that there is demand in every period.
      network.queue(0, 1, 60_000_000);
      JsonNode status = JSON.readTree(new SddStatusResource(controller).status());
      assertEquals(3, status.get("connected").intValue());
      assertEquals("tight", status.get("loop").textValue());

      SddHostsResource hosts = new SddHostsResource(controller);
      JsonNode host = eventually(hosts::hosts, "/hosts/1/clock/good").at("/hosts/1");
      assertEquals("h1", host.get("name").textValue());
      assertEquals("10.0.0.2", host.at("/addresses/0").textValue());
      assertEquals("none", host.get("fallback").textValue());

      String queues = new SddQueuesResource(controller).queues("h1", 0, 100);
      JsonNode queue = JSON.readTree(queues).at("/queues/2");
      assertEquals("h2", queue.get("to").textValue());
      assertEquals(30_002, queue.get("queuedBytes").longValue());
      assertEquals(20_002, queue.get("packetSwitchBytes").longValue());

      JsonNode demand = eventually(new SddDemandResource(controller)::demand, "/demand/0/bytes");
      assertEquals("h0", demand.at("/demand/0/from").textValue());
      assertEquals(demand.get("totalBytes"), demand.at("/demand/0/bytes"));

      SddScheduleResource weeks = new SddScheduleResource(controller);
      JsonNode schedule = eventually(weeks::schedule, "/days/0/durationNs");
      assertEquals(2_000_000, schedule.get("nightNs").longValue());
      assertEquals(1_000_000, status.get("nightNs").longValue());
      assertTrue(schedule.at("/days").toString().contains("{\"from\":\"h0\",\"to\":\"h1\"}"));

      network
          .hosts
          .get(1)
          .send(ClientFrames.missed(9, 9, new long[] {2, 4, 3, 70}, new long[] {3, 1, 0, 0}));
      SessionBed.await("misses", () -> controller.sessions().host(1).misses().lateStarts() == 3);
      JsonNode misses = JSON.readTree(new SddMissesResource(controller).misses());
      assertEquals(5, misses.get("packetsOutOfSlot").longValue());
      assertEquals("h2", misses.at("/hosts/0/to").textValue());
      assertTrue(misses.has("circuitSwitch"));
    }
  }

  /** By order alone: the host answers once all others have been answered. */
  @Test
  void aHostThatDoesNotAnswerSixtyQueriesDelaysNoOtherRequest() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2 * HostTurns.FOR_ALL);
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.hosts.get(1).answersBehind(answers);
      SddQueuesResource queues = new SddQueuesResource(controller, SessionBed.HANG_SECONDS);
      List<Future<String>> asked = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        asked.add(threads.submit(() -> queues.queues("h1", 0, 100)));
      }
      SddStatusResource status = new SddStatusResource(controller);
      String other = threads.submit(() -> queues.queues("h2", 0, 100)).get();
      assertEquals("h2", JSON.readTree(other).get("host").textValue());
      assertTrue(JSON.readTree(threads.submit(status::status).get()).get("leads").booleanValue());
      SessionBed.await("refusals", () -> asked.stream().filter(Future::isDone).count() == 58);
      for (Future<String> refused : asked) {
        if (refused.isDone()) {
          // A 503, which cannot be made here: the module has no runtime of JAX-RS.
          assertThrows(ExecutionException.class, refused::get);
        }
      }
      List<Future<String>> waiting =
          asked.stream().filter(each -> !each.isDone()).collect(Collectors.toList());
      assertEquals(2, waiting.size());
      answers.countDown();
      SessionBed.await("answers", () -> asked.stream().allMatch(Future::isDone));
      for (Future<String> answered : waiting) {
        assertEquals("h1", JSON.readTree(answered.get()).get("host").textValue());
      }
    } finally {
      answers.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void restShowsWhatTakesThePacketSwitch() throws Exception {
    String hybrid = ", \"hybrid\": {\"packetDelayNs\": 1000000, \"bps\": 60000000}";
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, hybrid));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      JsonNode status = JSON.readTree(new SddStatusResource(controller).status());
      assertEquals("{\"bps\":60000000,\"packetDelayNs\":1000000}", status.get("hybrid").toString());
      // More than a week carries, so that some of it remains.
      network.queue(0, 1, 60_000_000);
      SddScheduleResource weeks = new SddScheduleResource(controller);
      JsonNode rate = eventually(weeks::schedule, "/packetSwitch/0/rateBps").at("/packetSwitch/0");
      assertEquals("h0", rate.get("from").textValue());
      assertEquals("h1", rate.get("to").textValue());
      assertFalse(rate.has("class"));
      assertTrue(rate.get("remainderBytes").longValue() > 0);
      assertTrue(rate.get("rateBps").longValue() <= 60_000_000);
    }
  }

  @Test
  void restShowsWhatOfAClassTakesThePacketSwitch() throws Exception {
    try (SddController controller =
            new SddController(
                FakeCircuitNetwork.config(temporary, FakeCircuitNetwork.HYBRID_WITH_A_CLASS));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      SddScheduleResource weeks = new SddScheduleResource(controller);
      network.queue(0, controller.directory().queueTo(1, 1), 60_000_000);
      JsonNode rate = eventually(weeks::schedule, "/packetSwitch/0/rateBps").at("/packetSwitch/0");
      assertEquals("urgent", rate.get("class").textValue());
      assertTrue(rate.get("rateBps").longValue() <= 60_000_000);
    }
  }

  @Test
  void restShowsWhatOtherTrafficUsesAndCircuitsGoAroundIt() throws Exception {
    String racks =
        ", \"racks\": {\"hostsPerRack\": 2, \"paths\": 2, \"switches\": [\"l0\", \"l1\"],"
            + " \"cores\": [\"s0\", \"s1\"]}";
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, racks));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.queue(0, 2, 60_000_000);
      SddScheduleResource weeks = new SddScheduleResource(controller);
      JsonNode schedule = eventually(weeks::schedule, "/days/0/durationNs");
      assertTrue(schedule.at("/links").isMissingNode());
      assertEquals(0, pathOf(schedule));
      Map<String, Double> idle = Map.of("l0", 0.0, "l1", 0.0);
      Map<String, Double> up = Map.of("s0", 0.0, "s1", 0.1);
      controller.useFabric(
          () -> Map.of("s0", Map.of("l0", 0.0, "l1", 0.2), "s1", idle, "l0", up, "l1", up));
      schedule = eventually(weeks::schedule, "/days/0/durationNs");
      assertEquals(1, pathOf(schedule));
      assertEquals(
          "[{\"from\":\"l0\",\"to\":\"s0\",\"usedPercent\":0.0},"
              + "{\"from\":\"s0\",\"to\":\"l0\",\"usedPercent\":0.0},"
              + "{\"from\":\"l0\",\"to\":\"s1\",\"usedPercent\":10.0},"
              + "{\"from\":\"s1\",\"to\":\"l0\",\"usedPercent\":0.0},"
              + "{\"from\":\"l1\",\"to\":\"s0\",\"usedPercent\":0.0},"
              + "{\"from\":\"s0\",\"to\":\"l1\",\"usedPercent\":20.0},"
              + "{\"from\":\"l1\",\"to\":\"s1\",\"usedPercent\":10.0},"
              + "{\"from\":\"s1\",\"to\":\"l1\",\"usedPercent\":0.0}]",
          schedule.get("links").toString());
      // The link from s1 down to l1 fails: what nobody uses as it is not there is not idle.
      Map<String, Double> half = Map.of("l0", 0.0);
      controller.useFabric(
          () -> Map.of("s0", Map.of("l0", 0.0, "l1", 0.2), "s1", half, "l0", up, "l1", up));
      schedule = eventually(weeks::schedule, "/days/0/durationNs");
      assertEquals(0, pathOf(schedule));
      assertEquals(7, schedule.get("links").size());
    }
  }

  private static int pathOf(JsonNode schedule) {
    return schedule.at("/days/0/circuits/0/path").intValue();
  }
}
