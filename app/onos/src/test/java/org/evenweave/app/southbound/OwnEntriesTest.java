package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.Any;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.net.packet.PacketPriority;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class OwnEntriesTest {
  private static final FlowRule ROUTE = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 3);

  @Property
  void everyRuleOfTheEngineComesBackAsItWas(@ForAll("rules") FlowRule rule) {
    OFFlowAdd add = (OFFlowAdd) SecondLookup.toSwitch(OF, OwnEntries.OPERATIONS.add(OF, rule, 1));
    OFFlowStatsEntry entry =
        OF.buildFlowStatsEntry()
            .setTableId(add.getTableId())
            .setCookie(add.getCookie())
            .setPriority(add.getPriority())
            .setMatch(add.getMatch())
            .setInstructions(add.getInstructions())
            .build();
    assertEquals(Optional.of(rule), OwnEntries.rule(entry));
    assertEquals(Set.of(OFFlowModFlags.SEND_FLOW_REM), add.getFlags());
  }

  /** An upgrade finds them in the switches. */
  @Property
  void aRuleThatOnosInstalledIsRecognised(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), OwnEntries.rule(FlowEntries.ofOnos(rule, 9)));
    OFFlowStatsEntry entry = FlowEntries.ofOnos(rule, 9);
    OFFlowDeleteStrict delete = OwnEntries.OPERATIONS.delete(OF, rule, 1);
    assertEquals(entry.getPriority(), delete.getPriority());
    assertEquals(entry.getMatch(), delete.getMatch());
    assertEquals(U64.ZERO, delete.getCookieMask());
  }

  @Property
  void theReportOfARemovalNamesTheRulesPlace(@ForAll("rules") FlowRule rule) {
    OFFlowRemoved.Builder removed =
        OF.buildFlowRemoved()
            .setReason(OFFlowRemovedReason.DELETE)
            .setTableId(TableId.ZERO)
            .setPriority(OwnEntries.priority(rule))
            .setMatch(FlowEntries.match(rule));
    assertEquals(Optional.of(rule.key()), OwnEntries.place(removed.build()).map(FlowRule::key));
    assertEquals(Optional.empty(), OwnEntries.place(removed.setTableId(TableId.of(1)).build()));
  }

  @Property
  void rulesKeepTheirOrderOfPriority(@ForAll("rules") FlowRule a, @ForAll("rules") FlowRule b) {
    assertEquals(
        Integer.signum(Integer.compare(a.priority(), b.priority())),
        Integer.signum(Integer.compare(OwnEntries.priority(a), OwnEntries.priority(b))));
  }

  @Test
  void arpIsNotAtThePriorityWhereOnosAsksForIt() {
    assertNotEquals(
        PacketPriority.CONTROL.priorityValue(), OwnEntries.priority(FlowRule.arpToController()));
  }

  @Test
  void actionsThatSomeoneChangedAreShownAsWhatWasNeverWanted() {
    List<OFAction> withoutTtl = List.of(OF.actions().output(OFPort.of(3), 0));
    assertEquals(
        Optional.of(FlowRule.routeToPort(ROUTE.prefix(), 0)),
        OwnEntries.rule(entry(ROUTE, OwnEntries.COOKIE, withoutTtl)));
    assertEquals(Optional.empty(), OwnEntries.rule(entry(ROUTE, U64.of(9), withoutTtl)));
  }

  @Test
  void aRuleWithAnotherPriorityOrMatchIsNone() {
    List<OFAction> punt = List.of(OF.actions().output(OFPort.CONTROLLER, 0xffff));
    assertEquals(
        Optional.empty(),
        OwnEntries.rule(
            FlowEntries.entry(
                FlowEntries.match(ROUTE), ROUTE.priority(), OwnEntries.COOKIE, punt)));
    Match byPort =
        OF.buildMatch()
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setExact(MatchField.IN_PORT, OFPort.of(1))
            .build();
    assertEquals(
        Optional.empty(),
        OwnEntries.rule(FlowEntries.entry(byPort, 10_025, OwnEntries.COOKIE, punt)));
  }

  /** Link discovery is ONOS's, and so are its rules. */
  @Test
  void theRuleThatSendsLldpToOnosIsNotEvenweaves() {
    FlowRule lldp = FlowRule.lldpToController();
    assertEquals(Optional.empty(), OwnEntries.rule(FlowEntries.ours(lldp)));
  }

  @Test
  void aRouteToAGroupOfAnotherApplicationIsNotEvenweaves() {
    FlowRule rule = FlowRule.routeToGroup(ROUTE.prefix(), 7);
    assertEquals(Optional.empty(), OwnEntries.rule(FlowEntries.ofOnos(rule, 9)));
  }

  @Test
  void anArpReplyThatSomeoneChangedIsMissing() {
    FlowRule rule = FlowRule.arpReply(0x0a000001, 0xfe, 0x0a000002, 1, 3);
    List<OFAction> actions = FlowEntries.actions(rule);
    for (int without = 0; without < actions.size(); without++) {
      List<OFAction> changed = new ArrayList<>(actions);
      changed.remove(without);
      assertEquals(Optional.empty(), OwnEntries.rule(entry(rule, OwnEntries.COOKIE, changed)));
    }
  }

  private static OFFlowStatsEntry entry(FlowRule rule, U64 cookie, List<OFAction> actions) {
    return FlowEntries.entry(FlowEntries.match(rule), OwnEntries.priority(rule), cookie, actions);
  }

  @Provide
  Arbitrary<FlowRule> rules() {
    int[] groupIds = OwnEntries.groupIds().toArray();
    return Any.rules(groupIds[0], groupIds[groupIds.length - 1])
        .filter(rule -> rule.match() != FlowRule.Match.LLDP);
  }
}
