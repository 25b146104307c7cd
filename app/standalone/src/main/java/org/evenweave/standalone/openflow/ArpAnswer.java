package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;

/** Rules by which a switch answers ARP itself ({@link FlowRule#answerArp}), in OpenFlow 1.3. */
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

  static Match match(Match.Builder match, FlowRule rule) {
    return match
        .setExact(MatchField.ETH_TYPE, EthType.ARP)
        .setExact(MatchField.IN_PORT, OFPort.of(rule.outPort()))
        .setExact(MatchField.ARP_OP, ArpOpcode.REQUEST)
        .setExact(MatchField.ARP_SPA, IPv4Address.of(rule.hostAddress()))
        .setExact(MatchField.ARP_SHA, MacAddress.of(rule.destinationMac()))
        .setExact(MatchField.ARP_TPA, IPv4Address.of(rule.gatewayAddress()))
        .build();
  }

  /** The request is rewritten field by field, and goes out where it came in. */
  static List<OFAction> actions(OFFactory of, FlowRule rule) {
    MacAddress gatewayMac = MacAddress.of(rule.sourceMac());
    MacAddress hostMac = MacAddress.of(rule.destinationMac());
    List<OFOxm<?>> fields =
        List.of(
            of.oxms().ethSrc(gatewayMac),
            of.oxms().ethDst(hostMac),
            of.oxms().arpOp(ArpOpcode.REPLY),
            of.oxms().arpSha(gatewayMac),
            of.oxms().arpSpa(IPv4Address.of(rule.gatewayAddress())),
            of.oxms().arpTha(hostMac),
            of.oxms().arpTpa(IPv4Address.of(rule.hostAddress())));
    List<OFAction> actions = new ArrayList<>();
    fields.forEach(field -> actions.add(of.actions().setField(field)));
    actions.add(of.actions().buildOutput().setPort(OFPort.IN_PORT).setMaxLen(0).build());
    return actions;
  }

  /** A rule with this match, of some gateway's MAC address; empty if none has it. */
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

  /**
   * The only rule in this place that may have these actions, judged by the first one; null if there
   * is none. The caller checks the others.
   */
  static FlowRule withActions(FlowRule place, List<OFAction> actions) {
    if (!(actions.get(0) instanceof OFActionSetField)) {
      return null;
    }
    Object value = ((OFActionSetField) actions.get(0)).getField().getValue();
    return value instanceof MacAddress
        ? FlowRule.answerArp(
            place.gatewayAddress(),
            ((MacAddress) value).getLong(),
            place.hostAddress(),
            place.destinationMac(),
            place.outPort())
        : null;
  }
}
