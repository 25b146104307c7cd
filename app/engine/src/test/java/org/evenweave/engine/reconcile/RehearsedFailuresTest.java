package org.evenweave.engine.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class RehearsedFailuresTest {
  private static final int FAILURES = 20;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  /** The first plan, and one for each failure and each return. */
  private static final int PLANS = 1 + 2 * FAILURES;

  private static EngineConfig config(Fabric fabric) {
    return new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY);
  }

  private static RehearsedFailures rehearsed(EngineConfig config) {
    return new RehearsedFailures(config, () -> false);
  }

  private static int plans(RehearsedFailures rehearsal) {
    rehearsal.run(FAILURES, NO_LIMIT);
    return rehearsal.plans();
  }

  @Test
  void plansForFailuresAndReturnsOnACopyOfTheFabric() {
    Fabric fabric = FatTree.of(4, 1_000_000_000L);
    RehearsedFailures rehearsal = rehearsed(config(fabric));
    assertSame(fabric, rehearsal.fabric());
    assertEquals(PLANS, plans(rehearsal));
  }

  @Test
  void plansForThemWithEveryStrategyAndMergedRules() {
    Fabric fabric = FatTree.of(4, 1_000_000_000L);
    for (WeightRule rule : WeightRule.values()) {
      EngineConfig config =
          config(fabric).withWeightRule(rule).withAggregating(Set.copyOf(fabric.switchIds()));
      assertEquals(plansWith(rule.in(fabric)), plans(rehearsed(config)));
    }
  }

  @Test
  void takesASmallFabricWhereNoneIsConfigured() {
    assertRehearses(20, EngineConfig.empty());
  }

  @Test
  void takesOneOfMediumSizeForALargeOne() {
    assertRehearses(180, config(FatTree.of(14, 1_000_000_000L)));
  }

  private static void assertRehearses(int switches, EngineConfig config) {
    RehearsedFailures rehearsal = rehearsed(config);
    assertNotSame(config.intended(), rehearsal.fabric());
    assertEquals(switches, rehearsal.fabric().switchCount());
    WeightRule rule = config.weightRule().in(rehearsal.fabric());
    assertEquals(plansWith(rule), plans(rehearsal));
  }

  /**
   * A second plan follows each event with what flows ask for; the first has those of pairs only.
   */
  private static int plansWith(WeightRule rule) {
    return rule.isByPair() ? 2 * PLANS : rule == WeightRule.MAXIMUM_FLOW ? 2 * PLANS - 1 : PLANS;
  }

  @Test
  void plansWithPlainRulesForAFabricWhoseTablesHoldNoGroup() {
    Fabric whole = FatTree.of(4, 1_000_000_000L);
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < whole.switchCount(); s++) {
      builder.addSwitch(whole.switchId(s), whole.stage(s), 1, SwitchTarget.REPLICATED_ENTRIES);
    }
    for (int link = 0; link < whole.linkCount(); link++) {
      builder.addLink(whole.end(2 * link), whole.end(2 * link + 1), 1_000_000_000L);
    }
    for (int i = 0; i < whole.subnetCount(); i++) {
      builder.addSubnet(whole.switchId(whole.subnetSwitch(i)), whole.subnetPrefix(i));
    }
    RehearsedFailures rehearsal = rehearsed(config(builder.build()));
    assertTrue(plans(rehearsal) > 0);
  }

  @Test
  void endsWithThePlanUnderWayOnceItIsClosed() {
    EngineConfig config = config(FatTree.of(4, 1_000_000_000L));
    assertEquals(1, plans(new RehearsedFailures(config, () -> true)));
  }
}
