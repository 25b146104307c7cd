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
import org.evenweave.engine.fake.FakeHardware;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.KeptMemory;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Controllers that are killed and restarted, and switches that reconnect when they like. */
class EngineRandomRestartsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long LATEST_NANOS = 30 * SECOND_NANOS;

  /** A fabric with a controller, and failures of its past. */
  private static final class Scenario {
    final VirtualLoop loop = new VirtualLoop();
    final SplittableRandom random;
    final Fabric fabric;
    final FakeNetwork network;
    final KeptMemory memory = new KeptMemory();
    final List<Integer> cut = new ArrayList<>();
    final boolean mergesRules;
    final WeightRule rule;
    Engine engine;

    Scenario(Fabric fabric, long seed, boolean mergesRules) {
      this.fabric = fabric;
      this.mergesRules = mergesRules;
      rule = seed % 2 == 0 ? WeightRule.PAIR : WeightRule.EFFECTIVE_CAPACITY;
      random = new SplittableRandom(seed);
      network =
          seed % 3 == 0
              ? new FakeHardware(fabric, loop, seed)
              : new FakeNetwork(fabric, loop, seed);
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
      EngineConfig config =
          new EngineConfig(fabric, Map.of(), rule)
              .withAggregating(mergesRules ? fabric.switchIds() : List.of());
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
      @ForAll long seed,
      @ForAll boolean mergesRules) {
    Scenario scenario = new Scenario(anyFabric(switches, links, seed), seed, mergesRules);
    Map<String, SwitchTables> before = scenario.tables();
    Set<String> lossy = scenario.network.lossy();
    int operations = scenario.network.operations();
    for (int restart = 0; restart < 3; restart++) {
      scenario.restartEngine();
      scenario.loop.runFor(scenario.random.nextLong(2 * LATEST_NANOS));
      assertEquals(operations, scenario.network.operations());
    }
    scenario.loop.runFor(2 * LATEST_NANOS);
    assertTrue(
        scenario.engine.view().status().confirmed(), scenario.engine.view().status().toString());
    assertEquals(operations, scenario.network.operations());
    scenario.assertNoneSilent();
    assertEquals(before, scenario.tables());
    assertEquals(lossy, scenario.network.lossy());
  }

  @Property(tries = 100)
  void switchesThatReconnectChangeNothing(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed,
      @ForAll boolean mergesRules) {
    Scenario scenario = new Scenario(anyFabric(switches, links, seed), seed, mergesRules);
    int operations = scenario.network.operations();
    for (String switchId : scenario.fabric.switchIds()) {
      if (scenario.random.nextBoolean()) {
        scenario.network.disconnect(switchId);
        scenario.connectLater(List.of(switchId));
        scenario.loop.runFor(scenario.random.nextLong(LATEST_NANOS));
      }
    }
    scenario.loop.runFor(2 * LATEST_NANOS);
    scenario.assertNoneSilent();
    assertEquals(operations, scenario.network.operations());
    assertTrue(
        scenario.engine.view().status().confirmed(), scenario.engine.view().status().toString());
  }

  /** The fake network fails the test if a plan loops packets or loses some that had a way. */
  @Property(tries = 150)
  void failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed,
      @ForAll boolean mergesRules) {
    Scenario scenario = new Scenario(anyFabric(switches, links, seed), seed, mergesRules);
    if (scenario.random.nextBoolean()) {
      scenario.restartEngine();
    } else {
      for (String switchId : scenario.fabric.switchIds()) {
        if (scenario.random.nextInt(3) == 0) {
          scenario.network.disconnect(switchId);
          scenario.connectLater(List.of(switchId));
        }
      }
    }
    for (int step = 0; step < 6; step++) {
      scenario.loop.runFor(scenario.random.nextLong(LATEST_NANOS / 4));
      if (!scenario.cut.isEmpty() && scenario.random.nextBoolean()) {
        scenario.network.heal(scenario.cut.remove(scenario.random.nextInt(scenario.cut.size())));
      } else {
        scenario.cutAny();
      }
    }
    scenario.loop.runFor(2 * LATEST_NANOS);
    assertTrue(
        scenario.engine.view().status().confirmed(), scenario.engine.view().status().toString());
    Map<String, SwitchTables> found = scenario.tables();
    // An engine that has seen nothing of all this agrees that it is as it should be.
    scenario.restartEngine();
    scenario.loop.runFor(2 * LATEST_NANOS);
    scenario.assertNoneSilent();
    assertEquals(found, scenario.tables());
  }

  /** A case of the property above: s5's port comes up while s0, at the other end, is away. */
  @Test
  void aLinkThatHealsBeforeItsOtherEndConnectsIsUsedAsBefore() {
    failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(8, 6, -36593L, false);
  }

  /**
   * A case of the same: a rule for a pair leads around s4, which has lost its link to s3 and has
   * not been read; the rule for all sources leads through it still.
   */
  @Test
  void aPairKeepsItsWayUntilTheOneForAllSourcesIsMended() {
    failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(7, 16, 3000859400L, false);
    failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(7, 16, 3000859400L, true);
  }

  /**
   * A case of the same: the only link to s1-1 went down and came up while s1-1 was away, and no
   * rule of its own uses it.
   */
  @Test
  void aLinkThatHealedWhileItsSwitchWasAwayIsAwaited() {
    failuresAmidARestartOrAReconnectionNeverLoopAndAreMended(3, 8, 328719011469504589L, true);
  }
}
