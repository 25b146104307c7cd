package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.config.SharingConfig;
import org.evenweave.sdd.session.FakeHost;
import org.evenweave.sdd.session.SessionBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The closed loop on fake hosts: what is reported comes back as slots that lie within circuits. The
 * loop runs in real time, but nothing here says how soon: tests wait for weeks and commands, of
 * which there will be some as long as the machine runs at all.
 */
class SddControllerTest {
  @TempDir static Path temporary;

  private static List<FakeHost.Command> startsOf(FakeHost host, int queue) {
    return host.commands.stream()
        .filter(command -> command.start && command.queue == queue)
        .collect(Collectors.toList());
  }

  /** STARTs of the weeks that start then or later, whenever they arrive: of days that end later. */
  private static List<FakeHost.Command> startsOf(FakeHost host, int queue, long sinceNs) {
    return startsOf(host, queue).stream()
        .filter(command -> command.untilNs > sinceNs)
        .collect(Collectors.toList());
  }

  /** When a week starts that is planned from now on: the next one may be planned already. */
  private static long nextWeekNs(SddController controller) throws InterruptedException {
    for (int week = 0; week < 2; week++) {
      long last = controller.state().period();
      SessionBed.await("a week", () -> controller.state().period() > last);
    }
    return controller.state().startNs();
  }

  private static void assertWithinCircuits(FakeCircuitNetwork network) throws InterruptedException {
    int checked = 0;
    for (FakeHost host : network.hosts) {
      for (FakeHost.Command command : host.commands) {
        if (command.start && command.fromNs < command.untilNs) {
          long endNs = command.untilNs + FakeCircuitNetwork.GUARD_NS;
          SessionBed.await("configurations", () -> network.circuitSwitch.knowsUntil(endNs));
          assertTrue(
              network.circuitSwitch.carries(host.number(), command.queue, command.fromNs, endNs),
              host.name + " " + command);
          checked++;
        }
      }
    }
    assertTrue(checked > 0);
  }

