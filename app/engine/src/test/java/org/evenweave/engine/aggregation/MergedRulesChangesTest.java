package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

/** Merged rules from change to change. */
class MergedRulesChangesTest {
  private static final int CHANGES = 12;

  /** The fewest rules, and of all ways to have as few the one that changes the fewest. */
  @Property(tries = 300)
  void rulesAreTheFewestAndNearestAfterEveryChange(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    List<Ipv4Prefix> prefixes = new ArrayList<>(model.disjointPrefixes(random));
    SwitchTables wanted = AddressModel.anyTables(prefixes, random);
    MergedRules rules = MergedRules.of(wanted, model.anyTables(random));
    for (int i = 0; i < CHANGES; i++) {
      SwitchTables held = rules.tables();
      MergedRules unsettled = rules.wanting(wanted, new TableSteps());
      rules = unsettled.settled();
      SmallestTables smallest = new SmallestTables(model, wanted, held);
      assertEquals(smallest.rules(), AddressModel.routeCount(rules.tables()));
      assertEquals(PlainOrtc.ruleCount(model, wanted), smallest.rules());
      assertEquals(smallest.changes(), unsettled.changes());
      assertEquals(unsettled.changes(), MergedRules.of(wanted, held).changes());
      assertEquals(0, rules.changes());
      assertEquals(rules.tables().flowCount(), rules.ruleCount());
      wanted = changed(wanted, prefixes, random);
    }
  }

  /** Some rules more, less or with other routes, or of another kind. */
  private static SwitchTables changed(
      SwitchTables tables, List<Ipv4Prefix> prefixes, SplittableRandom random) {
    Map<String, FlowRule> rules = new LinkedHashMap<>(tables.flows());
    for (int i = random.nextInt(4); i >= 0 && !prefixes.isEmpty(); i--) {
      Ipv4Prefix prefix = prefixes.get(random.nextInt(prefixes.size()));
      int kind = random.nextInt(12);
      if (kind < 3) {
        rules.remove(prefix.toString());
      } else {
        FlowRule rule =
            kind == 3
                ? FlowRule.prefixToController(prefix)
                : AddressModel.anyRoute(prefix, 3, random);
        rules.put(rule.key(), rule);
      }
    }
    return new SwitchTables(Map.of(), rules);
  }

  /** Whichever of the changes on the way the switch has made, and rules inside others too. */
  @Property
  void eachAddressHasItsOldRouteOrItsNewOneAtEveryChange(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    List<Ipv4Prefix> prefixes = new ArrayList<>(model.disjointPrefixes(random));
    SwitchTables wanted = AddressModel.anyTables(prefixes, random);
    MergedRules rules = MergedRules.of(wanted, wanted).settled();
    for (int i = 0; i < CHANGES; i++) {
      List<String> old = model.actions(wanted);
      wanted = random.nextInt(4) == 0 ? model.anyTables(random) : changed(wanted, prefixes, random);
      List<String> then = model.actions(wanted);
      TableSteps steps = new TableSteps();
      SwitchTables now = rules.tables();
      rules = rules.wanting(wanted, steps).settled(steps);
      for (List<SwitchOperation> step : steps.with(List.of())) {
        for (SwitchOperation operation : step) {
          now = now.after(List.of(operation));
          assertOldOrNew(old, then, model.actions(now));
        }
      }
      assertEquals(rules.tables(), now);
      assertEquals(then, model.actions(now));
    }
  }

  private static void assertOldOrNew(List<String> old, List<String> wanted, List<String> actions) {
    for (int i = 0; i < actions.size(); i++) {
      String action = actions.get(i);
      assertTrue(action.equals(old.get(i)) || action.equals(wanted.get(i)));
    }
  }

  private static SwitchTables tables(int... groups) {
    Map<String, FlowRule> rules = new LinkedHashMap<>();
    for (int i = 0; i < groups.length; i++) {
      Ipv4Prefix prefix = Ipv4Prefix.of(Ipv4Prefix.parseAddress("10.0.0.0") + (i << 8), 24);
      rules.put(prefix.toString(), FlowRule.routeToGroup(prefix, groups[i]));
    }
    return new SwitchTables(Map.of(), rules);
  }

  private static SwitchTables held(String... rules) {
    Map<String, FlowRule> held = new LinkedHashMap<>();
    for (int i = 0; i < rules.length; i += 2) {
      Ipv4Prefix prefix = Ipv4Prefix.parse(rules[i]);
      FlowRule rule = FlowRule.routeToGroup(prefix, Integer.parseInt(rules[i + 1]));
      held.put(rule.key(), rule);
    }
    return new SwitchTables(Map.of(), held);
  }

  /** Half of the prefixes have either group, and two rules always do. */
  @Test
  void ofTwoGroupsTheOneThatIsInstalledForAllStaysSo() {
    SwitchTables wanted = tables(1, 1, 2, 2);
    SwitchTables first = held("10.0.0.0/22", "1", "10.0.2.0/23", "2");
    SwitchTables second = held("10.0.0.0/22", "2", "10.0.0.0/23", "1");
    SwitchTables apart = held("10.0.0.0/23", "1", "10.0.2.0/23", "2");
    for (SwitchTables installed : List.of(first, second, apart)) {
      assertEquals(0, MergedRules.of(wanted, installed).changes());
      assertEquals(installed, MergedRules.of(wanted, installed).settled().tables());
    }
  }

  /** No bound on changes holds for the fewest rules: one prefix decides which group most have. */
  @Test
  void allRulesChangeWhereOnlyThatMakesThemFewer() {
    MergedRules rules =
        MergedRules.of(tables(1, 2, 1, 2, 1, 2, 1, 1), SwitchTables.EMPTY).settled();
    assertEquals(4, rules.ruleCount());
    rules = rules.wanting(tables(1, 2, 1, 2, 1, 2, 1, 2), new TableSteps()).settled();
    assertEquals(5, rules.ruleCount());
    MergedRules last = rules.wanting(tables(2, 2, 1, 2, 1, 2, 1, 2), new TableSteps());
    assertEquals(4, last.settled().ruleCount());
    assertEquals(8, last.changes());
  }
}
