package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;

/**
 * Merged rules against a plain look-up. It takes up to a minute: each try looks all addresses of a
 * random set of prefixes up, rule by rule.
 */
class MergedRulesTest {
  private static SwitchTables merged(SwitchTables wanted, SwitchTables installed) {
    return MergedRules.of(wanted, installed).settled().tables();
  }

  @Property
  void everyAddressIsTreatedAsByTheRulesOfThePrefixes(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(6);
    SwitchTables tables = model.anyTables(random);
    SwitchTables merged = merged(tables, model.anyTables(random));
    assertEquals(model.actions(tables), model.actions(merged));
    assertEquals(rulesOfOtherKinds(tables), rulesOfOtherKinds(merged));
    assertTrue(AddressModel.routeCount(merged) <= AddressModel.routeCount(tables));
  }

  private static Set<FlowRule> rulesOfOtherKinds(SwitchTables tables) {
    return tables.flows().values().stream().filter(r -> !r.isRoute()).collect(Collectors.toSet());
  }

  /** Whatever choices were made when the rules were merged, and whatever was installed then. */
  @Property
  void rulesThatAreMergedStayAsTheyAre(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(6);
    Set<Ipv4Prefix> prefixes = model.disjointPrefixes(random);
    SwitchTables tables = AddressModel.anyTables(prefixes, random);
    SwitchTables merged = merged(tables, model.anyTables(random));
    assertEquals(merged, merged(tables, merged));
  }

  @Property
  void whatIsMergedExpandsToTheSameRules(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(6);
    Set<Ipv4Prefix> prefixes = model.disjointPrefixes(random);
    SwitchTables tables = AddressModel.anyTables(prefixes, random);
    SwitchTables merged = merged(tables, model.anyTables(random));
    assertEquals(tables, AggregateExpansion.of(merged, prefixes));
  }

  /** Rules that nobody put there included. */
  @Property
  void anyTablesExpandToRulesThatDoTheSame(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(6);
    SwitchTables tables = model.anyTables(random);
    SwitchTables expanded = AggregateExpansion.of(tables, model.disjointPrefixes(random));
    assertEquals(model.actions(tables), model.actions(expanded));
  }

  /** Against every smaller set of rules that there is. */
  @Property(tries = 300)
  void noFewerRulesDoTheSame(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(3);
    SwitchTables tables = AddressModel.anyTables(model.disjointPrefixes(random), random);
    SwitchTables merged = merged(tables, model.anyTables(random));
    int count = AddressModel.routeCount(merged);
    List<String> actions = model.actions(tables);
    List<FlowRule> routes = new ArrayList<>();
    tables.forEachRoute(routes::add);
    Map<String, FlowRule> fixed = new LinkedHashMap<>();
    rulesOfOtherKinds(tables).forEach(rule -> fixed.put(rule.key(), rule));
    assertFalse(
        count > 0 && anyDoesTheSame(model, actions, routes, fixed, 0, Math.min(count - 1, 4)),
        () -> merged + " for " + tables);
  }

  /** Whether at most so many rules more, for prefixes from one on, treat all addresses so. */
  private static boolean anyDoesTheSame(
      AddressModel model,
      List<String> actions,
      List<FlowRule> routes,
      Map<String, FlowRule> rules,
      int from,
      int more) {
    if (model.actions(new SwitchTables(Map.of(), rules)).equals(actions)) {
      return true;
    }
    List<Ipv4Prefix> prefixes = model.prefixes();
    for (int i = from; more > 0 && i < prefixes.size(); i++) {
      Ipv4Prefix prefix = prefixes.get(i);
      if (rules.containsKey(prefix.toString())) {
        continue;
      }
      Set<FlowRule> choices =
          routes.stream().map(rule -> at(prefix, rule)).collect(Collectors.toSet());
      for (FlowRule choice : choices) {
        rules.put(choice.key(), choice);
        boolean found = anyDoesTheSame(model, actions, routes, rules, i + 1, more - 1);
        rules.remove(choice.key());
        if (found) {
          return true;
        }
      }
    }
    return false;
  }

  private static FlowRule at(Ipv4Prefix prefix, FlowRule route) {
    return route.action() == FlowRule.Action.ROUTE_TO_GROUP
        ? FlowRule.routeToGroup(prefix, route.groupId())
        : FlowRule.routeToPort(prefix, route.outPort());
  }

  /** The switch's own prefix, which has a rule of its own, does not part its pod. */
  @Test
  void aSwitchHoldsOneRuleForEachPodThatIsNumberedWhole() {
    Map<String, FlowRule> rules = new LinkedHashMap<>();
    for (int i = 0; i < 64; i++) {
      Ipv4Prefix prefix = Ipv4Prefix.of(Ipv4Prefix.parseAddress("10.0.0.0") + (i << 8), 24);
      FlowRule rule =
          i == 19 ? FlowRule.prefixToController(prefix) : FlowRule.routeToGroup(prefix, 1 + i / 16);
      rules.put(rule.key(), rule);
    }
    SwitchTables merged = merged(new SwitchTables(Map.of(), rules), SwitchTables.EMPTY);
    assertEquals(4, AddressModel.routeCount(merged));
  }

  /** The fewer of a pod's prefixes part with it, the fewer rules it takes. */
  @Test
  void aPrefixThatPartsWithItsPodTakesOneRule() {
    Map<String, FlowRule> rules = new LinkedHashMap<>();
    for (int i = 0; i < 16; i++) {
      Ipv4Prefix prefix = Ipv4Prefix.of(Ipv4Prefix.parseAddress("10.0.0.0") + (i << 8), 24);
      FlowRule rule = FlowRule.routeToGroup(prefix, i == 5 ? 2 : 1);
      rules.put(rule.key(), rule);
    }
    SwitchTables merged = merged(new SwitchTables(Map.of(), rules), SwitchTables.EMPTY);
    assertEquals(Set.of("10.0.0.0/20", "10.0.5.0/24"), merged.flows().keySet());
  }

  @Test
  void addressesWithoutARuleGetNone() {
    Map<String, FlowRule> rules = new LinkedHashMap<>();
    for (int i = 0; i < 15; i++) {
      Ipv4Prefix prefix = Ipv4Prefix.of(Ipv4Prefix.parseAddress("10.0.0.0") + (i << 8), 24);
      rules.put(prefix.toString(), FlowRule.routeToGroup(prefix, 1));
    }
    SwitchTables merged = merged(new SwitchTables(Map.of(), rules), SwitchTables.EMPTY);
    assertEquals(
        Set.of("10.0.0.0/21", "10.0.8.0/22", "10.0.12.0/23", "10.0.14.0/24"),
        merged.flows().keySet());
  }
}
