package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.Any;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.openflow.TableEntry;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class FlowMessagesTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");

  @Provide
  Arbitrary<FlowRule> rules() {
    return Any.rules(OpenFlow13.FIRST_GROUP, OpenFlow13.LAST_GROUP);
  }

  @Property
  void aRuleSurvivesTheWireToTheTableAndBack(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), readBack(FlowMessages.add(rule, 1)));
  }

  @Property
  void aDeleteNamesThePlaceOfTheRuleAndOnlyOurCookie(@ForAll("rules") FlowRule rule) {
    OFFlowAdd add = Wire.carried(FlowMessages.add(rule, 1));
    OFFlowDeleteStrict delete = Wire.carried(FlowMessages.OPERATIONS.delete(OF, rule, 2));
    assertEquals(add.getMatch(), delete.getMatch());
    assertEquals(add.getPriority(), delete.getPriority());
    assertEquals(add.getTableId(), delete.getTableId());
    assertEquals(OpenFlow13.ENGINE_COOKIE, delete.getCookie());
    assertEquals(OpenFlow13.EXACT_COOKIE, delete.getCookieMask());
    assertEquals(OFPort.ANY, delete.getOutPort());
    assertEquals(OFGroup.ANY, delete.getOutGroup());
  }

  @Test
  void aRemovalIsReportedOfEveryRuleAndReadAsTheRulesPlace() {
    for (FlowRule rule :
        List.of(
            FlowRule.lldpToController(),
            FlowRule.arpToController(),
            FlowRule.arpReply(1, 2, 3, 4, 5),
            FlowRule.prefixToController(PREFIX),
            FlowRule.routeToGroup(PREFIX, OwnGroups.id(7)),
            FlowRule.deliver(1, 2, 3, 4))) {
      OFFlowAdd add = Wire.carried(FlowMessages.add(rule, 1));
      assertEquals(Set.of(OFFlowModFlags.SEND_FLOW_REM), add.getFlags());
      OFFlowRemoved.Builder removed =
          OF.buildFlowRemoved()
              .setReason(OFFlowRemovedReason.DELETE)
              .setCookie(add.getCookie())
              .setTableId(add.getTableId())
              .setPriority(add.getPriority())
              .setMatch(add.getMatch());
      Optional<FlowRule> read = FlowMessages.read(Wire.<OFFlowRemoved>carried(removed.build()));
      assertEquals(Optional.of(rule.key()), read.map(FlowRule::key));
      assertEquals(
          Optional.empty(), FlowMessages.read(removed.setCookie(U64.of(1)).build()), "not ours");
      assertEquals(
          Optional.empty(),
          FlowMessages.read(removed.setCookie(add.getCookie()).setPriority(1).build()));
    }
  }

  @Test
  void anEntryWithForeignActionsIsShownAsARouteToNoPort() {
    OFFlowAdd add = FlowMessages.add(FlowRule.routeToGroup(PREFIX, OwnGroups.id(7)), 1);
    OFFlowMod none = add.createBuilder().setInstructions(List.of()).build();
    assertEquals(Optional.of(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)), readBack(none));
    OFFlowAdd answer = FlowMessages.add(FlowRule.arpReply(1, 2, 3, 4, 5), 1);
    assertEquals(
        Optional.empty(), readBack(answer.createBuilder().setInstructions(List.of()).build()));
  }

  @Test
  void anEntryInNoRulesPlaceIsNotShown() {
    OFFlowAdd add = FlowMessages.add(FlowRule.routeToGroup(PREFIX, OwnGroups.id(7)), 1);
    assertEquals(
        Optional.empty(), readBack(add.createBuilder().setPriority(add.getPriority() + 1).build()));
    assertEquals(Optional.empty(), readBack(add.createBuilder().setTableId(TableId.of(1)).build()));
  }

  /** What is read of the entry a flow-mod makes. */
  private static Optional<FlowRule> readBack(OFFlowMod mod) {
    OFFlowStatsEntry entry = TableEntry.of(Wire.carried(mod));
    return FlowMessages.read(
        Wire.carried(OF.buildFlowStatsReply().setEntries(List.of(entry)).build())
            .getEntries()
            .get(0));
  }
}
