package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.Any;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.packet.PacketPriority;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.OFPort;

class FlowTranslatorTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private final FlowTranslator translator =
      new FlowTranslator(new DefaultApplicationId(7, "org.evenweave.app"));

  @Property
  void everyRuleOfTheEngineComesBackAsItWas(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), translator.read(FlowEntries.ofOnos(rule, 7)));
    assertEquals(Optional.of(rule), translator.read(FlowEntries.addition(rule, 7)));
  }

  /** A lone ONOS that was killed may give the application another id when it comes back. */
  @Property
  void aRuleIsRecognisedWhateverIdTheApplicationHadWhenItWasMade(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), translator.read(FlowEntries.ofOnos(rule, 9)));
  }

  @Property
  void rulesKeepTheirOrderOfPriority(@ForAll("rules") FlowRule a, @ForAll("rules") FlowRule b) {
    assertEquals(
        Integer.signum(Integer.compare(a.priority(), b.priority())),
        Integer.signum(
            Integer.compare(
                translator.toOnos(DEVICE, a).priority(), translator.toOnos(DEVICE, b).priority())));
  }

  @Test
  void arpIsNotAtThePriorityWhereOnosAsksForIt() {
    assertNotEquals(
        PacketPriority.CONTROL.priorityValue(),
        translator.toOnos(DEVICE, FlowRule.arpToController()).priority());
  }

  @Test
  void actionsThatSomeoneChangedAreShownAsWhatWasNeverWanted() {
    FlowRule rule = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 3);
    List<OFAction> withoutTtl = List.of(OF.actions().output(OFPort.of(3), 0));
    OFFlowStatsEntry ours =
        FlowEntries.entry(FlowEntries.match(rule), rule.priority() + 1, 7, withoutTtl);
    assertEquals(Optional.of(FlowRule.routeToPort(rule.prefix(), 0)), translator.read(ours));
    OFFlowStatsEntry others =
        FlowEntries.entry(FlowEntries.match(rule), rule.priority() + 1, 9, withoutTtl);
    assertEquals(Optional.empty(), translator.read(others));
  }

  @Test
  void aRuleWithAnotherPriorityOrMatchIsNone() {
    FlowRule rule = FlowRule.prefixToController(Ipv4Prefix.parse("10.0.0.0/24"));
    List<OFAction> punt = List.of(OF.actions().output(OFPort.CONTROLLER, 0xffff));
    assertEquals(
        Optional.empty(),
        translator.read(FlowEntries.entry(FlowEntries.match(rule), rule.priority(), 7, punt)));
    Match byPort =
        OF.buildMatch()
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setExact(MatchField.IN_PORT, OFPort.of(1))
            .build();
    assertEquals(Optional.empty(), translator.read(FlowEntries.entry(byPort, 10_025, 7, punt)));
  }

  @Test
  void anArpAnswerThatSomeoneChangedIsMissing() {
    FlowRule rule = FlowRule.answerArp(0x0a000001, 0xfe, 0x0a000002, 1, 3);
    List<OFAction> actions = FlowEntries.actions(rule);
    for (int without = 0; without < actions.size(); without++) {
      List<OFAction> changed = new ArrayList<>(actions);
      changed.remove(without);
      OFFlowStatsEntry entry =
          FlowEntries.entry(FlowEntries.match(rule), rule.priority() + 1, 7, changed);
      assertEquals(Optional.empty(), translator.read(entry));
    }
  }

  @Test
  void onosAsksForRulesThatTheTranslatorReads() {
    FlowRule rule = FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 3);
    assertEquals(
        FlowEntries.ofOnos(rule, 7).getPriority(), translator.toOnos(DEVICE, rule).priority());
  }

  @Provide
  Arbitrary<FlowRule> rules() {
    int[] groupIds = GroupTranslator.ids().toArray();
    return Any.rules(groupIds[0], groupIds[groupIds.length - 1])
        .filter(rule -> rule.match() != FlowRule.Match.LLDP);
  }
}
