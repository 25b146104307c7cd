package org.evenweave.app.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.PacketPriority;

class FlowTranslatorTest {
  private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");

  private final FlowTranslator translator =
      new FlowTranslator(new DefaultApplicationId(7, "org.evenweave.app"));

  @Property
  void everyRuleOfTheEngineComesBackAsItWas(@ForAll("rules") FlowRule rule) {
    assertEquals(Optional.of(rule), translator.fromOnos(translator.toOnos(DEVICE, rule)));
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
  void aRuleWithActionsOfNoRuleIsNone() {
    org.onosproject.net.flow.FlowRule ours =
        translator.toOnos(DEVICE, FlowRule.routeToPort(Ipv4Prefix.parse("10.0.0.0/24"), 3));
    org.onosproject.net.flow.FlowRule withoutTtl =
        DefaultFlowRule.builder()
            .forDevice(DEVICE)
            .forTable(0)
            .fromApp(new DefaultApplicationId(7, "org.evenweave.app"))
            .withPriority(ours.priority())
            .withSelector(ours.selector())
            .withTreatment(
                DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(3)).build())
            .makePermanent()
            .build();
    assertEquals(Optional.empty(), translator.fromOnos(withoutTtl));
  }

  @Test
  void aRuleWithAMatchOfNoRuleIsNone() {
    org.onosproject.net.flow.FlowRule byPort =
        DefaultFlowRule.builder()
            .forDevice(DEVICE)
            .forTable(0)
            .fromApp(new DefaultApplicationId(7, "org.evenweave.app"))
            .withPriority(10_025)
            .withSelector(
                DefaultTrafficSelector.builder()
                    .matchEthType(Ethernet.TYPE_IPV4)
                    .matchInPort(PortNumber.portNumber(1))
                    .build())
            .withTreatment(DefaultTrafficTreatment.builder().punt().build())
            .makePermanent()
            .build();
    assertEquals(Optional.empty(), translator.fromOnos(byPort));
  }

  @Provide
  Arbitrary<FlowRule> rules() {
    Arbitrary<Ipv4Prefix> prefixes =
        Combinators.combine(Arbitraries.integers(), Arbitraries.integers().between(0, 32))
            .as(
                (address, length) ->
                    Ipv4Prefix.of(length == 0 ? 0 : address & (-1 << (32 - length)), length));
    Arbitrary<Integer> ports = Arbitraries.integers().between(1, 0xffff);
    Arbitrary<Long> macs = Arbitraries.longs().between(0, (1L << 48) - 1);
    return Arbitraries.oneOf(
        Arbitraries.just(FlowRule.arpToController()),
        prefixes.map(FlowRule::prefixToController),
        Combinators.combine(prefixes, ports)
            .as((prefix, n) -> FlowRule.routeToGroup(prefix, GroupIdRange.FIRST - 1 + n)),
        Combinators.combine(prefixes, ports).as(FlowRule::routeToPort),
        Combinators.combine(Arbitraries.integers(), ports, macs, macs).as(FlowRule::deliver));
  }
}
