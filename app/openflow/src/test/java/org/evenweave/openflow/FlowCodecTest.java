package org.evenweave.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

class FlowCodecTest {
  private static final OFFactory OF = OFFactories.getFactory(OFVersion.OF_13);
  private static final Ipv4Prefix PREFIX = Ipv4Prefix.parse("10.0.1.0/24");
  private static final FlowRule ROUTE = FlowRule.routeToGroup(PREFIX, 7);
  private static final FlowRule ANSWER =
      FlowRule.arpReply(0x0a000001, 0xfeL, 0x0a000107, 0x02_00_00_00_00_01L, 3);

  @Provide
  Arbitrary<FlowRule> rules() {
    return Any.rules(1, Integer.MAX_VALUE);
  }

  @Property
  void aRuleSurvivesTheWireToTheTableAndBack(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), read(entry(rule)));
  }

  @Property
  void anEntryWithTheActionsOfAnotherRuleIsNotTheFirst(
      @ForAll("rules") FlowRule a, @ForAll("rules") FlowRule b) {
    Optional<FlowRule> read = read(entry(a, FlowCodec.instructions(OF, b)));
    boolean same = FlowCodec.instructions(OF, a).equals(FlowCodec.instructions(OF, b));
    assertEquals(same, read.equals(Optional.of(a)));
  }

  @Test
  void routingDecrementsTheTtlBeforeThePacketLeaves() {
    assertEquals(
        List.of(OF.actions().decNwTtl(), OF.actions().group(OFGroup.of(7))), actions(ROUTE));
  }

  @Test
  void deliveryRewritesBothAddressesBeforeThePacketLeaves() {
    assertEquals(
        List.of(
            OF.actions().decNwTtl(),
            OF.actions().setField(OF.oxms().ethSrc(MacAddress.of("02:00:00:00:00:01"))),
            OF.actions().setField(OF.oxms().ethDst(MacAddress.of("00:00:00:00:00:fe"))),
            OF.actions().output(OFPort.of(3), 0)),
        actions(FlowRule.deliver(0x0a000107, 3, 0x02_00_00_00_00_01L, 0xfeL)));
  }

  /** OpenFlow 1.3.5, section 5.12: a packet leaves by the port it came in by only by IN_PORT. */
  @Test
  void aHairpinLeavesByThePortThatThePacketCameInBy() {
    FlowRule hairpin = FlowRule.hairpin(0x0a000107, 3, 1, 2);
    assertEquals(OFPort.of(3), entry(hairpin).getMatch().get(MatchField.IN_PORT));
    assertEquals(OF.actions().output(OFPort.IN_PORT, 0), actions(hairpin).get(3));
    List<OFAction> byNumber = new ArrayList<>(actions(hairpin));
    byNumber.set(3, OF.actions().output(OFPort.of(3), 0));
    assertEquals(Optional.empty(), read(entry(hairpin, apply(byNumber))));
    assertEquals(Optional.empty(), FlowCodec.changed(hairpin));
  }

  @Test
  void rulesThatRouteMatchTheGatewaysMacAddressAndThoseOfEarlierReleasesDoNot() {
    Match match = entry(ROUTE).getMatch();
    assertEquals(MacAddress.of(Gateway.MAC), match.get(MatchField.ETH_DST));
    OFFlowStatsEntry old = entry(ROUTE.superseded());
    assertEquals(null, old.getMatch().get(MatchField.ETH_DST));
    assertEquals(entry(ROUTE).getPriority(), old.getPriority());
    Match toAnother = match.createBuilder().setExact(MatchField.ETH_DST, MacAddress.of(1)).build();
    assertEquals(
        Optional.empty(), FlowCodec.place(TableId.ZERO, old.getPriority(), carried(toAnother)));
  }

  /** So it is deleted, and a host that it delivered to is known. */
  @Test
  void aRuleOfAnEarlierReleaseIsReadWhateverItDoes() {
    FlowRule delivery = FlowRule.deliver(PREFIX.address(), 3, 1, 2).superseded();
    assertEquals(Optional.of(delivery), read(entry(delivery)));
    assertEquals(FlowRule.Action.DELIVER, delivery.action());
    assertEquals(Optional.empty(), read(entry(ROUTE.superseded(), apply(List.of()))));
    FlowRule place = FlowRule.prefixToController(PREFIX).superseded();
    assertEquals(Optional.of(place), FlowCodec.changed(place));
    FlowRule pair = FlowRule.pairToPort(PREFIX, Ipv4Prefix.parse("10.0.2.0/24"), 3).superseded();
    assertEquals(Optional.of(pair), read(entry(pair)));
  }

  @Test
  void dropsHaveNoInstructionsAndOneThatForwardsIsMissing() {
    for (FlowRule drop : GuardRules.ofSwitch()) {
      assertEquals(List.of(), entry(drop).getInstructions());
      assertEquals(
          Optional.empty(), read(entry(drop, FlowCodec.instructions(OF, ROUTE))), drop.toString());
      assertEquals(Optional.empty(), FlowCodec.changed(drop));
    }
  }

  /** RFC 826: the reply comes from who was asked for, and goes to who asked. */
  @Test
  void anAnswerTurnsTheRequestRoundAndGoesBackWhereItCameFrom() {
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
        actions(ANSWER));
  }

  @Test
  void anAnswerIsOneInWhateverOrderItSetsItsFields() {
    List<OFAction> actions = new ArrayList<>(actions(ANSWER));
    actions.add(0, actions.remove(6));
    assertEquals(Optional.of(ANSWER), read(entry(ANSWER, apply(actions))));
  }

  @Test
  void anAnswerThatSomeoneChangedIsNoRule() {
    for (int without = 0; without < actions(ANSWER).size(); without++) {
      List<OFAction> changed = new ArrayList<>(actions(ANSWER));
      changed.remove(without);
      assertEquals(Optional.empty(), read(entry(ANSWER, apply(changed))));
    }
    List<OFAction> more = new ArrayList<>(actions(ANSWER));
    more.add(0, OF.actions().setField(OF.oxms().ipv4Dst(IPv4Address.of(1))));
    assertEquals(Optional.empty(), read(entry(ANSWER, apply(more))));
    assertEquals(Optional.empty(), FlowCodec.changed(ANSWER));
  }

  @Test
  void probesGoToTheControllerWhole() {
    OFFlowStatsEntry entry = entry(FlowRule.lldpToController());
    assertEquals(EthType.LLDP, entry.getMatch().get(MatchField.ETH_TYPE));
    assertEquals(Optional.of(FlowRule.lldpToController()), read(entry));
    List<OFInstruction> cut = apply(List.of(OF.actions().output(OFPort.CONTROLLER, 128)));
    assertEquals(Optional.empty(), read(entry(FlowRule.lldpToController(), cut)));
  }

  /** {@code max_len} says how much of a packet goes to the controller, and nothing elsewhere. */
  @Test
  void howMuchOfAPacketIsSentCountsAtTheControllersPortOnly() {
    List<OFInstruction> cut =
        apply(List.of(OF.actions().decNwTtl(), OF.actions().output(OFPort.of(2), 128)));
    assertEquals(Optional.of(FlowRule.routeToPort(PREFIX, 2)), read(entry(ROUTE, cut)));
  }

  @Test
  void anEntryWithActionsOfNoRuleIsShownAsARouteToNoPort() {
    List<List<OFAction>> foreign =
        List.of(
            List.of(),
            List.of(OF.actions().output(OFPort.of(2), 0)),
            List.of(OF.actions().group(OFGroup.of(7))),
            List.of(OF.actions().decNwTtl()),
            List.of(OF.actions().decNwTtl(), OF.actions().output(OFPort.CONTROLLER, 0xffff)),
            List.of(OF.actions().output(OFPort.CONTROLLER, 128)),
            List.of(
                OF.actions().decNwTtl(),
                OF.actions().decNwTtl(),
                OF.actions().output(OFPort.of(2), 0)),
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
    for (List<OFAction> actions : foreign) {
      assertEquals(Optional.empty(), read(entry(ROUTE, apply(actions))), actions.toString());
    }
    assertEquals(Optional.empty(), read(entry(ROUTE, List.of())));
    assertEquals(
        Optional.of(FlowRule.routeToPort(PREFIX, FlowCodec.NO_PORT)), FlowCodec.changed(ROUTE));
  }

  @Test
  void deliveryRewritesBothAddressesInItsOwnOrderOnly() {
    FlowRule delivery = FlowRule.deliver(PREFIX.address(), 3, 1, 2);
    List<OFAction> swapped = new ArrayList<>(actions(delivery));
    swapped.add(1, swapped.remove(2));
    assertEquals(Optional.empty(), read(entry(delivery, apply(swapped))));
    List<OFAction> twice = new ArrayList<>(actions(delivery));
    twice.set(2, twice.get(1));
    assertEquals(Optional.empty(), read(entry(delivery, apply(twice))));
  }

  @Test
  void anEntryInNoRulesPlaceIsNone() {
    OFFlowStatsEntry entry = entry(ROUTE);
    Match everything = OF.buildMatch().build();
    Match fromOnePort =
        entry.getMatch().createBuilder().setExact(MatchField.IN_PORT, OFPort.of(1)).build();
    Match holes =
        OF.buildMatch()
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setMasked(MatchField.IPV4_DST, IPv4Address.of("10.0.0.1"), IPv4Address.of("255.0.0.1"))
            .build();
    Match ipv6 = OF.buildMatch().setExact(MatchField.ETH_TYPE, EthType.IPv6).build();
    for (Match match : List.of(everything, fromOnePort, holes, ipv6)) {
      assertEquals(
          Optional.empty(), FlowCodec.place(TableId.ZERO, entry.getPriority(), carried(match)));
    }
    assertEquals(
        Optional.empty(), FlowCodec.place(TableId.ZERO, entry.getPriority() + 1, entry.getMatch()));
    assertEquals(
        Optional.empty(), FlowCodec.place(TableId.of(1), entry.getPriority(), entry.getMatch()));
  }

  private static List<OFAction> actions(FlowRule rule) {
    List<OFInstruction> instructions = entry(rule).getInstructions();
    assertEquals(1, instructions.size());
    return ((OFInstructionApplyActions) instructions.get(0)).getActions();
  }

  private static List<OFInstruction> apply(List<OFAction> actions) {
    return List.of(OF.instructions().applyActions(actions));
  }

  private static OFFlowStatsEntry entry(FlowRule rule) {
    return entry(rule, FlowCodec.instructions(OF, rule));
  }

  /** The entry in the rule's place with these instructions, as it arrives from a switch. */
  private static OFFlowStatsEntry entry(FlowRule rule, List<OFInstruction> instructions) {
    return carried(FlowCodec.match(OF, rule), rule.priority(), instructions);
  }

  private static Match carried(Match match) {
    return carried(match, 1, List.of()).getMatch();
  }

  private static OFFlowStatsEntry carried(
      Match match, int priority, List<OFInstruction> instructions) {
    OFFlowStatsEntry entry =
        OF.buildFlowStatsEntry()
            .setTableId(TableId.ZERO)
            .setPriority(priority)
            .setMatch(match)
            .setInstructions(instructions)
            .build();
    return Bytes.carried(OF.buildFlowStatsReply().setEntries(List.of(entry)).build())
        .getEntries()
        .get(0);
  }

  private static Optional<FlowRule> read(OFFlowStatsEntry entry) {
    return FlowCodec.place(entry.getTableId(), entry.getPriority(), entry.getMatch())
        .flatMap(place -> FlowCodec.read(place, entry.getInstructions()));
  }
}
