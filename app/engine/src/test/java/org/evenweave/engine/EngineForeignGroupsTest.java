package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeHardware;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.tries.FullTries;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Groups of others that have ids of ours, and groups of ours that somebody else deletes. */
class EngineForeignGroupsTest extends EngineFixture {
  /** Ids that a new group gets next. */
  private static final int NEXT_IDS = 6;

  /** By then an audit has found what is missing, and its repair is confirmed. */
  private static final long REPAIRED_NANOS = 40 * SECOND_NANOS;

  /** Contested rules and groups count for a minute after their last change. */
  private static final long QUIET_NANOS = 200 * SECOND_NANOS;

  /** By every port at random, so that packets would loop by it. */
  private static SelectGroup foreignGroup(int id, Fabric fabric, int s, SplittableRandom random) {
    int[] ports =
        IntStream.range(0, fabric.outDegree(s))
            .map(i -> fabric.port(fabric.outArc(s, i)))
            .toArray();
    int[] weights = IntStream.of(ports).map(port -> 1 + random.nextInt(3)).toArray();
    return new SelectGroup(id, ports, weights);
  }

  /**
   * Adds one under a number that is free and that the engine believes to be. While it takes another
   * group of that number for its own, until an audit, its routes lead to that one's ports.
   */
  private static void addForeignGroup(
      Engine engine, FakeNetwork network, Fabric fabric, SplittableRandom random) {
    int s = random.nextInt(fabric.switchCount());
    String id = fabric.switchId(s);
    SwitchTables believed = engine.view().installed().get(id);
    int[] free =
        network
            .groupIds(id)
            .limit(NEXT_IDS)
            .filter(each -> network.tables(id).group(each) == null)
            .filter(each -> believed == null || believed.group(each) == null)
            .toArray();
    if (free.length > 0 && fabric.outDegree(s) > 0) {
      SelectGroup group = foreignGroup(free[random.nextInt(free.length)], fabric, s, random);
      network.tamper(id, SwitchOperation.addGroup(group));
    }
  }

  private static void loseGroup(FakeNetwork network, Fabric fabric, SplittableRandom random) {
    String id = fabric.switchId(random.nextInt(fabric.switchCount()));
    List<Integer> held = new ArrayList<>(network.tables(id).groups().keySet());
    if (!held.isEmpty()) {
      network.loseGroup(id, held.get(random.nextInt(held.size())), REPAIRED_NANOS);
    }
  }

  @Property(tries = 100)
  @FullTries(1_000)
  void foreignGroupsAndLostOnesInTheMiddleOfPlansMakeNothingLoopAndAreRepaired(
      @ForAll @IntRange(min = 3, max = 8) int switches,
      @ForAll @IntRange(min = 4, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    VirtualLoop ownLoop = new VirtualLoop();
    FakeNetwork ownNetwork =
        seed % 2 == 0
            ? new FakeHardware(fabric, ownLoop, seed)
            : new FakeNetwork(fabric, ownLoop, seed);
    EngineConfig config = new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY);
    Engine ownEngine = new Engine(config, ownNetwork, ownNetwork, ownLoop);
    ownEngine.start();
    ownNetwork.connectAll();
    ownLoop.runFor(5 * SECOND_NANOS);
    Set<String> unreachable = ownNetwork.lossy();
    List<Integer> cut = new ArrayList<>();
    for (int step = 0; step < 12; step++) {
      if (!cut.isEmpty() && random.nextBoolean()) {
        ownNetwork.heal(cut.remove(random.nextInt(cut.size())));
      } else {
        int link = random.nextInt(fabric.linkCount());
        if (!cut.contains(link)) {
          cut.add(link);
          ownNetwork.cut(link);
        }
      }
      // While the plan for that is on its way.
      ownLoop.runFor(random.nextLong(60_000_000));
      if (random.nextBoolean()) {
        addForeignGroup(ownEngine, ownNetwork, fabric, random);
      } else if (random.nextBoolean()) {
        loseGroup(ownNetwork, fabric, random);
      }
      ownLoop.runFor(random.nextLong(60_000_000));
    }
    cut.forEach(ownNetwork::heal);
    ownLoop.runFor(QUIET_NANOS);
    assertTrue(ownEngine.view().converged(), ownEngine.view().status().toString());
    assertEquals(unreachable, ownNetwork.lossy());
    for (String id : fabric.switchIds()) {
      assertEquals(ownEngine.view().installed().get(id), ownNetwork.tables(id), id);
    }
    assertTrue(ownEngine.events().since(0).stream().noneMatch(e -> e.kind() == Event.Kind.UNSAFE));
  }

  /** The switch answers that the group exists; the engine reads it again and takes the place. */
  @Test
  void aPlanWhoseNewGroupExistsIsMadeAgain() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 1);
    SplittableRandom random = new SplittableRandom(1);
    int s = fabric.indexOf("s1-0");
    network
        .groupIds("s1-0")
        .limit(NEXT_IDS)
        .filter(id -> network.tables("s1-0").group(id) == null)
        .forEach(
            id ->
                network.tamper(
                    "s1-0", SwitchOperation.addGroup(foreignGroup(id, fabric, s, random))));
    // s1-0 needs other groups then, for two sets of next hops.
    network.cut(linkNamed(fabric, "s1-1/1-s2-0/3"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(engine.view().installed().get("s1-0").groups(), network.tables("s1-0").groups());
    assertFalse(
        engine.events().since(0).stream()
            .noneMatch(e -> e.kind() == Event.Kind.REFUSED || e.kind() == Event.Kind.DRIFT));
  }
}
