package org.evenweave.sdd.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.session.Bed;
import org.evenweave.sdd.session.FakeHost;
import org.evenweave.sdd.session.FakeSwitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The closed loop on fake hosts: what is reported comes back as slots that lie within circuits. The
 * period is 50 ms, so that busy machines keep up; nothing here depends on how fast they are.
 */
class SddControllerTest {
  private static final long PERIOD_NS = 50_000_000;
  private static final long GUARD_NS = 500_000;

  @TempDir static Path temporary;

  private static SddConfig config(String more) throws Exception {
    Path keys = Bed.keys(temporary.resolve("keys"));
    Path file = temporary.resolve("sdd.json");
    String json =
        "{\"hosts\": [\"h0\", \"h1\", \"h2\"], \"circuitSwitch\": \"cs\","
            + "\"listen\": \"127.0.0.1:0\", \"keys\": \""
            + keys.getFileName()
            + "\", \"periodNs\": "
            + PERIOD_NS
            + ", \"nightNs\": 1000000, \"guardNs\": "
            + GUARD_NS
            + more
            + "}";
    Files.writeString(file, json, StandardCharsets.UTF_8);
    return SddConfigReader.read(file);
  }

  /** Three hosts and the switch; each host reports every period what the test sets. */
  private static final class Network implements AutoCloseable {
    final List<FakeHost> hosts = new ArrayList<>();
    final FakeSwitch circuitSwitch;
    private final AtomicLongArray queued = new AtomicLongArray(9);
    private final Thread reporter = new Thread(this::report, "reporter");
    private volatile boolean silent;

    Network(SddController controller) throws Exception {
      Path keys = temporary.resolve("keys");
      circuitSwitch = new FakeSwitch(controller.address(), keys, "cs", "h0", "h1", "h2");
      for (int i = 0; i < 3; i++) {
        hosts.add(new FakeHost(controller.address(), keys, "h" + i, i + 1));
      }
      Bed.await("hosts", () -> controller.sessions().connected() == 3);
      reporter.start();
    }

    void queue(int source, int destination, long bytes) {
      queued.set(3 * source + destination, bytes);
    }

    private void report() {
      long last = -1;
      while (!silent) {
        long period = hosts.get(0).periodNow();
        if (period != last) {
          last = period;
          try {
            for (int source = 0; source < 3; source++) {
              List<long[]> rows = new ArrayList<>();
              for (int destination = 0; destination < 3; destination++) {
                long bytes = queued.get(3 * source + destination);
                if (bytes > 0) {
                  rows.add(new long[] {destination, bytes, bytes, 0});
                }
              }
              hosts.get(source).report(period, rows.toArray(new long[0][]));
            }
          } catch (IOException e) {
            return;
          }
        }
        Thread.onSpinWait();
        java.util.concurrent.locks.LockSupport.parkNanos(200_000);
      }
    }

    @Override
    public void close() throws IOException {
      silent = true;
      try {
        reporter.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      for (FakeHost host : hosts) {
        host.close();
      }
      circuitSwitch.close();
    }
  }

  private static List<FakeHost.Command> startsOf(FakeHost host, int queue) {
    return host.commands.stream()
        .filter(command -> command.start && command.queue == queue)
        .collect(Collectors.toList());
  }

  /** Commands and slots until now are forgotten, those under way too. */
  private static void forget(Network network) throws InterruptedException {
    Thread.sleep(3 * PERIOD_NS / 1_000_000);
    network.hosts.forEach(host -> host.commands.clear());
  }

  private static void assertWithinCircuits(Network network) {
    int checked = 0;
    for (FakeHost host : network.hosts) {
      for (FakeHost.Command command : host.commands) {
        if (command.start && command.fromNs < command.untilNs) {
          assertTrue(
              network.circuitSwitch.carries(
                  host.number(), command.queue, command.fromNs, command.untilNs + GUARD_NS),
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
    try (SddController controller = new SddController(config(flows));
        Network network = new Network(controller)) {
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
    try (SddController controller = new SddController(config(""));
        Network network = new Network(controller)) {
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
    try (SddController controller = new SddController(config(", \"loop\": \"loose\""));
        Network network = new Network(controller)) {
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
    try (SddController controller = new SddController(config(", \"loop\": \"loose\""));
        Network network = new Network(controller)) {
      long before = network.hosts.get(2).window().highest();
      Bed.await("heartbeats", () -> network.hosts.get(2).window().highest() >= before + 5);
      assertEquals(List.of(), network.hosts.get(2).commands);
    }
  }

  @Test
  void aHostWhoseClockIsOffGetsNoSlots() throws Exception {
    try (SddController controller = new SddController(config(""));
        Network network = new Network(controller)) {
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
    SddConfig config = config("");
    SddController controller = new SddController(config);
    Network network = new Network(controller);
    controller.close();
    for (FakeHost host : network.hosts) {
      assertTrue(host.awaitEnd());
    }
    network.close();
    try (SddController next = new SddController(config(""));
        Network again = new Network(next)) {
      again.queue(0, 1, 3_000_000);
      Bed.await("slots", () -> !startsOf(again.hosts.get(0), 1).isEmpty());
    }
  }

  @Test
  void whatIsAnnouncedCanBeLookedAt() throws Exception {
    try (SddController controller = new SddController(config(""));
        Network network = new Network(controller)) {
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
