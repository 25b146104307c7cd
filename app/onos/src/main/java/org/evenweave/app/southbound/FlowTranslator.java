package org.evenweave.app.southbound;

import java.util.List;
import java.util.Optional;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.openflow.FlowCodec;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.GroupId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.TableId;

/** Translates the engine's rules to ONOS flow rules, and flow entries of switches to rules. */
public final class FlowTranslator {
  /**
   * ONOS requests ARP packets itself, with the same match at the engine's priority: one rule in the
   * switch for two entries in ONOS, which then revert each other for ever. One above is free.
   */
  private static final int ABOVE_ONOS = 1;

  private static final int TABLE = 0;

  /** ONOS puts the application id in the upper bits of the cookie. */
  private static final int APPLICATION_SHIFT = 48;

  private final ApplicationId application;

  public FlowTranslator(ApplicationId application) {
    this.application = application;
  }

  /** The rule as ONOS installs it. */
  public org.onosproject.net.flow.FlowRule toOnos(DeviceId device, FlowRule rule) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .forTable(TABLE)
        .fromApp(application)
        .withPriority(rule.priority() + ABOVE_ONOS)
        .withSelector(selector(rule))
        .withTreatment(treatment(rule))
        .makePermanent()
        .build();
  }

  /**
   * The engine's rule that equals a switch's flow entry, or {@link FlowCodec#changed}. Empty if the
   * entry is not the application's, by its match and priority or, with actions of no rule, by who
   * made it.
   */
  Optional<FlowRule> read(OFFlowStatsEntry entry) {
    boolean ours = entry.getCookie().getValue() >>> APPLICATION_SHIFT == application.id();
    return place(entry.getTableId(), entry.getPriority(), entry.getMatch())
        .flatMap(
            place ->
                read(place, entry.getInstructions())
                    .or(() -> ours ? FlowCodec.changed(place) : Optional.empty()));
  }

  /** The engine's rule that a message adds; empty if it adds another. */
  Optional<FlowRule> read(OFFlowAdd message) {
    return place(message.getTableId(), message.getPriority(), message.getMatch())
        .flatMap(place -> read(place, message.getInstructions()));
  }

  /** ONOS finds links itself, and sends LLDP to the controller by rules of its own. */
  private static Optional<FlowRule> place(TableId table, int priority, Match match) {
    return FlowCodec.place(table, priority - ABOVE_ONOS, match)
        .filter(rule -> rule.match() != FlowRule.Match.LLDP);
  }

  /** A route to a group of another application is not the engine's. */
  private static Optional<FlowRule> read(FlowRule place, List<OFInstruction> instructions) {
    return FlowCodec.read(place, instructions)
        .filter(
            rule ->
                rule.action() != FlowRule.Action.ROUTE_TO_GROUP
                    || GroupTranslator.isOurs(rule.groupId()));
  }

  private static TrafficSelector selector(FlowRule rule) {
    if (rule.match() == FlowRule.Match.ARP) {
      return DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_ARP).build();
    }
    if (rule.match() == FlowRule.Match.ARP_REQUEST) {
      return DefaultTrafficSelector.builder()
          .matchEthType(Ethernet.TYPE_ARP)
          .matchInPort(PortNumber.portNumber(rule.outPort()))
          .matchArpOp(ARP.OP_REQUEST)
          .matchArpSpa(Ip4Address.valueOf(rule.hostAddress()))
          .matchArpSha(MacAddress.valueOf(rule.destinationMac()))
          .matchArpTpa(Ip4Address.valueOf(rule.gatewayAddress()))
          .build();
    }
    Ipv4Prefix prefix = rule.prefix();
    return DefaultTrafficSelector.builder()
        .matchEthType(Ethernet.TYPE_IPV4)
        .matchIPDst(Ip4Prefix.valueOf(prefix.address(), prefix.length()))
        .build();
  }

  private static TrafficTreatment treatment(FlowRule rule) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    switch (rule.action()) {
      case TO_CONTROLLER:
        return treatment.punt().build();
      case ROUTE_TO_GROUP:
        return treatment.decNwTtl().group(GroupId.valueOf(rule.groupId())).build();
      case ROUTE_TO_PORT:
        return treatment.decNwTtl().setOutput(PortNumber.portNumber(rule.outPort())).build();
      case DELIVER:
        return treatment
            .decNwTtl()
            .setEthSrc(MacAddress.valueOf(rule.sourceMac()))
            .setEthDst(MacAddress.valueOf(rule.destinationMac()))
            .setOutput(PortNumber.portNumber(rule.outPort()))
            .build();
      case ANSWER_ARP:
        return arpAnswer(rule);
      default:
        throw new AssertionError(rule.action());
    }
  }

  /** The request is rewritten field by field, and goes out where it came in. */
  private static TrafficTreatment arpAnswer(FlowRule rule) {
    MacAddress gatewayMac = MacAddress.valueOf(rule.sourceMac());
    MacAddress hostMac = MacAddress.valueOf(rule.destinationMac());
    return DefaultTrafficTreatment.builder()
        .setEthSrc(gatewayMac)
        .setEthDst(hostMac)
        .setArpOp(ARP.OP_REPLY)
        .setArpSha(gatewayMac)
        .setArpSpa(Ip4Address.valueOf(rule.gatewayAddress()))
        .setArpTha(hostMac)
        .setArpTpa(Ip4Address.valueOf(rule.hostAddress()))
        .setOutput(PortNumber.IN_PORT)
        .build();
  }
}
