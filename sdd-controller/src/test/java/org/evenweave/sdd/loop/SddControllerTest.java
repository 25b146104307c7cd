package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.session.Bed;
import org.evenweave.sdd.session.FakeHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The closed loop on fake hosts: what is reported comes back as slots that lie within circuits. The
 * period is 50 ms, so that busy machines keep up; nothing here depends on how fast they are.
 */
class SddControllerTest {
  @TempDir static Path temporary;

  private static List<FakeHost.Command> startsOf(FakeHost host, int queue) {
    return host.commands.stream()
        .filter(command -> command.start && command.queue == queue)
        .collect(Collectors.toList());
  }

  /** Commands and slots until now are forgotten, those under way too. */
  private static void forget(FakeNetwork network) throws InterruptedException {
    Thread.sleep(3 * FakeNetwork.PERIOD_NS / 1_000_000);
    network.hosts.forEach(host -> host.commands.clear());
  }

  private static void assertWithinCircuits(FakeNetwork network) {
    int checked = 0;
    for (FakeHost host : network.hosts) {
      for (FakeHost.Command command : host.commands) {
        if (command.start && command.fromNs < command.untilNs) {
          assertTrue(
              network.circuitSwitch.carries(
                  host.number(),
                  command.queue,
                  command.fromNs,
                  command.untilNs + FakeNetwork.GUARD_NS),
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
    try (SddController controller = new SddController(FakeNetwork.config(temporary, flows));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      FakeHost first = network.hosts.get(0);
      // Two queues and the packet queue, everything to it; two hosts, each with its packet flow.
      Bed.await("requests", () -> first.requests.size() >= 8);
      assertEquals(
          List.of(
              "create 1 CIRCUIT",
              "create 2 CIRCUIT",
              "create 3 PACKET",
              "map 0 to 3",
              "map 2 to 1",
              "map 2 to 3",
              "map 3 to 2",
              "map 3 to 3"),
          first.requests);
    }
  }

  @Test
  void theTightLoopStartsQueuesWithinTheirCircuits() throws Exception {
    try (SddController controller = new SddController(FakeNetwork.config(temporary, ""));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      network.queue(1, 2, 2_000_000);
      network.queue(2, 0, 2_000_000);
      FakeHost first = network.hosts.get(0);
      Bed.await("slots", () -> startsOf(first, 1).size() >= 3);
      Bed.await("stop", () -> first.commands.stream().anyMatch(command -> !command.start));
      assertWithinCircuits(network);
      assertEquals(List.of(), startsOf(first, 2));

      // The workload changes: the new pair gets circuits, and the old one no more.
      network.queue(0, 1, 0);
      network.queue(0, 2, 3_000_000);
      network.queue(1, 2, 0);
      network.queue(1, 0, 2_000_000);
      network.queue(2, 0, 0);
      network.queue(2, 1, 2_000_000);
      forget(network);
      Bed.await("new slots", () -> startsOf(first, 2).size() >= 3);
      assertEquals(List.of(), startsOf(first, 1));
      assertWithinCircuits(network);
    }
  }

  @Test
  void theLooseLoopSendsSlotsAheadOfTime() throws Exception {
    try (SddController controller =
            new SddController(FakeNetwork.config(temporary, ", \"loop\": \"loose\""));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      network.queue(1, 0, 4_000_000);
      network.queue(0, 2, 4_000_000);
      FakeHost second = network.hosts.get(1);
      Bed.await("slots", () -> startsOf(second, 0).size() >= 3);
      assertTrue(second.requests.stream().anyMatch(r -> r.startsWith("schedule of ")));
      assertWithinCircuits(network);
    }
  }

  @Test
  void heartbeatsGoOnWithoutDemand() throws Exception {
    try (SddController controller =
            new SddController(FakeNetwork.config(temporary, ", \"loop\": \"loose\""));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      long before = network.hosts.get(2).window().highest();
      Bed.await("heartbeats", () -> network.hosts.get(2).window().highest() >= before + 5);
      assertEquals(List.of(), network.hosts.get(2).commands);
    }
  }

  @Test
  void aHostWhoseClockIsOffGetsNoSlots() throws Exception {
    try (SddController controller = new SddController(FakeNetwork.config(temporary, ""));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      network.queue(1, 0, 3_000_000);
      network.hosts.get(0).clock(false);
      Bed.await("note", () -> !controller.sessions().host(0).clock().synchronised());
      forget(network);
      Bed.await("slots of the other", () -> startsOf(network.hosts.get(1), 0).size() >= 3);
      assertEquals(List.of(), network.hosts.get(0).commands);
    }
  }

  @Test
  void withoutTheControllerHostsHearNothingAndCanComeBack() throws Exception {
    SddConfig config = FakeNetwork.config(temporary, "");
    SddController controller = new SddController(config);
    FakeNetwork network = new FakeNetwork(controller, temporary);
    controller.close();
    for (FakeHost host : network.hosts) {
      assertTrue(host.awaitEnd());
    }
    network.close();
    try (SddController next = new SddController(FakeNetwork.config(temporary, ""));
        FakeNetwork again = new FakeNetwork(next, temporary)) {
      again.queue(0, 1, 3_000_000);
      Bed.await("slots", () -> !startsOf(again.hosts.get(0), 1).isEmpty());
    }
  }

  @Test
  void whatIsAnnouncedCanBeLookedAt() throws Exception {
    try (SddController controller = new SddController(FakeNetwork.config(temporary, ""));
        FakeNetwork network = new FakeNetwork(controller, temporary)) {
      network.queue(0, 1, 3_000_000);
      Bed.await("demand", () -> controller.state().demand().get(0, 1) > 0);
      Bed.await("days", () -> !controller.state().days().isEmpty());
      LoopState state = controller.state();
      assertEquals(1_000_000, state.nightNs());
      assertTrue(
          state.days().stream().anyMatch(day -> day.destination(0) == 1), "h0 to h1 has a day");
      assertFalse(state.totals().periods() == 0);
    }
  }
}
