package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeInRoomTest {
  private static SwitchTables with(SwitchTables tables, FlowRule rule) {
    return tables.after(List.of(SwitchOperation.putFlow(rule)));
  }

  /**
   * No step exceeds the limit, whatever of it the switch has done, and no address loses its route.
   */
  @Property(tries = 2000)
  void aFullTableIsMergedWithOneLentEntry(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    SwitchTables plain = AddressModel.anyTables(model.disjointPrefixes(random), random);
    SwitchTables full = with(plain, FlowRule.arpToController());
    int limit = full.flowCount() + (random.nextInt(4) == 0 ? 1 : 0);
    MergeInRoom merging =
        new MergeInRoom(MergedRules.of(full, full), List.of(), full, List.of(), limit, true);
    List<String> actions = model.actions(plain);
    SwitchTables now = full;
    for (List<SwitchOperation> step : merging.steps()) {
      for (SwitchOperation operation : step) {
        now = now.after(List.of(operation));
        assertTrue(now.flowCount() <= limit, () -> "exceeds " + limit + " at " + operation);
        assertEquals(actions, model.actions(withoutArp(now)));
      }
    }
    assertEquals(merging.wanted().tables(), now);
    assertEquals(MergedRules.of(full, full).settled().ruleCount(), now.flowCount());
  }

  /**
   * A route changes or comes in the smallest form of a table that is full. What it and the merging
   * need is lent by the three rules that send packets to the controller.
   */
  @Property(tries = 2000)
  void aFullTableTakesARouteInThreeLentEntries(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    List<Ipv4Prefix> prefixes = new ArrayList<>(model.disjointPrefixes(random));
    SwitchTables plain = AddressModel.anyTables(prefixes, random);
    Ipv4Prefix prefix =
        prefixes.isEmpty() ? model.all() : prefixes.get(random.nextInt(prefixes.size()));
    FlowRule present = plain.flows().get(prefix.toString());
    List<SwitchOperation> asked =
        present == null || present.isRoute()
            ? List.of(SwitchOperation.putFlow(AddressModel.anyRoute(prefix, 4, random)))
            : List.of();
    SwitchTables full = plain;
    for (FlowRule rule :
        List.of(
            FlowRule.arpToController(), FlowRule.lldpToController(), FlowRule.rarpToController())) {
      full = with(full, rule);
    }
    SwitchTables wanted = full.after(asked);
    MergedRules held = MergedRules.of(full, full).settled();
    int limit = Math.max(held.ruleCount(), MergedRules.of(wanted, wanted).settled().ruleCount());
    MergeInRoom merging =
        new MergeInRoom(MergedRules.of(full, held.tables()), List.of(), wanted, asked, limit, true);
    List<String> before = model.actions(plain);
    List<String> after = model.actions(plain.after(asked));
    SwitchTables now = held.tables();
    for (List<SwitchOperation> step : merging.steps()) {
      for (SwitchOperation operation : step) {
        now = now.after(List.of(operation));
        assertTrue(now.flowCount() <= limit, () -> "exceeds " + limit + " at " + operation);
        List<String> actions = model.actions(withoutControl(now));
        for (int i = 0; i < actions.size(); i++) {
          String action = actions.get(i);
          assertTrue(action.equals(before.get(i)) || action.equals(after.get(i)), action);
        }
      }
    }
    assertEquals(List.of(), merging.yielded());
    assertEquals(merging.wanted().tables(), now);
    assertEquals(after, model.actions(withoutControl(now)));
  }

  private static SwitchTables withoutControl(SwitchTables tables) {
    return tables.after(
        List.of(
            SwitchOperation.deleteFlow(FlowRule.arpToController()),
            SwitchOperation.deleteFlow(FlowRule.lldpToController()),
            SwitchOperation.deleteFlow(FlowRule.rarpToController())));
  }

  private static SwitchTables withoutArp(SwitchTables tables) {
    return tables.after(List.of(SwitchOperation.deleteFlow(FlowRule.arpToController())));
  }

  /** New rules for a pod of which a full table has only the first. */
  @Test
  void aFullTableTakesMoreRulesInTheRoomThatMergingMakes() {
    SwitchTables full = with(SwitchTables.EMPTY, FlowRule.rarpToController());
    for (String prefix : List.of("10.0.0.0/24", "10.0.2.0/24", "10.0.4.0/24", "10.0.6.0/24")) {
      full = with(full, FlowRule.routeToPort(Ipv4Prefix.parse(prefix), 2));
    }
    List<SwitchOperation> asked = new ArrayList<>();
    for (int i = 1; i < 8; i += 2) {
      asked.add(
          SwitchOperation.putFlow(
              FlowRule.routeToPort(Ipv4Prefix.parse("10.0." + i + ".0/24"), 2)));
    }
    SwitchTables wanted = full.after(asked);
    MergeInRoom merging =
        new MergeInRoom(
            MergedRules.of(full, full), List.of(), wanted, asked, full.flowCount(), true);
    SwitchTables now = full;
    for (List<SwitchOperation> step : merging.steps()) {
      for (SwitchOperation operation : step) {
        now = now.after(List.of(operation));
        assertTrue(now.flowCount() <= full.flowCount(), operation.toString());
      }
    }
    assertEquals(
        with(
            with(SwitchTables.EMPTY, FlowRule.rarpToController()),
            FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/21"), 2)),
        now);
  }

  /** Three prefixes that are not neighbours yet, and room for two rules besides the pod's first. */
  @Test
  void aRuleThatYieldsReturnsWhenThereIsRoom() {
    SwitchTables full = with(SwitchTables.EMPTY, FlowRule.rarpToController());
    full = with(full, FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 2));
    FlowRule far = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.3.0/24"), 2);
    List<SwitchOperation> asked = List.of(SwitchOperation.putFlow(far));
    MergeInRoom first =
        new MergeInRoom(MergedRules.of(full, full), List.of(), full.after(asked), asked, 2, true);
    assertEquals(List.of(FlowRule.rarpToController()), first.yielded());
    List<SwitchOperation> rest = new ArrayList<>();
    for (String prefix : List.of("10.0.1.0/24", "10.0.2.0/24")) {
      rest.add(SwitchOperation.putFlow(FlowRule.routeToPort(Ipv4Prefix.parse(prefix), 2)));
    }
    SwitchTables all = full.after(asked).after(rest);
    MergeInRoom second = new MergeInRoom(first.wanted(), first.yielded(), all, rest, 2, true);
    assertEquals(List.of(), second.yielded());
    assertEquals(2, second.wanted().ruleCount());
    assertEquals(
        "[PUT_FLOW rarp -> TO_CONTROLLER]",
        second.steps().get(second.steps().size() - 1).toString());
  }

  /**
   * More prefixes than there is room for, whatever yields: the rules to the controller stay, and
   * those that the switch lacks come before any prefix. The switch refuses the rest.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsBeyondTheLimitNeverTakesTheControllersSight(boolean mayYield) {
    SwitchTables present = with(SwitchTables.EMPTY, FlowRule.lldpToController());
    present = with(present, FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 2));
    List<SwitchOperation> asked = new ArrayList<>();
    asked.add(SwitchOperation.putFlow(FlowRule.arpToController()));
    for (int i = 2; i < 12; i += 2) {
      asked.add(
          SwitchOperation.putFlow(
              FlowRule.routeToPort(Ipv4Prefix.parse("10.0." + i + ".0/24"), i)));
    }
    int limit = 4;
    MergeInRoom merging =
        new MergeInRoom(
            MergedRules.of(present, present),
            List.of(),
            present.after(asked),
            asked,
            limit,
            mayYield);
    SwitchTables now = present;
    int refused = 0;
    for (List<SwitchOperation> step : merging.steps()) {
      for (SwitchOperation operation : step) {
        SwitchTables then = now.after(List.of(operation));
        if (then.flowCount() <= limit) {
          now = then;
        } else {
          refused++;
        }
        assertTrue(now.hasMatchOf(FlowRule.lldpToController()), operation.toString());
      }
    }
    assertTrue(now.hasMatchOf(FlowRule.arpToController()));
    assertEquals(limit, now.flowCount());
    assertEquals(4, refused);
    assertEquals(List.of(), merging.yielded());
  }

  @Test
  void aTableWithRoomForBothFormsPutsAllRulesBeforeItDeletesAny() {
    SwitchTables plain = SwitchTables.EMPTY;
    for (String prefix : List.of("10.0.0.0/24", "10.0.1.0/24")) {
      plain = with(plain, FlowRule.routeToPort(Ipv4Prefix.parse(prefix), 2));
    }
    MergeInRoom merging =
        new MergeInRoom(MergedRules.of(plain, plain), List.of(), plain, List.of(), 3, true);
    assertEquals(2, merging.steps().size());
  }
}