  @Test
  void queuesAreSetUpAsHostsCome() throws Exception {
    String flows = ", \"packetFlows\": [{\"protocol\": 6, \"sourcePort\": 5201}]";
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, flows));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost first = network.hosts.get(0);
      // Two queues and the packet queue, everything and the packet flow to it; two hosts, each with
      // its packet flow.
      SessionBed.await("requests", () -> first.requests.size() >= 10);
      assertEquals(
          List.of(
              "create 1 CIRCUIT",
              "create 2 CIRCUIT",
              "create 3 PACKET",
              "map 0 to 3",
              "map 0 to 3"),
          first.requests.subList(0, 5));
      // The others in any order: each host has a session of its own.
      assertEquals(
          Set.of("map 2 to 1", "map 2 to 3", "map 3 to 2", "map 3 to 3", "end setup"),
          Set.copyOf(first.requests.subList(5, first.requests.size())));
    }
  }

  @Test
  void oneThatStandsByLeadsWhenItIsTold() throws Exception {
    try (SddController controller =
        new SddController(FakeCircuitNetwork.config(temporary, ""), true)) {
      assertFalse(controller.leadership().leads());
      controller.lead();
      long generation = controller.leadership().generation();
      assertTrue(generation > 0);
      controller.lead();
      assertEquals(generation, controller.leadership().generation());
    }
  }

  @Test
  void theTightLoopStartsQueuesWithinTheirCircuits() throws Exception {
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      network.queue(1, 2, 2_000_000);
      network.queue(2, 0, 2_000_000);
      FakeHost first = network.hosts.get(0);
      SessionBed.await("slots", () -> startsOf(first, 1).size() >= 3);
      SessionBed.await("stop", () -> first.commands.stream().anyMatch(command -> !command.start));
      assertWithinCircuits(network);
      assertEquals(List.of(), startsOf(first, 2));

      // The workload changes: the new pair gets circuits, and the old one no more.
      network.queue(0, 1, 0);
      network.queue(0, 2, 3_000_000);
      network.queue(1, 2, 0);
      network.queue(1, 0, 2_000_000);
      network.queue(2, 0, 0);
      network.queue(2, 1, 2_000_000);
      SessionBed.await("new demand", () -> controller.state().demand().get(0, 2) > 0);
      SessionBed.await("no old demand", () -> controller.state().demand().get(0, 1) == 0);
      long sinceNs = nextWeekNs(controller);
      SessionBed.await("new slots", () -> startsOf(first, 2, sinceNs).size() >= 3);
      assertEquals(List.of(), startsOf(first, 1, sinceNs));
      assertWithinCircuits(network);
    }
  }

  @Test
  void circuitClassesHaveQueuesToEachHostThatStartWithTheOthers() throws Exception {
    String classes =
        ", \"scheduler\": \"fastpass\", \"order\": \"smallestCoflow\", \"circuitClasses\": ["
            + "{\"name\": \"shuffle\", \"coflow\": true, \"flows\": [{\"protocol\": 6}]}]";
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, classes));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost first = network.hosts.get(0);
      SessionBed.await("mappings", () -> first.requests.contains("map 3 to 6"));
      assertTrue(
          first.requests.containsAll(
              List.of("create 5 CIRCUIT", "create 6 CIRCUIT", "map 2 to 1", "map 2 to 5")),
          first.requests.toString());
      network.queue(0, 5, 3_000_000);
      SessionBed.await("demand", () -> controller.observed().of(1).get(0, 1) > 0);
      assertEquals(0, controller.observed().of(0).get(0, 1));
      SessionBed.await("slots", () -> startsOf(first, 5).size() >= 3);
      assertEquals(List.of(), startsOf(first, 2));
      SessionBed.await("the pair's other queue", () -> startsOf(first, 1).size() >= 3);
    }
  }

  @Test
  void theLooseLoopSendsSlotsAheadOfTime() throws Exception {
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, ", \"loop\": \"loose\""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.queue(1, 0, 4_000_000);
      network.queue(0, 2, 4_000_000);
      FakeHost second = network.hosts.get(1);
      SessionBed.await("slots", () -> startsOf(second, 0).size() >= 3);
      assertTrue(second.requests.stream().anyMatch(r -> r.startsWith("schedule of ")));
      assertWithinCircuits(network);
    }
  }

  @Test
  void classesHaveQueuesWithRatesBehindThoseOfTheLoop() throws Exception {
    String sharing =
        ", \"sharing\": {\"capacityBps\": 40000000, \"packetBytes\": 1250, \"classes\": ["
            + "{\"name\": \"web\", \"flows\": [{\"protocol\": 6, \"destinationPort\": 80}]},"
            + "{\"name\": \"backup\", \"ceilingBps\": 10000000, \"flows\": [{\"protocol\": 17}]}]}";
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, sharing));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost third = network.hosts.get(2);
      SessionBed.await("requests", () -> third.requests.contains("map 0 to 5"));
      assertEquals(
          List.of(
              "create 4 PACKET",
              "create 5 PACKET",
              "condition 4 currTime - lastXmitTime >= 250000",
              "condition 5 currTime - lastXmitTime >= 1000000"),
          List.copyOf(third.requests).subList(0, 4));
      // Nobody sends anything: each class keeps a little, and may have more once it wants more.
      SessionBed.await("rates", () -> controller.sharing().rateBps(2, 1) == 400_000);
      SessionBed.await(
          "conditions",
          () ->
              third.requests.contains("condition 5 currTime - lastXmitTime >= 25000000")
                  && third.requests.contains("template 73"));
    }
  }

  @Test
  void otherClassesTakeThePlaceOfThoseThereAreInTheSameSessions() throws Exception {
    String before = "{\"classes\": [{\"name\": \"web\", \"flows\": [{\"protocol\": 6}]}]}";
    String after =
        "{\"classes\": [{\"name\": \"all\", \"flows\": [{\"protocol\": 6}, {\"protocol\": 17}]}]}";
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, ", \"sharing\": " + before));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost third = network.hosts.get(2);
      SessionBed.await("mappings", () -> third.requests.contains("map 2 to 4"));
      int first = third.requests.size();
      controller.replaceSharing(
          SddConfigReader.readSharing(new ObjectMapper().readTree(after), controller.config()));
      // Its flows are in the new queue before the old one is closed.
      SessionBed.await("the end of a queue", () -> third.requests.contains("remove 4"));
      List<String> until = List.copyOf(third.requests);
      List<String> since = until.subList(first, until.indexOf("remove 4"));
      assertTrue(since.contains("create 5 PACKET"), since.toString());
      assertEquals(6, since.stream().filter(r -> r.matches("map [012] to 5")).count());
      assertEquals(0, since.stream().filter(r -> r.startsWith("unmap")).count());
      controller.replaceSharing(SharingConfig.NONE);
      SessionBed.await("the end of the other", () -> third.requests.contains("remove 5"));
      assertEquals(6, third.requests.stream().filter(r -> r.matches("unmap [012]")).count());
      assertEquals(3, controller.sessions().connected());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tight", "loose"})
  void withHybridHostsGetPacketSlotsThatEndBeforeTheirCircuits(String loop) throws Exception {
    String hybrid =
        ", \"hybrid\": {\"packetDelayNs\": 5000000, \"bps\": 60000000}, \"loop\": \"" + loop + "\"";
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, hybrid));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost first = network.hosts.get(0);
      // More than a week carries.
      network.queue(0, 1, 60_000_000);
      SessionBed.await("circuits", () -> startsOf(first, 1).size() >= 3);
      SessionBed.await("packet slots", () -> first.packetSlots.size() >= 20);
      assertTrue(first.requests.contains("create 3 PACKET"));
      for (long[] slot : first.packetSlots) {
        for (FakeHost.Command circuit : startsOf(first, (int) slot[0])) {
          // A START says when it ends; when it begins the circuit switch knows.
          assertTrue(slot[2] <= circuit.fromNs || slot[1] >= circuit.untilNs);
        }
        assertTrue(slot[3] > 0 && slot[3] <= 60_000_000);
      }
      assertEquals(60_000_000, controller.config().network().packetBps());
    }
  }

  @Test
  void circuitClassesHavePacketSlotsOfTheirOwn() throws Exception {
    try (SddController controller =
            new SddController(
                FakeCircuitNetwork.config(temporary, FakeCircuitNetwork.HYBRID_WITH_A_CLASS));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      FakeHost first = network.hosts.get(0);
      int urgent = controller.directory().queueTo(1, 1);
      // Two pairs of a source, so that each is without a circuit for a part of the week.
      network.queue(0, urgent, 60_000_000);
      network.queue(0, 2, 60_000_000);
      long unplannedBps = 60_000_000 / 4;
      SessionBed.await(
          "a rate for what waits of the class",
          () ->
              first.packetSlots.stream()
                  .anyMatch(slot -> slot[0] == urgent && slot[3] > unplannedBps));
      // New traffic of no class needs no plan.
      assertTrue(first.packetSlots.stream().anyMatch(slot -> slot[0] == 1 && slot[3] > 0));
      assertTrue(
          first.packetSlots.stream().noneMatch(slot -> slot[0] == 1 && slot[3] > unplannedBps));
    }
  }

  @Test
  void withoutHybridHostsGetNoPacketSlots() throws Exception {
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      SessionBed.await("circuits", () -> startsOf(network.hosts.get(0), 1).size() >= 3);
      assertEquals(List.of(), network.hosts.get(0).packetSlots);
    }
  }

  @Test
  void heartbeatsGoOnWithoutDemand() throws Exception {
    try (SddController controller =
            new SddController(FakeCircuitNetwork.config(temporary, ", \"loop\": \"loose\""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      long before = network.hosts.get(2).window().highest();
      SessionBed.await("heartbeats", () -> network.hosts.get(2).window().highest() >= before + 5);
      assertEquals(List.of(), network.hosts.get(2).commands);
    }
  }

  @Test
  void aHostWhoseClockIsOffGetsNoSlots() throws Exception {
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      network.queue(1, 0, 3_000_000);
      network.hosts.get(0).clock(false);
      SessionBed.await("note", () -> !controller.sessions().host(0).clock().synchronised());
      // One thread sends the commands of all weeks in order, so those from before are sent by then.
      FakeHost off = network.hosts.get(0);
      FakeHost other = network.hosts.get(1);
      long sinceNs = nextWeekNs(controller);
      SessionBed.await("a later slot", () -> !startsOf(other, 0, sinceNs).isEmpty());
      long sent = controller.sessions().host(0).datagramsSent();
      SessionBed.await("the datagrams from before", () -> off.window().highest() > sent);
      off.commands.clear();
      int before = startsOf(other, 0).size();
      SessionBed.await("slots of the other", () -> startsOf(other, 0).size() >= before + 3);
      assertEquals(List.of(), off.commands);
    }
  }

  @Test
  void withoutTheControllerHostsHearNothingAndCanComeBack() throws Exception {
    SddConfig config = FakeCircuitNetwork.config(temporary, "");
    SddController controller = new SddController(config);
    FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary);
    controller.close();
    for (FakeHost host : network.hosts) {
      assertTrue(host.awaitEnd());
    }
    network.close();
    try (SddController next = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork again = new FakeCircuitNetwork(next, temporary)) {
      again.queue(0, 1, 3_000_000);
      SessionBed.await("slots", () -> !startsOf(again.hosts.get(0), 1).isEmpty());
    }
  }

  @Test
  void whatIsAnnouncedCanBeLookedAt() throws Exception {
    try (SddController controller = new SddController(FakeCircuitNetwork.config(temporary, ""));
        FakeCircuitNetwork network = new FakeCircuitNetwork(controller, temporary)) {
      // More than a week carries, so that there is demand in every period.
      network.queue(0, 1, 60_000_000);
      AtomicReference<LoopState> found = new AtomicReference<>();
      SessionBed.await(
          "days of the demand",
          () -> {
            found.set(controller.state());
            return found.get().demand().get(0, 1) > 0 && !found.get().days().isEmpty();
          });
      LoopState state = found.get();
      assertEquals(1_000_000 + 2 * FakeCircuitNetwork.GUARD_NS, state.nightNs());
      assertTrue(
          state.days().stream().anyMatch(day -> day.destination(0) == 1), "h0 to h1 has a day");
      SessionBed.await("the end of a period", () -> controller.state().totals().periods() > 0);
    }
  }
}
