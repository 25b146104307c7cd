package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.KeptMemory;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;

/** Controllers that are killed and restarted, and switches that reconnect when they like. */
class EngineRandomRestartsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long LATEST_NANOS = 30 * SECOND_NANOS;

  /** A fabric with a controller, and failures of its past. */
  private static final class Bed {
    final VirtualLoop loop = new VirtualLoop();
    final SplittableRandom random;
    final Fabric fabric;
    final FakeNetwork network;
    final KeptMemory memory = new KeptMemory();
    final List<Integer> cut = new ArrayList<>();
    Engine engine;

    Bed(Fabric fabric, long seed) {
      this.fabric = fabric;
      random = new SplittableRandom(seed);
      network = new FakeNetwork(fabric, loop, seed);
      startEngine();
      network.connectAll();
      loop.runFor(5 * SECOND_NANOS);
      for (int i = random.nextInt(3); i > 0; i--) {
        cutAny();
        loop.runFor(5 * SECOND_NANOS);
      }
      if (random.nextInt(3) == 0) {
        network.silence(random.nextInt(fabric.linkCount()), true);
        loop.runFor(10 * SECOND_NANOS);
      }
    }

    void startEngine() {
      EngineConfig config = new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY);
      engine = new Engine(config, network, network.channel(), loop, memory);
      engine.start();
    }

    void restartEngine() {
      assertNoneSilent();
      engine.close();
      network.killController();
      engine = null;
      loop.runFor(random.nextLong(10 * SECOND_NANOS));
      startEngine();
      connectLater(fabric.switchIds());
    }

    /** All switches forward as their tables say, connected or not. */
    void assertNoneSilent() {
      assertEquals(0, engine.events().count(Event.Kind.SWITCH_SILENT));
    }

    void connectLater(List<String> switchIds) {
      Engine to = engine;
      for (String switchId : switchIds) {
        loop.schedule(() -> connect(switchId, to), random.nextLong(LATEST_NANOS));
      }
    }

    private void connect(String switchId, Engine to) {
      if (engine == to && !network.isConnected(switchId)) {
        network.connect(switchId);
      }
    }

    void cutAny() {
      int link = random.nextInt(fabric.linkCount());
      // Of a link between two switches that are not connected nobody can know.
      boolean canBeKnown =
          network.isConnected(fabric.switchId(fabric.from(2 * link)))
              || network.isConnected(fabric.switchId(fabric.to(2 * link)));
      if (canBeKnown && !cut.contains(link)) {
        cut.add(link);
        network.cut(link);
      }
    }

    Map<String, SwitchTables> tables() {
      return fabric.switchIds().stream().collect(Collectors.toMap(id -> id, network::tables));
    }
  }

  private static Fabric anyFabric(int switches, int links, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random.nextBoolean()
        ? Fabrics.random(random, switches, links)
        : Fabrics.clos(Fabrics.uplinks(random, 2 + random.nextInt(3), 2 + random.nextInt(3), 1, 2));
  }

  @Property(tries = 150)
  void aRestartChangesNothingInWhateverOrderSwitchesComeBack(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    Bed bed = new Bed(anyFabric(switches, links, seed), seed);
    Map<String, SwitchTables> before = bed.tables();
    Set<String> lossy = bed.network.lossy();
    int operations = bed.network.operations();
    for (int restart = 0; restart < 3; restart++) {
      bed.restartEngine();
      bed.loop.runFor(bed.random.nextLong(2 * LATEST_NANOS));
      assertEquals(operations, bed.network.operations());
    }
    bed.loop.runFor(2 * LATEST_NANOS);
    assertTrue(bed.engine.view().status().confirmed(), bed.engine.view().status().toString());
    assertEquals(operations, bed.network.operations());
    bed.assertNoneSilent();
    assertEquals(before, bed.tables());
    assertEquals(lossy, bed.network.lossy());
  }

  @Property(tries = 100)
  void switchesThatReconnectChangeNothing(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    Bed bed = new Bed(anyFabric(switches, links, seed), seed);
    int operations = bed.network.operations();
    for (String switchId : bed.fabric.switchIds()) {
      if (bed.random.nextBoolean()) {
        bed.network.disconnect(switchId);
        bed.connectLater(List.of(switchId));
        bed.loop.runFor(bed.random.nextLong(LATEST_NANOS));
      }
    }
    bed.loop.runFor(2 * LATEST_NANOS);
    bed.assertNoneSilent();
    assertEquals(operations, bed.network.operations());
    assertTrue(bed.engine.view().status().confirmed(), bed.engine.view().status().toString());
  }

  /** The fake network fails the test if a plan loops packets or loses some that had a way. */
  @Property(tries = 150)
  void failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    Bed bed = new Bed(anyFabric(switches, links, seed), seed);
    if (bed.random.nextBoolean()) {
      bed.restartEngine();
    } else {
      for (String switchId : bed.fabric.switchIds()) {
        if (bed.random.nextInt(3) == 0) {
          bed.network.disconnect(switchId);
          bed.connectLater(List.of(switchId));
        }
      }
    }
    for (int step = 0; step < 6; step++) {
      bed.loop.runFor(bed.random.nextLong(LATEST_NANOS / 4));
      if (!bed.cut.isEmpty() && bed.random.nextBoolean()) {
        bed.network.heal(bed.cut.remove(bed.random.nextInt(bed.cut.size())));
      } else {
        bed.cutAny();
      }
    }
    bed.loop.runFor(2 * LATEST_NANOS);
    assertTrue(bed.engine.view().status().confirmed(), bed.engine.view().status().toString());
    Map<String, SwitchTables> found = bed.tables();
    // An engine that has seen nothing of all this agrees that it is as it should be.
    bed.restartEngine();
    bed.loop.runFor(2 * LATEST_NANOS);
    bed.assertNoneSilent();
    assertEquals(found, bed.tables());
  }
}
