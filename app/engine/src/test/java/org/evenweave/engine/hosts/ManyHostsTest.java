package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Ten thousand hosts that send only answers, two of whose ports are swapped unannounced. */
class ManyHostsTest {
  private static final int LEAVES = 100;
  private static final int PORTS = 100;
  private static final int HOSTS = LEAVES * PORTS;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long ANSWER_NANOS = 2_000_000L;

  /** All hosts have their turn, each second a tenth of them, and what is found missing is asked. */
  private static final long FOUND_NANOS = 13 * SECOND_NANOS;

  private static final int TARGET_OFFSET = 38;

  private final VirtualLoop loop = new VirtualLoop();
  private final Nib nib = new Nib(new EngineConfig(fabric(), Map.of(), WeightRule.EQUAL));

  /** Which host really is at which port. */
  private final Map<SwitchPort, Host> places = new HashMap<>();

  private final Map<String, Integer> requests = new HashMap<>();

  private final HostTracker tracker =
      new HostTracker(
          nib,
          new Answers(),
          loop,
          new HostEvents(new EventLog(() -> 0, 0), loop::nanoTime),
          () -> {},
          any -> {});

  private static Fabric fabric() {
    FabricBuilder builder = new FabricBuilder();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      builder.addSwitch("leaf" + leaf, 1, Fabric.UNLIMITED);
      builder.addSubnet("leaf" + leaf, Ipv4Prefix.of(10 << 24 | leaf << 8, 24));
    }
    return builder.build();
  }

  private final class Answers implements SouthboundPort {
    @Override
    public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
      throw new AssertionError("the tracker must not program switches");
    }

    @Override
    public CompletableFuture<SwitchTables> read(String switchId) {
      throw new AssertionError("the tracker must not read switches");
    }

    @Override
    public void sendPacket(String switchId, int outPort, byte[] frame) {
      requests.merge(switchId, 1, Integer::sum);
      Host there = places.get(new SwitchPort(switchId, outPort));
      if (there != null && there.address() == ByteBuffer.wrap(frame).getInt(TARGET_OFFSET)) {
        loop.schedule(() -> tracker.seen(there), ANSWER_NANOS);
      }
    }
  }

  private void begin() {
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      String id = "leaf" + leaf;
      nib.switchUp(id);
      nib.tablesKnown(id, Set.of());
      for (int port = 1; port <= PORTS; port++) {
        nib.portChanged(id, port, true, 0);
        int number = leaf * PORTS + port;
        Host host = new Host(10 << 24 | leaf << 8 | port + 1, 0x0a00_0000_0000L + number, id, port);
        places.put(host.location(), host);
        tracker.seen(host);
      }
    }
    tracker.start();
  }

  private Host at(Host host, int port) {
    return new Host(host.address(), host.mac(), host.switchId(), port);
  }

  private List<Host> swapped(String leaf, int port, int otherPort) {
    Host one = at(places.get(new SwitchPort(leaf, port)), otherPort);
    Host other = at(places.get(new SwitchPort(leaf, otherPort)), port);
    places.put(one.location(), one);
    places.put(other.location(), other);
    return List.of(one, other);
  }

  private boolean isKnown(Host host) {
    return host.equals(nib.hostAt(host.address()));
  }

  @Test
  void portsThatAreSwappedAreFoundWithinSecondsAndBothAtOnce() {
    begin();
    SplittableRandom random = new SplittableRandom(1);
    List<Long> longest = new ArrayList<>();
    for (int swap = 0; swap < 10; swap++) {
      loop.runFor(random.nextLong(10 * SECOND_NANOS));
      int port = 1 + random.nextInt(PORTS - 1);
      String leaf = "leaf" + random.nextInt(LEAVES);
      List<Host> hosts = swapped(leaf, port, port + 1 + random.nextInt(PORTS - port));
      long began = loop.nanoTime();
      long first = 0;
      while (!hosts.stream().allMatch(this::isKnown)) {
        loop.runFor(SECOND_NANOS / 20);
        first = first == 0 && hosts.stream().anyMatch(this::isKnown) ? loop.nanoTime() : first;
        assertTrue(loop.nanoTime() - began < FOUND_NANOS, "swap " + swap + " is not found");
      }
      longest.add(loop.nanoTime() - first);
    }
    longest.forEach(nanos -> assertTrue(nanos <= 2 * SECOND_NANOS, longest.toString()));
    assertEquals(HOSTS, nib.snapshot().hosts().size());
  }

  @Test
  void noSwitchIsAskedMoreThanItCanAnswerAndTheControllerAsksAThousandASecond() {
    begin();
    loop.runFor(5 * SECOND_NANOS);
    requests.clear();
    loop.runFor(10 * SECOND_NANOS);
    int all = requests.values().stream().mapToInt(Integer::intValue).sum();
    assertEquals(10_000, all, 100);
    requests.forEach((leaf, count) -> assertTrue(count <= 1000 + 100, leaf + ": " + count));
  }
}
