package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.aggregation.MergedRules;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeHardware;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Failures, refusals and changes of the configuration in any order. */
class EngineRandomFailuresTest extends EngineFixture {
  @Property(tries = 150)
  void randomFailuresNeverLoopNorLoseMoreThanTheFailureItself(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    randomFailures(fabric, seed, random, false);
  }

  /** The switches merge rules or not, as they are told while all this goes on. */
  @Property(tries = 150)
  void randomFailuresOfSwitchesWithMergedRulesLoseNoMore(
      @ForAll @IntRange(min = 2, max = 8) int switches,
      @ForAll @IntRange(min = 1, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = Fabrics.random(random, switches, links);
    randomFailures(fabric, seed, random, true);
  }

  @Property(tries = 10)
  void randomFailuresOfAFatTreeWithMergedRulesLoseNoMore(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    randomFailures(FatTree.of(4, 10_000_000_000L), seed, random, true);
  }

  /** The switch refuses to change a group, and yet lets a rule move to it. */
  @Test
  void aRuleThatMovesToAGroupWhoseChangeIsRefusedDoesNotLoop() {
    randomFailuresNeverLoopNorLoseMoreThanTheFailureItself(6, 14, 1360334L);
  }

  private static void randomFailures(
      Fabric fabric, long seed, SplittableRandom random, boolean aggregates) {
    int switches = fabric.switchCount();
    int links = fabric.linkCount();
    VirtualLoop ownLoop = new VirtualLoop();
    FakeNetwork ownNetwork =
        seed % 3 == 0
            ? new FakeHardware(fabric, ownLoop, seed)
            : new FakeNetwork(fabric, ownLoop, seed);
    EngineConfig config =
        new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY)
            .withAggregating(aggregates ? fabric.switchIds() : List.of());
    Engine ownEngine = new Engine(config, ownNetwork, ownNetwork, ownLoop);
    ownEngine.start();
    ownNetwork.connectAll();
    List<Integer> cut = new ArrayList<>();
    for (int step = 0; step < 12; step++) {
      if (!cut.isEmpty() && random.nextBoolean()) {
        ownNetwork.heal(cut.remove(random.nextInt(cut.size())));
      } else {
        int link = random.nextInt(links);
        if (!cut.contains(link)) {
          cut.add(link);
          ownNetwork.cut(link);
        }
      }
      if (random.nextInt(4) == 0) {
        ownNetwork.refuseNext(fabric.switchId(random.nextInt(switches)), 1);
      }
      if (random.nextInt(4) == 0) {
        ownEngine.useRule(RULES.get(random.nextInt(RULES.size())));
      }
      if (aggregates && random.nextInt(4) == 0) {
        ownEngine.change(now -> now.withAggregating(anyOf(fabric.switchIds(), random)));
      }
      if (cut.isEmpty()) {
        // Drained before anything else fails, so that every loss is the failure's.
        ownEngine.reconfigure(anyExclusion(ownEngine.configuration(), random));
        ownLoop.runFor(5 * SECOND_NANOS);
      }
      // Often too short for the plan under way: the next event meets it half done.
      ownLoop.runFor(random.nextLong(100_000_000));
    }
    cut.forEach(ownNetwork::heal);
    ownEngine.reconfigure(ownEngine.configuration().withExcluded(Set.of(), Set.of()));
    ownLoop.runFor(30 * SECOND_NANOS);
    assertTrue(ownEngine.view().converged(), ownEngine.view().problem());
    assertEquals(unreachablePairs(fabric), ownNetwork.lossy());
    for (String id : fabric.switchIds()) {
      SwitchTables all = ownEngine.view().installed().get(id);
      SwitchTables held = ownNetwork.tables(id);
      boolean isMerged = ownEngine.configuration().aggregating().contains(id);
      assertEquals(isMerged ? MergedRules.of(all, held).settled().tables() : all, held);
    }
  }

  private static List<String> anyOf(List<String> switchIds, SplittableRandom random) {
    List<String> some = new ArrayList<>(switchIds);
    some.removeIf(id -> random.nextBoolean());
    return some;
  }

  /** Another limit, and nothing excluded that something needs. */
  private static EngineConfig anyExclusion(EngineConfig config, SplittableRandom random) {
    Fabric fabric = config.intended();
    int link = random.nextInt(fabric.linkCount());
    boolean needed = !unreachablePairs(fabric.withLinksDown(link)).equals(unreachablePairs(fabric));
    return config
        .withMaxOversubscription(new BigDecimal(random.nextBoolean() ? "1" : "1.2"))
        .withExcluded(Set.of(), needed ? Set.of() : Set.of(fabric.end(2 * link)));
  }

  /** Pairs without any path, as the fake network names them. */
  private static Set<String> unreachablePairs(Fabric fabric) {
    Set<String> pairs = new TreeSet<>();
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      DestinationRoutes routes = WeightRule.EQUAL.routes(fabric, fabric.subnetSwitch(subnet));
      for (int i = 0; i < fabric.subnetCount(); i++) {
        int source = fabric.subnetSwitch(i);
        if (routes.hops(source) < 0) {
          pairs.add(fabric.switchId(source) + ">" + fabric.subnetPrefix(subnet));
        }
      }
    }
    return pairs;
  }

  @Property(tries = 10)
  void randomFailuresOfAFatTreeNeverLoopNorLoseMoreThanTheFailureItself(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    randomFailures(FatTree.of(4, 10_000_000_000L), seed, random, false);
  }
}
