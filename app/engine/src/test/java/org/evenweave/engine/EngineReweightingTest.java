package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeCounters;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.traffic.TrafficMatrix;
import org.evenweave.wcmp.traffic.TrafficRule;
import org.evenweave.wcmp.weights.DestinationRoutes;
import org.evenweave.wcmp.weights.RoutesTable;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/**
 * The strategy {@code traffic}, in virtual time. s1-0 reaches s1-2 over both S2 switches, s1-1 over
 * s2-1 alone: the more s1-1 sends, the more of s1-0's belongs on s2-0.
 */
class EngineReweightingTest extends EngineFixture {
  private static final long PERIOD = 10 * SECOND_NANOS;
  private static final long MINUTE = 60 * SECOND_NANOS;
  private static final int PERIODS_A_MINUTE = 6;
  private static final Ipv4Prefix TO = Ipv4Prefix.parse("10.0.2.0/24");
  private static final double SLOT = 1.0 / 256;

  /** In per cent of all slots a minute. */
  private static final int BUDGET = 5;

  /** With a choice: of s1-0 and s1-2 towards each other, and of s2-0 towards s1-1. */
  private static final int GROUPS = 3;

  private FakeCounters counters;
  private int computed;

  /** Evens the load of the two links to s1-2. */
  private final TrafficRule evens =
      new TrafficRule() {
        @Override
        public TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured) {
          return measured;
        }

