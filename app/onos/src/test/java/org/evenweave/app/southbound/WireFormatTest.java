package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.engine.port.SelectGroup;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.Limits;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

class WireFormatTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
  private static final SelectGroup GROUP = new SelectGroup(9, new int[] {2, 3}, new int[] {5, 1});
  private static final SelectGroup TABLE = SelectGroup.largeTable(9, new int[] {2, 3, 3});
  private static final Ipv4Prefix SOURCE = Ipv4Prefix.parse("10.0.7.0/24");
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");
  private static final List<SwitchOperation> OPERATIONS =
      List.of(
          SwitchOperation.addGroup(GROUP),
          SwitchOperation.modifyGroup(GROUP),
          SwitchOperation.modifyGroup(GROUP, TABLE),
          SwitchOperation.deleteGroup(GROUP),
          SwitchOperation.putFlow(FlowRule.prefixToController(PREFIX)),
          SwitchOperation.putFlow(FlowRule.routeToGroup(PREFIX, 9)),
          SwitchOperation.putFlow(FlowRule.routeToPort(PREFIX, 4)),
          SwitchOperation.putFlow(FlowRule.deliver(0xc000_0201, 9, 7, 1)),
          SwitchOperation.putFlow(FlowRule.arpReply(1, 2, 3, 4, 5)),
          SwitchOperation.putFlow(FlowRule.pairToGroup(SOURCE, PREFIX, 9)),
          SwitchOperation.putFlow(FlowRule.pairToPort(SOURCE, PREFIX, 4)),
          SwitchOperation.putFlow(FlowRule.hairpin(0xc000_0201, 9, 7, 1)),
          SwitchOperation.putFlow(GuardRules.dropTagged()),
          SwitchOperation.putFlow(GuardRules.dropMulticastSources()),
          SwitchOperation.putFlow(GuardRules.dropSource(SOURCE)),
          SwitchOperation.putFlow(GuardRules.dropToItself(0xc000_0201)),
          SwitchOperation.putFlow(GuardRules.admitSource(SOURCE)),
          SwitchOperation.putFlow(GuardRules.admitSource(7, SOURCE)),
          SwitchOperation.putFlow(GuardRules.refuseSource(7, SOURCE)),
          SwitchOperation.deleteFlow(FlowRule.deliver(0xc000_0201, 9, 7, 1).superseded()),
          SwitchOperation.deleteFlow(FlowRule.pairToGroup(SOURCE, PREFIX, 9).superseded()),
          SwitchOperation.deleteFlow(FlowRule.rarpToController()),
          SwitchOperation.deleteFlow(FlowRule.arpToController()),
          SwitchOperation.deleteFlow(FlowRule.lldpToController()));

  @Test
  void aRequestIsReadAsItWasWritten() {
    List<Object> wire = WireFormat.request(DEVICE, 7, 1L << 40, OPERATIONS);
    assertEquals(DEVICE, WireFormat.device(wire));
    assertEquals(7, WireFormat.epoch(wire));
    assertEquals(1L << 40, WireFormat.number(wire));
    List<SwitchOperation> read = WireFormat.toOperations(wire);
    assertEquals(OPERATIONS.toString(), read.toString());
    assertEquals(GROUP, read.get(2).replaced());
    assertEquals(TABLE, read.get(2).group());
    assertNull(read.get(1).replaced());
  }

  /** Of an instance of another version; a change of these is a new version of the wire. */
  @Test
  void theNumbersOnTheWireAreThoseOfItsVersion() {
    List<Object> wire = WireFormat.request(DEVICE, 7, 1L << 40, OPERATIONS);
    assertArrayEquals(new int[] {7}, (int[]) wire.get(0));
    List<Integer> kinds = new ArrayList<>();
    for (int i = 3; i < wire.size(); i += 2) {
      kinds.add(((int[]) wire.get(i))[0]);
    }
    assertEquals(
        List.of(1, 2, 2, 6, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5), kinds);
    List<Long> matches = new ArrayList<>();
    List<Long> actions = new ArrayList<>();
    for (int i = 3 + 2 * 5 + 1; i < wire.size(); i += 2) {
      matches.add(((long[]) wire.get(i))[0]);
      actions.add(((long[]) wire.get(i))[1]);
    }
    assertEquals(
        List.of(
            3L, 3L, 3L, 3L, 2L, 4L, 4L, 7L, 11L, 10L, 8L, 9L, 13L, 13L, 14L, 12L, 12L, 6L, 1L, 5L),
        matches);
    assertEquals(
        List.of(1L, 2L, 3L, 4L, 5L, 2L, 3L, 6L, 7L, 7L, 7L, 7L, 8L, 8L, 7L, 4L, 2L, 1L, 1L, 1L),
        actions);
  }

  @Test
  void whatAnInstanceOfAnotherVersionSendsIsRefusedInASentence() {
    List<Object> newer = WireFormat.request(DEVICE, 7, 1L << 40, OPERATIONS);
    newer.set(0, new int[] {WireFormat.VERSION + 1});
    List<Object> unversioned = new ArrayList<>(newer.subList(1, newer.size()));
    for (List<Object> wire : List.of(newer, unversioned, new ArrayList<>())) {
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> WireFormat.toOperations(wire))
              .getMessage();
      assertEquals(
          "another instance of ONOS has another version of Evenweave: install the same on all",
          refusal);
    }
  }

  @Test
  void tablesAndCountersAreReadAsTheyWereWritten() {
    Map<String, FlowRule> rules = new HashMap<>();
    Map<FlowRule, Long> packets = new HashMap<>();
    for (SwitchOperation operation : OPERATIONS) {
      if (operation.flow() != null) {
        rules.put(operation.flow().key(), operation.flow());
        packets.put(operation.flow(), (1L << 40) + packets.size());
      }
    }
    SwitchTables tables = new SwitchTables(Map.of(9, GROUP, 10, TABLE.withId(10)), rules);
    DeviceTables device =
        new DeviceTables(
            tables,
            List.of(new byte[] {1, 2}),
            List.of(new byte[] {3}),
            Map.of(7, 1L << 40),
            Limits.NONE.withGroups(1024));
    DeviceTables read = WireFormat.toTables(WireFormat.tables(device));
    assertEquals(tables, read.own());
    assertEquals(Map.of(7, 1L << 40), read.refusedSources());
    assertEquals(Limits.NONE.withGroups(1024), read.limits());
    assertArrayEquals(new byte[] {1, 2}, read.foreignRules().get(0));
    assertArrayEquals(new byte[] {3}, read.foreignGroups().get(0));
    SwitchCounters counters = new SwitchCounters(Map.of(9, 1L << 41), packets);
    assertEquals(counters, WireFormat.toCounters(WireFormat.counters(counters)));
    for (FlowRule rule : packets.keySet()) {
      List<Object> wire = WireFormat.ruleOf(DEVICE, rule);
      assertEquals(DEVICE, WireFormat.device(wire));
      assertEquals(rule, WireFormat.toRule(wire));
    }
  }

  @Test
  void countsAreReadAsTheyWereWritten() {
    RuleCount ofAll = new RuleCount(PREFIX, 1L << 63, 1L << 50);
    RuleCount ofPair = new RuleCount(SOURCE, PREFIX, 7, 1L << 40);
    for (RuleCount sent : List.of(ofAll, ofPair)) {
      RuleCount read = WireFormat.toCounts(WireFormat.counts(List.of(sent))).iterator().next();
      assertEquals(sent.source(), read.source());
      assertEquals(sent.prefix(), read.prefix());
      assertEquals(sent.bytes(), read.bytes());
      assertEquals(sent.ageNanos(), read.ageNanos());
    }
  }

  @Test
  void aNumberThatIsNoneIsRefused() {
    List<Object> wire = WireFormat.request(DEVICE, 7, 1L << 40, OPERATIONS);
    wire.set(3, new int[] {99});
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> WireFormat.toOperations(wire))
            .getMessage()
            .endsWith("unknown number 99"));
  }
}
