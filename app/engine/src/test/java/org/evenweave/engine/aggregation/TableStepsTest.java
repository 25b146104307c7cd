package org.evenweave.engine.aggregation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableStepsTest {
  /** Whatever of the step under way the switch has done, or refuses. */
  @Property
  void eachAddressHasItsOldRouteOrItsNewOneAtEveryMoment(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    SwitchTables before = model.anyTables(random);
    SwitchTables after = model.anyTables(random);
    assertOldOrNew(model, before, after, TableSteps.between(before, after).with(List.of()), random);
  }

  /** As above, in the order that needs little room. */
  @Property
  void eachAddressHasItsOldRouteOrItsNewOneInLittleRoom(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    SwitchTables before = model.anyTables(random);
    SwitchTables after = model.anyTables(random);
    List<List<SwitchOperation>> steps =
        TableSteps.between(before, after).inRoom(before).with(random.nextInt(3));
    assertOldOrNew(model, before, after, steps, random);
  }

  /** In a table of 10,000 rules, of which each is replaced in the only free entry. */
  @ParameterizedTest
  @CsvSource({"24, 25", "25, 24"})
  void eachRuleOfALargeTableIsReplacedInOneFreeEntry(int before, int after) {
    TreeMap<Ipv4Prefix, FlowRule> puts = new TreeMap<>();
    Map<Ipv4Prefix, FlowRule> deletions = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      int address = Ipv4Prefix.parseAddress("10.0.0.0") + (i << 8);
      Ipv4Prefix old = Ipv4Prefix.of(address, before);
      deletions.put(old, FlowRule.routeToPort(old, 1));
      Ipv4Prefix next = Ipv4Prefix.of(address, after);
      puts.put(next, FlowRule.routeToPort(next, 1));
    }
    StepsInRoom inRoom = new StepsInRoom(puts, deletions, deletions.keySet());
    assertTrue(inRoom.fit(1));
    List<List<SwitchOperation>> steps = inRoom.with(1);
    assertEquals(20_000, steps.size());
    for (int i = 0; i < steps.size(); i += 2) {
      FlowRule put = steps.get(i).get(0).flow();
      FlowRule deleted = steps.get(i + 1).get(0).flow();
      assertEquals(puts.get(put.prefix()), put);
      assertEquals(deletions.get(deleted.prefix()), deleted);
      assertTrue(put.prefix().overlaps(deleted.prefix()));
    }
  }

  private static void assertOldOrNew(
      AddressModel model,
      SwitchTables before,
      SwitchTables after,
      List<List<SwitchOperation>> steps,
      SplittableRandom random) {
    List<String> old = model.actions(before);
    List<String> wanted = model.actions(after);
    SwitchTables now = before;
    for (List<SwitchOperation> step : steps) {
      for (int trial = 0; trial < 8; trial++) {
        List<SwitchOperation> some = new ArrayList<>(step);
        some.removeIf(operation -> random.nextBoolean());
        List<String> actions = model.actions(now.after(some));
        for (int i = 0; i < actions.size(); i++) {
          String action = actions.get(i);
          assertTrue(action.equals(old.get(i)) || action.equals(wanted.get(i)));
        }
      }
      now = now.after(step);
    }
    assertEquals(after, now);
  }

  @Property
  void redundantRulesAreThoseWhoseDeletionChangesNoRoute(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    SwitchTables tables = model.anyTables(random);
    SwitchTables now = tables;
    for (SwitchOperation deletion : StepsInRoom.redundant(tables)) {
      now = now.after(List.of(deletion));
      assertEquals(model.actions(tables), model.actions(now));
    }
    assertEquals(List.of(), StepsInRoom.redundant(now));
  }

  /** An address that has its new route keeps it. */
  @Property
  void noAddressGoesBackToItsOldRoute(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AddressModel model = new AddressModel(5);
    SwitchTables now = model.anyTables(random);
    SwitchTables after = model.anyTables(random);
    List<String> wanted = model.actions(after);
    for (List<SwitchOperation> step : TableSteps.between(now, after).with(List.of())) {
      for (SwitchOperation operation : step) {
        List<String> then = model.actions(now);
        now = now.after(List.of(operation));
        List<String> actions = model.actions(now);
        for (int i = 0; i < actions.size(); i++) {
          assertTrue(!then.get(i).equals(wanted.get(i)) || actions.get(i).equals(wanted.get(i)));
        }
      }
    }
  }
}
