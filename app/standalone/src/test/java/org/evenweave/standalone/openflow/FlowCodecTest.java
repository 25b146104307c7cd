package org.evenweave.standalone.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
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
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class FlowCodecTest {
  private static final OFFactory OF = OpenFlow13.FACTORY;
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");

  @Provide
  Arbitrary<FlowRule> rules() {
    return Any.rules();
  }

  @Property
  void aRuleSurvivesTheWireToTheTableAndBack(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), readBack(FlowCodec.add(rule, 1)));
  }

  @Property
  void aDeleteNamesThePlaceOfTheRuleAndOnlyOurCookie(@ForAll("rules") FlowRule rule) {
    OFFlowAdd add = Wire.carried(FlowCodec.add(rule, 1));
    OFFlowDeleteStrict delete = Wire.carried(FlowCodec.delete(rule, 2));
    assertEquals(add.getMatch(), delete.getMatch());
    assertEquals(add.getPriority(), delete.getPriority());
    assertEquals(add.getTableId(), delete.getTableId());
    assertEquals(OpenFlow13.ENGINE_COOKIE, delete.getCookie());
    assertEquals(OpenFlow13.EXACT_COOKIE, delete.getCookieMask());
    assertEquals(OFPort.ANY, delete.getOutPort());
    assertEquals(OFGroup.ANY, delete.getOutGroup());
  }

  @Test
  void routingDecrementsTheTtlBeforeThePacketLeaves() {
    List<OFAction> actions = actions(FlowRule.routeToGroup(PREFIX, 7));
    assertEquals(List.of(OF.actions().decNwTtl(), OF.actions().group(OFGroup.of(7))), actions);
  }

  @Test
  void deliveryRewritesBothAddressesBeforeThePacketLeaves() {
    List<OFAction> actions = actions(FlowRule.deliver(0x0a000107, 3, 0x02_00_00_00_00_01L, 0xfeL));
    assertEquals(
        List.of(
            OF.actions().decNwTtl(),
            OF.actions().setField(OF.oxms().ethSrc(MacAddress.of("02:00:00:00:00:01"))),
            OF.actions().setField(OF.oxms().ethDst(MacAddress.of("00:00:00:00:00:fe"))),
            OF.actions().output(OFPort.of(3), 0)),
        actions);
  }

  /** RFC 826: the reply comes from who was asked for, and goes to who asked. */
  @Test
  void anAnswerTurnsTheRequestRoundAndGoesBackWhereItCameFrom() {
    FlowRule rule = FlowRule.answerArp(0x0a000001, 0xfeL, 0x0a000107, 0x02_00_00_00_00_01L, 3);
    MacAddress gateway = MacAddress.of("00:00:00:00:00:fe");
    MacAddress host = MacAddress.of("02:00:00:00:00:01");
    assertEquals(
        List.of(
            OF.actions().setField(OF.oxms().ethSrc(gateway)),
            OF.actions().setField(OF.oxms().ethDst(host)),
            OF.actions().setField(OF.oxms().arpOp(ArpOpcode.REPLY)),
            OF.actions().setField(OF.oxms().arpSha(gateway)),
            OF.actions().setField(OF.oxms().arpSpa(IPv4Address.of("10.0.0.1"))),
            OF.actions().setField(OF.oxms().arpTha(host)),
            OF.actions().setField(OF.oxms().arpTpa(IPv4Address.of("10.0.1.7"))),
            OF.actions().output(OFPort.IN_PORT, 0)),
        actions(rule));
    OFFlowAdd add = FlowCodec.add(rule, 1);
    for (List<OFAction> foreign :
        List.of(actions(rule).subList(0, 7), actions(rule).subList(1, 8))) {
      OFFlowMod changed =
          add.createBuilder()
              .setInstructions(List.of(OF.instructions().applyActions(foreign)))
              .build();
      assertEquals(Optional.empty(), readBack(changed));
    }
  }

  @Test
  void probesGoToTheController() {
    OFFlowAdd add = Wire.carried(FlowCodec.add(FlowRule.lldpToController(), 1));
    assertEquals(EthType.LLDP, add.getMatch().get(MatchField.ETH_TYPE));
    assertEquals(Optional.of(FlowRule.lldpToController()), readBack(add));
  }

  @Test
  void aRemovalIsReportedOfEveryRuleAndReadAsTheRulesPlace() {
    for (FlowRule rule :
        List.of(
            FlowRule.lldpToController(),
            FlowRule.arpToController(),
            FlowRule.answerArp(1, 2, 3, 4, 5),
            FlowRule.prefixToController(PREFIX),
            FlowRule.routeToGroup(PREFIX, 7),
            FlowRule.deliver(1, 2, 3, 4))) {
      OFFlowAdd add = Wire.carried(FlowCodec.add(rule, 1));
      assertEquals(Set.of(OFFlowModFlags.SEND_FLOW_REM), add.getFlags());
      OFFlowRemoved.Builder removed =
          OF.buildFlowRemoved()
              .setReason(OFFlowRemovedReason.DELETE)
              .setCookie(add.getCookie())
              .setPriority(add.getPriority())
              .setMatch(add.getMatch());
      Optional<FlowRule> read = FlowCodec.read(Wire.<OFFlowRemoved>carried(removed.build()));
      assertEquals(Optional.of(rule.key()), read.map(FlowRule::key));
      assertEquals(
          Optional.empty(), FlowCodec.read(removed.setCookie(U64.of(1)).build()), "not ours");
      assertEquals(
          Optional.empty(),
          FlowCodec.read(removed.setCookie(add.getCookie()).setPriority(1).build()));
    }
  }

  @Test
  void aRuleWithForeignActionsIsShownAsARouteToNoPort() {
    List<List<OFAction>> foreign =
        List.of(
            List.of(),
            List.of(OF.actions().output(OFPort.of(2), 0)),
            List.of(OF.actions().group(OFGroup.of(7))),
            List.of(OF.actions().decNwTtl(), OF.actions().output(OFPort.CONTROLLER, 0xffff)),
            List.of(OF.actions().output(OFPort.CONTROLLER, 128)),
            List.of(
                OF.actions().decNwTtl(),
                OF.actions().decNwTtl(),
                OF.actions().decNwTtl(),
                OF.actions().output(OFPort.of(2), 0)),
            List.of(
                OF.actions().decNwTtl(),
                OF.actions().setField(OF.oxms().ethSrc(MacAddress.of(1))),
                OF.actions().setField(OF.oxms().ethDst(MacAddress.of(2))),
                OF.actions().output(OFPort.of(2), 0)));
    OFFlowAdd add = FlowCodec.add(FlowRule.routeToGroup(PREFIX, 7), 1);
    for (List<OFAction> actions : foreign) {
      OFFlowMod changed =
          add.createBuilder()
              .setInstructions(List.of(OF.instructions().applyActions(actions)))
              .build();
      assertEquals(Optional.of(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)), readBack(changed));
    }
    OFFlowMod none = add.createBuilder().setInstructions(List.of()).build();
    assertEquals(Optional.of(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)), readBack(none));
  }

  @Test
  void deliveryToMoreThanOneAddressIsNoRule() {
    OFFlowMod delivery = FlowCodec.add(FlowRule.deliver(PREFIX.address(), 3, 1, 2), 1);
    OFFlowAdd wide = FlowCodec.add(FlowRule.prefixToController(PREFIX), 1);
    OFFlowMod changed = wide.createBuilder().setInstructions(delivery.getInstructions()).build();
    assertEquals(Optional.of(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)), readBack(changed));
  }

  @Test
  void anEntryInNoRulesPlaceIsNotShown() {
    OFFlowAdd add = FlowCodec.add(FlowRule.routeToGroup(PREFIX, 7), 1);
    Match everything = OF.buildMatch().build();
    Match fromOnePort =
        add.getMatch().createBuilder().setExact(MatchField.IN_PORT, OFPort.of(1)).build();
    Match holes =
        OF.buildMatch()
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setMasked(MatchField.IPV4_DST, IPv4Address.of("10.0.0.1"), IPv4Address.of("255.0.0.1"))
            .build();
    Match ipv6 = OF.buildMatch().setExact(MatchField.ETH_TYPE, EthType.IPv6).build();
    for (Match match : List.of(everything, fromOnePort, holes, ipv6)) {
      assertEquals(Optional.empty(), readBack(add.createBuilder().setMatch(match).build()));
    }
    assertEquals(
        Optional.empty(), readBack(add.createBuilder().setPriority(add.getPriority() + 1).build()));
    assertEquals(Optional.empty(), readBack(add.createBuilder().setTableId(TableId.of(1)).build()));
  }

  private static List<OFAction> actions(FlowRule rule) {
    OFFlowAdd add = Wire.carried(FlowCodec.add(rule, 1));
    assertTrue(add.getInstructions().size() == 1);
    return add.getActions();
  }

  /** What is read of the entry a flow mod makes. */
  private static Optional<FlowRule> readBack(OFFlowMod mod) {
    OFFlowMod arrived = Wire.carried(mod);
    OFFlowStatsEntry entry = FakeOpenFlowSwitch.entry(arrived);
    return FlowCodec.read(
        Wire.carried(OF.buildFlowStatsReply().setEntries(List.of(entry)).build())
            .getEntries()
            .get(0));
  }
}
