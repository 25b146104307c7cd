package org.evenweave.openflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFactory;
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

/** Rules by which a switch answers ARP itself ({@link FlowRule#arpReply}). */
final class ArpReply {
  private static final Set<MatchField<?>> FIELDS =
      Set.of(
          MatchField.ETH_TYPE,
          MatchField.IN_PORT,
          MatchField.ARP_OP,
          MatchField.ARP_SPA,
          MatchField.ARP_SHA,
          MatchField.ARP_TPA);

  private ArpReply() {}

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
    actions.add(of.actions().output(OFPort.IN_PORT, 0));
    return actions;
  }

  /** What {@link #actions} set fields to. */
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
        FlowRule.arpReply(
            match.get(MatchField.ARP_TPA).getInt(),
            0,
            match.get(MatchField.ARP_SPA).getInt(),
            match.get(MatchField.ARP_SHA).getLong(),
            match.get(MatchField.IN_PORT).getPortNumber()));
  }

  /** The rule in this place that has these actions; fields may be set in any order. */
  static Optional<FlowRule> read(FlowRule place, List<OFAction> actions) {
    OFAction last = actions.get(actions.size() - 1);
    if (!(last instanceof OFActionOutput)
        || !((OFActionOutput) last).getPort().equals(OFPort.IN_PORT)) {
      return Optional.empty();
    }
    Map<MatchField<?>, Object> set = new HashMap<>();
    for (OFAction action : actions.subList(0, actions.size() - 1)) {
      if (!(action instanceof OFActionSetField)) {
        return Optional.empty();
      }
      OFOxm<?> field = ((OFActionSetField) action).getField();
      set.put(field.getMatchField(), field.getValue());
    }
    Object gatewayMac = set.get(MatchField.ETH_SRC);
    if (!(gatewayMac instanceof MacAddress)) {
      return Optional.empty();
    }
    FlowRule rule =
        FlowRule.arpReply(
            place.gatewayAddress(),
            ((MacAddress) gatewayMac).getLong(),
            place.hostAddress(),
            place.destinationMac(),
            place.outPort());
    return set.equals(reply(rule)) ? Optional.of(rule) : Optional.empty();
  }
}
