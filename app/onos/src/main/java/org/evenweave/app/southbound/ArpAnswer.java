package org.evenweave.app.southbound;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;

/** Rules by which a switch answers ARP itself ({@link FlowRule#answerArp}). */
final class ArpAnswer {
  private static final Set<MatchField<?>> FIELDS =
      Set.of(
          MatchField.ETH_TYPE,
          MatchField.IN_PORT,
          MatchField.ARP_OP,
          MatchField.ARP_SPA,
          MatchField.ARP_SHA,
          MatchField.ARP_TPA);

  private ArpAnswer() {}

  static TrafficSelector selector(FlowRule rule) {
    return DefaultTrafficSelector.builder()
        .matchEthType(Ethernet.TYPE_ARP)
        .matchInPort(PortNumber.portNumber(rule.outPort()))
        .matchArpOp(ARP.OP_REQUEST)
        .matchArpSpa(Ip4Address.valueOf(rule.hostAddress()))
        .matchArpSha(mac(rule.destinationMac()))
        .matchArpTpa(Ip4Address.valueOf(rule.gatewayAddress()))
        .build();
  }

  /** The request is rewritten field by field, and goes out where it came in. */
  static TrafficTreatment treatment(FlowRule rule) {
    return DefaultTrafficTreatment.builder()
        .setEthSrc(mac(rule.sourceMac()))
        .setEthDst(mac(rule.destinationMac()))
        .setArpOp(ARP.OP_REPLY)
        .setArpSha(mac(rule.sourceMac()))
        .setArpSpa(Ip4Address.valueOf(rule.gatewayAddress()))
        .setArpTha(mac(rule.destinationMac()))
        .setArpTpa(Ip4Address.valueOf(rule.hostAddress()))
        .setOutput(PortNumber.IN_PORT)
        .build();
  }

  /** A rule with this match and no gateway MAC address yet; empty if none has it. */
  static Optional<FlowRule> place(Match match) {
    Set<MatchField<?>> fields = new HashSet<>();
    match.getMatchFields().forEach(fields::add);
    if (!fields.equals(FIELDS)
        || !fields.stream().allMatch(match::isExact)
        || !match.get(MatchField.ETH_TYPE).equals(EthType.ARP)
        || !match.get(MatchField.ARP_OP).equals(ArpOpcode.REQUEST)) {
      return Optional.empty();
    }
    return Optional.of(
        FlowRule.answerArp(
            match.get(MatchField.ARP_TPA).getInt(),
            0,
            match.get(MatchField.ARP_SPA).getInt(),
            match.get(MatchField.ARP_SHA).getLong(),
            match.get(MatchField.IN_PORT).getPortNumber()));
  }

  /** The rule with this match that has these actions; null if none has. */
  static FlowRule withActions(FlowRule place, List<OFAction> actions) {
    OFAction last = actions.get(actions.size() - 1);
    Map<MatchField<?>, Object> found = new HashMap<>();
    for (OFAction action : actions.subList(0, actions.size() - 1)) {
      if (!(action instanceof OFActionSetField)) {
        return null;
      }
      OFOxm<?> field = ((OFActionSetField) action).getField();
      found.put(field.getMatchField(), field.getValue());
    }
    Object gatewayMac = found.get(MatchField.ETH_SRC);
    if (!(gatewayMac instanceof MacAddress)
        || !(last instanceof OFActionOutput)
        || !((OFActionOutput) last).getPort().equals(OFPort.IN_PORT)) {
      return null;
    }
    FlowRule rule =
        FlowRule.answerArp(
            place.gatewayAddress(),
            ((MacAddress) gatewayMac).getLong(),
            place.hostAddress(),
            place.destinationMac(),
            place.outPort());
    return found.equals(reply(rule)) ? rule : null;
  }

  /** What the fields of the reply are set to. */
  private static Map<MatchField<?>, Object> reply(FlowRule rule) {
    MacAddress gatewayMac = MacAddress.of(rule.sourceMac());
    MacAddress hostMac = MacAddress.of(rule.destinationMac());
    return Map.of(
        MatchField.ETH_SRC, gatewayMac,
        MatchField.ETH_DST, hostMac,
        MatchField.ARP_OP, ArpOpcode.REPLY,
        MatchField.ARP_SHA, gatewayMac,
        MatchField.ARP_SPA, IPv4Address.of(rule.gatewayAddress()),
        MatchField.ARP_THA, hostMac,
        MatchField.ARP_TPA, IPv4Address.of(rule.hostAddress()));
  }

  private static org.onlab.packet.MacAddress mac(long mac) {
    return org.onlab.packet.MacAddress.valueOf(mac);
  }
}
