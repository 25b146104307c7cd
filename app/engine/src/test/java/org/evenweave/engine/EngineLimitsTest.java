package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.aggregation.MergedRules;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeHardware;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.forwarding.SharingCost;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.tries.FullTries;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Limits;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Switches that have fewer groups, entries or rules than their destinations would take. */
class EngineLimitsTest extends EngineFixture {
  /** Three leaves behind other spines each: s1-0 has three groups, of two kinds that overlap. */
  private static Fabric leaves(Limits limits) {
    return with(
        Fabrics.clos(new int[][] {{2, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}}), limits, "s1-0");
  }

  /**
   * @param prefix of the ids of the switches that have the limits
   */
  private static Fabric with(Fabric fabric, Limits limits, String prefix) {
    return with(fabric, limits, prefix, SwitchTarget.REPLICATED_ENTRIES);
  }

  private static Fabric withTarget(Fabric fabric, SwitchTarget target) {
    return with(fabric, Limits.NONE, "", target);
  }

  private static Fabric with(Fabric fabric, Limits limits, String prefix, SwitchTarget target) {
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < fabric.switchCount(); s++) {
      builder.addSwitch(
          fabric.switchId(s),
          fabric.stage(s),
          fabric.switchId(s).startsWith(prefix) ? limits : Limits.NONE,
          target,
          null);
    }
    for (int link = 0; link < fabric.linkCount(); link++) {
      builder.addLink(fabric.end(2 * link), fabric.end(2 * link + 1), fabric.capacityBps(2 * link));
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      builder.addSubnet(fabric.switchId(fabric.subnetSwitch(i)), fabric.subnetPrefix(i));
    }
    return builder.build();
  }

  @Test
  void destinationsShareAsManyGroupsAsASwitchCanHave() {
    start(leaves(Limits.NONE), 1);
    assertConverged();
    int wanted = network.tables("s1-0").groupCount();
    assertTrue(wanted > 1, "groups: " + wanted);
    start(leaves(Limits.NONE.withGroups(wanted - 1)), 1);
    assertConverged();
    assertEquals(wanted - 1, network.tables("s1-0").groupCount());
    // A group that is shared counts once.
    assertEquals(wanted - 1, engine.view().limits("s1-0").groups());
    assertEquals(wanted - 1, engine.view().use("s1-0").get(Limits.Kind.GROUPS));
    assertEquals(
        entries(network.tables("s1-0")), (long) engine.view().use("s1-0").get(Limits.Kind.ENTRIES));
    assertEquals(List.of(), engine.view().status().reasons());
    double worst =
        engine.view().desired().groupsAt("s1-0").stream()
            .mapToDouble(GroupState::oversubscription)
            .max()
            .getAsDouble();
    SharingCost cost = engine.view().desired().sharing("s1-0");
    assertTrue(cost.oversubscription() > 1);
    assertEquals(cost.oversubscription(), cost.leastOversubscription(), 1e-12);
    assertEquals(cost.oversubscription(), worst, 1e-6);
    assertNull(engine.view().desired().sharing("s1-1"));
  }

  @Test
  void rulesAreMergedWhereTheyWouldTakeMoreThanHalfOfWhatThereMayBe() {
    Fabric fabric = FatTree.of(4, 10_000_000_000L);
    start(fabric, 1);
    assertConverged();
    int plain = network.tables("core-0").flowCount();
    Fabric limited = with(fabric, Limits.NONE.withRules(2 * plain - 1), "");
    network = new FakeNetwork(limited, loop, 2);
    limited.switchIds().forEach(id -> network.limit(id, Limits.NONE.withRules(2 * plain - 1)));
    startEngine(limited);
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertTrue(network.tables("core-0").flowCount() < plain);
    assertEquals(List.of(), engine.view().status().reasons());
  }

  @Test
  void moreRulesThanASwitchCanHoldEvenMergedAreAReasonThatNamesTheNumber() {
    Fabric limited = with(FatTree.of(4, 10_000_000_000L), Limits.NONE.withRules(1), "core-0");
    start(limited, 1);
    assertTrue(
        engine.view().status().reasons().toString().contains("and it can have 1"),
        engine.view().status().toString());
  }

  /**
   * Each of these limits of s1-0, which it reports itself, is too low for any group. The reason
   * names the limit and the least sufficient value, and packets are forwarded by plain rules.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENTRIES | 1 | needs? at least [0-9]+ multipath table entries, and its table has 1",
        "GROUP_ENTRIES | 1 | a group needs at least 2 entries, and may have 1",
        "GROUPS | 0 | share 0 groups, the most that it can have, .*; 1 group is enough for all",
        "MAX_TOTAL_WEIGHT | 1 | a group has 2 ports, and its weights may be 1 together"
      })
  void aLimitTooLowForAnyGroupIsAReasonThatNamesItAndTheLeastThatWouldDo(
      Limits.Kind kind, int limit, String sentence) {
    Fabric fabric = leaves(Limits.NONE);
    Limits[] reported = {Limits.NONE.with(kind, limit)};
    SwitchTarget target =
        kind.isOfWeights() ? SwitchTarget.NATIVE_WEIGHTS : SwitchTarget.REPLICATED_ENTRIES;
    network =
        new FakeNetwork(fabric, loop, 1) {
          @Override
          public Limits limits(String switchId) {
            return switchId.equals("s1-0") ? reported[0] : Limits.NONE;
          }
        };
    EngineConfig config =
        new EngineConfig(withTarget(fabric, target), Map.of(), WeightRule.EFFECTIVE_CAPACITY);
    engine = new Engine(config, network, network, loop);
    engine.start();
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    FabricStatus status = engine.view().status();
    assertEquals(FabricStatus.State.DEGRADED, status.state());
    assertEquals(1, status.reasons().size(), status.toString());
    String reason = status.reasons().get(0);
    assertTrue(reason.matches("s1-0: .*" + sentence + ".*"), reason);
    assertTrue(reason.endsWith(" of its sets of next hops have one next hop each"), reason);
    assertTrue(subjects(Event.Kind.CANNOT_FIT).contains(reason));
    assertTrue(status.confirmed());
    assertEquals(Set.of(), network.lossy());
    assertEquals(0, network.tables("s1-0").groupCount());
    network.disconnect("s1-0");
    reported[0] = Limits.NONE;
    network.connect("s1-0");
    loop.runFor(5 * SECOND_NANOS);
    assertConverged();
    assertTrue(network.tables("s1-0").groupCount() > 0);
  }

  private List<String> subjects(Event.Kind kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == kind)
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  @Property(tries = 200)
  void noPlanExceedsConfiguredLimitsAtAnyMomentWhateverFails(
      @ForAll @IntRange(min = 3, max = 8) int switches,
      @ForAll @IntRange(min = 4, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric plain = Fabrics.random(random, switches, links);
    Limits limits =
        Limits.NONE
            .withGroups(random.nextInt(1, 4))
            .withEntries(random.nextInt(4, 40))
            .withGroupEntries(random.nextInt(3, 20));
    randomFailures(with(plain, limits, ""), id -> limits, seed, random, true);
  }

  /**
   * The limits are found out by refusals, in the middle of plans. Switches reconnect too, and then
   * what was learned is forgotten.
   */
  @Property(tries = 200)
  @FullTries(10_000)
  void whatASwitchRefusesBecomesItsLimitAndNothingLoopsOrIsLost(
      @ForAll @IntRange(min = 3, max = 8) int switches,
      @ForAll @IntRange(min = 4, max = 20) int links,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = with(Fabrics.random(random, switches, links), Limits.NONE, "");
    Map<String, Limits> limits = new HashMap<>();
    for (String id : fabric.switchIds()) {
      limits.put(
          id,
          Limits.NONE
              .withGroups(random.nextInt(0, 4))
              .withEntries(random.nextInt(1, 40))
              .withGroupEntries(random.nextInt(1, 20)));
    }
    randomFailures(fabric, limits::get, seed, random, false);
  }

  /**
   * Fewer rules than prefixes, which nobody knows before a switch refuses one: the table is full of
   * rules for single prefixes then. One more entry than the smallest form of the tables takes is
   * enough for the plans on the way.
   */
  @Property(tries = 100)
  @FullTries(1_000)
  void aTableThatTurnsOutTooSmallForAllRulesIsMerged(
      @ForAll @IntRange(min = 3, max = 8) int switches,
      @ForAll @IntRange(min = 4, max = 20) int links,
      @ForAll long seed) {
    fewRules(switches, links, seed, false);
  }

  /** A plan between two small forms may need more entries than either: then it waits. */
  @Property(tries = 100)
  @FullTries(1_000)
  void failuresBesideTablesThatAreFullOfRulesLoseNoMore(
      @ForAll @IntRange(min = 3, max = 8) int switches,
      @ForAll @IntRange(min = 4, max = 20) int links,
      @ForAll long seed) {
    fewRules(switches, links, seed, true);
  }

  /** A switch with 14 entries, all of them in use, that lacks one of the routes it is to have. */
  @Test
  void aRouteThatAFullTableLacksIsPutBeforeTheTableIsMerged() {
    fewRules(8, 12, 713, true);
  }

  private static void fewRules(int switches, int links, long seed, boolean hasFailures) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = with(Fabrics.random(random, switches, links), Limits.NONE, "");
    VirtualLoop ownLoop = new VirtualLoop();
    Map<String, SwitchTables> wanted =
        converged(fabric, new FakeHardware(fabric, ownLoop, seed), ownLoop).view().installed();
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeHardware(fabric, loop, seed);
    for (String id : fabric.switchIds()) {
      int plain = wanted.get(id).flowCount();
      int merged = MergedRules.of(wanted.get(id), SwitchTables.EMPTY).settled().ruleCount();
      network.limit(id, Limits.NONE.withRules(random.nextInt(merged + 1, plain + 2)));
    }
    Engine engine = converged(fabric, network, loop);
    if (hasFailures) {
      failAndHeal(fabric, network, loop, random, true);
    }
    loop.runFor(60 * SECOND_NANOS);
    String status = engine.view().status().toString();
    boolean waits = hasFailures && status.contains("TABLE_FULL");
    assertTrue(engine.view().status().confirmed() || waits, status);
    assertEquals(unreachablePairs(fabric), network.lossy());
    for (String id : fabric.switchIds()) {
      assertTrue(waits || network.tables(id).hasMatchOf(FlowRule.lldpToController()), id);
    }
  }

  /** Starts an engine and all switches. */
  private static Engine converged(Fabric fabric, FakeNetwork network, VirtualLoop loop) {
    network.needRuleForLldp();
    Engine engine =
        new Engine(
            new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
            network,
            network,
            loop);
    engine.start();
    network.connectAll();
    loop.runFor(5 * SECOND_NANOS);
    return engine;
  }

  /** Cuts and heals links and reconnects switches in the middle of plans; in the end heals all. */
  private static void failAndHeal(
      Fabric fabric,
      FakeNetwork network,
      VirtualLoop loop,
      SplittableRandom random,
      boolean reconnects) {
    List<Integer> cut = new ArrayList<>();
    for (int step = 0; step < 8; step++) {
      if (!cut.isEmpty() && random.nextBoolean()) {
        network.heal(cut.remove(random.nextInt(cut.size())));
      } else {
        int link = random.nextInt(fabric.linkCount());
        if (!cut.contains(link)) {
          cut.add(link);
          network.cut(link);
        }
      }
      if (reconnects && random.nextInt(4) == 0) {
        String id = fabric.switchId(random.nextInt(fabric.switchCount()));
        network.disconnect(id);
        loop.runFor(random.nextLong(50_000_000));
        network.connect(id);
        // A link that heals before its ends are known counts as cut, which is nobody's fault.
        loop.runFor(SECOND_NANOS);
      }
      loop.runFor(random.nextInt(3) == 0 ? SECOND_NANOS : random.nextLong(100_000_000));
    }
    cut.forEach(network::heal);
  }

  private static void randomFailures(
      Fabric fabric,
      Function<String, Limits> limits,
      long seed,
      SplittableRandom random,
      boolean isConfigured) {
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeHardware(fabric, loop, seed);
    fabric.switchIds().forEach(id -> network.limit(id, limits.apply(id)));
    Engine engine;
    try {
      engine =
          new Engine(
              new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
              network,
              network,
              loop);
    } catch (org.evenweave.engine.forwarding.CannotFitException e) {
      return; // Even the whole fabric needs more; that is refused before anything starts.
    }
    engine.start();
    network.connectAll();
    loop.runFor(5 * SECOND_NANOS);
    failAndHeal(fabric, network, loop, random, !isConfigured);
    loop.runFor(40 * SECOND_NANOS);
    assertTrue(engine.view().status().confirmed(), engine.view().status().toString());
    assertEquals(unreachablePairs(fabric), network.lossy());
    for (String id : fabric.switchIds()) {
      SwitchTables held = network.tables(id);
      assertEquals(engine.view().installed().get(id), held);
      assertTrue(held.groupCount() <= limits.apply(id).groups());
      assertTrue(entries(held) <= limits.apply(id).entries());
    }
    Set<Event.Kind> kinds =
        engine.events().since(0).stream().map(Event::kind).collect(Collectors.toSet());
    assertTrue(!isConfigured || !kinds.contains(Event.Kind.REFUSED), "refused");
    assertTrue(!kinds.contains(Event.Kind.UNSAFE), "unsafe");
  }

  private static long entries(SwitchTables tables) {
    return tables.groups().values().stream().mapToLong(SelectGroup::totalWeight).sum();
  }

  /** Pairs without any path, as the fake network names them. */
  private static Set<String> unreachablePairs(Fabric fabric) {
    Set<String> pairs = new HashSet<>();
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
}