        @Override
        public IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured) {
          computed++;
          RoutesTable wcmp = RoutesTable.compute(fabric, WeightRule.EFFECTIVE_CAPACITY);
          int from = fabric.indexOf("s1-0");
          int to = fabric.indexOf("s1-2");
          double own = measured.demandBps(0, 2);
          double share = Math.min(1, (own + measured.demandBps(1, 2)) / 2 / own);
          int[][] arcs = new int[fabric.switchCount()][];
          long[][] weights = new long[fabric.switchCount()][];
          for (int s = 0; s < arcs.length; s++) {
            weights[s] = wcmp.to(to).weights(s);
            arcs[s] = new int[weights[s].length];
            for (int i = 0; i < arcs[s].length; i++) {
              arcs[s][i] = wcmp.to(to).arc(s, i);
            }
          }
          if (arcs[from].length == 2) {
            weights[from] = new long[] {Math.round(1000 * share), Math.round(1000 * (1 - share))};
          }
          DestinationRoutes evened = DestinationRoutes.of(fabric, to, arcs, weights);
          return destination -> destination == to ? evened : wcmp.to(destination);
        }
      };

  private void start(int minGainPercent) {
    start(minGainPercent, evens);
  }

  private void start(int minGainPercent, TrafficRule rule) {
    Fabric fabric = Fabrics.clos(new int[][] {{1, 1}, {0, 1}, {1, 1}});
    network = new FakeNetwork(fabric, loop, 1);
    counters = new FakeCounters(fabric, network, loop);
    EngineConfig config =
        new EngineConfig(fabric, Map.of(), WeightRule.TRAFFIC)
            .withTraffic(new TrafficConfig(false, 10, minGainPercent, BUDGET));
    engine = new Engine(config, network, counters, loop);
    engine.traffic().useRule(rule, Runnable::run);
    engine.start();
    network.connectAll();
    counters.send("s1-0", TO, 2_000_000);
    counters.send("s1-1", TO, 1_000_000);
    loop.runFor(2 * SECOND_NANOS);
    assertConverged();
  }

  /** The share of s1-0's traffic to s1-2 that goes over s2-0, as its group has it now. */
  private double share() {
    SwitchTables tables = network.tables("s1-0");
    SelectGroup group = tables.group(tables.routeTo(TO).groupId());
    return (double) group.weightOf(1) / group.totalWeight();
  }

  @Test
  void weightsGoWhereTheRuleHasThemWithinTheBudgetAndStayThere() {
    start(5);
    assertEquals(0.5, share(), SLOT);
    List<Double> shares = new ArrayList<>(List.of(share()));
    for (int period = 1; period <= 40; period++) {
      loop.runFor(PERIOD);
      assertConfirmed();
      shares.add(share());
      double aMinuteAgo = shares.get(Math.max(0, period - PERIODS_A_MINUTE));
      assertTrue((share() - aMinuteAgo) / GROUPS <= BUDGET / 100.0 + SLOT, shares.toString());
      if (period == 3) {
        assertTrue(share() > shares.get(0), "the first minute's budget is there at once");
        assertTrue(share() < 0.75 - SLOT);
      }
    }
    assertEquals(0.75, share(), SLOT);
    assertEquals(0, engine.traffic().planned().churnLeft());
    // 12 and 12 Mb/s on the links to s1-2 in place of 8 and 16.
    assertEquals(
        0.75,
        engine.traffic().planned().maxUtilisation()
            / engine.traffic().planned().maxUtilisationOfWcmp(),
        0.001);
    assertEquals(
        List.of("weights for other traffic: the fullest link is used 0.75 times as much as before"),
        engine.events().since(0).stream()
            .filter(event -> event.kind() == Event.Kind.TRAFFIC)
            .peek(event -> assertTrue(event.confirmedEpochMicros() > 0))
            .map(Event::subject)
            .collect(Collectors.toList()));
    int operations = network.operations();
    int computations = computed;
    loop.runFor(60 * PERIOD);
    assertEquals(operations, network.operations());
    assertEquals(computations, computed);
  }

  @Test
  void aDemandThatGrowsEverywhereAlikeOrChangesLittleMovesNothing() {
    start(5);
    loop.runFor(10 * MINUTE);
    int operations = network.operations();
    counters.send("s1-0", TO, 4_000_000);
    counters.send("s1-1", TO, 2_000_000);
    loop.runFor(10 * MINUTE);
    assertEquals(operations, network.operations());
    int computations = computed;
    counters.send("s1-1", TO, 2_300_000); // Could be carried with 4.5 % less on the fullest link.
    loop.runFor(20 * MINUTE);
    assertTrue(computed > computations);
    assertEquals(operations, network.operations());
    counters.send("s1-1", TO, 3_000_000);
    loop.runFor(20 * MINUTE);
    // 0.875 evens the load; from 0.829 on the fullest link has less than 5 % more.
    assertTrue(share() >= 0.829 && share() <= 0.875 + SLOT, "share " + share());
  }

  @Test
  void aFailureIsAnsweredAtOnceAndItsEndToo() {
    start(5);
    loop.runFor(10 * MINUTE);
    int link = linkNamed(fabric(), "s1-0/1-s2-0/1");
    network.cut(link);
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(
        List.of(2),
        Arrays.stream(network.tables("s1-0").outPorts(TO)).boxed().collect(Collectors.toList()));
    network.heal(link);
    loop.runFor(3 * SECOND_NANOS);
    assertConfirmed();
    assertEquals(0.75, share(), SLOT);
  }

  /** The even weights, but where the solver is missing. */
  private final class Unusable implements TrafficRule {
    private String problem = "it cannot be loaded";

    @Override
    public Optional<String> problem() {
      return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public TrafficMatrix hedged(Fabric fabric, TrafficMatrix measured) {
      return evens.hedged(fabric, measured);
    }

    @Override
    public IntFunction<DestinationRoutes> routes(Fabric fabric, TrafficMatrix measured) {
      return evens.routes(fabric, measured);
    }
  }

  @Test
  void whileTheRuleCannotBeUsedTheFabricIsDegradedAndWeighedByWcmp() {
    Unusable rule = new Unusable();
    start(5, evens);
    engine.traffic().useRule(rule, Runnable::run);
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    loop.runFor(SECOND_NANOS);
    FabricException refused =
        assertThrows(FabricException.class, () -> engine.useRule(WeightRule.TRAFFIC));
    assertEquals("strategy: \"traffic\" cannot be used: it cannot be loaded", refused.getMessage());
    assertFalse(engine.traffic().isPossible());
    rule.problem = "";
    engine.useRule(WeightRule.TRAFFIC);
    rule.problem = "it cannot be loaded";
    loop.runFor(MINUTE);
    assertEquals(0.5, share(), SLOT);
    assertEquals(0, computed);
    assertEquals(
        List.of(
            "strategy \"traffic\" has no solver, so weights are those of \"wcmp\": it cannot be"
                + " loaded"),
        engine.view().status().reasons());
    rule.problem = "";
    loop.runFor(40 * PERIOD);
    assertConverged();
    assertEquals(0.75, share(), SLOT);
  }

  private Fabric fabric() {
    return engine.configuration().intended();
  }

  @Test
  void anotherStrategyTakesTheWeightsBackAtOnce() {
    start(5);
    loop.runFor(10 * MINUTE);
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(0.5, share(), SLOT);
    int requests = counters.requests();
    loop.runFor(10 * MINUTE);
    assertEquals(requests, counters.requests());
  }

  @Test
  void switchesThatMergeRulesAreRefusedWithTheStrategyAndItWithThem() {
    start(5);
    List<String> merging = List.of("s2-0");
    FabricException refused =
        assertThrows(
            FabricException.class, () -> engine.change(now -> now.withAggregating(merging)));
    assertTrue(refused.getMessage().contains("s2-0 merges their rules"), refused.getMessage());
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    engine.change(now -> now.withAggregating(merging));
    assertThrows(FabricException.class, () -> engine.useRule(WeightRule.TRAFFIC));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, engine.configuration().weightRule());
  }

  @Test
  void aRuleMayComeLateAndGo() {
    start(5, null);
    loop.runFor(10 * MINUTE);
    assertEquals(0.5, share(), SLOT);
    engine.change(now -> now.withTraffic(new TrafficConfig(false, 10, 6, BUDGET)));
    assertEquals(WeightRule.TRAFFIC, engine.configuration().weightRule());
    engine.traffic().useRule(evens, Runnable::run);
    loop.runFor(10 * MINUTE);
    assertEquals(0.75, share(), SLOT);
    engine.traffic().useRule(null, Runnable::run);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(0.5, share(), SLOT);
  }

  @Test
  void withoutASolverTheStrategyIsRefused() {
    start(Fabrics.figure32(), 1);
    FabricException refused =
        assertThrows(FabricException.class, () -> engine.useRule(WeightRule.TRAFFIC));
    assertTrue(refused.getMessage().startsWith("strategy: \"traffic\" needs a solver"));
    assertThrows(
        FabricException.class,
        () -> engine.change(config -> config.withWeightRule(WeightRule.TRAFFIC)));
    loop.runFor(SECOND_NANOS);
    assertConverged();
  }
}
