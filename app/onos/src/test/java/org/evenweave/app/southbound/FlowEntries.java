package org.evenweave.app.southbound;

import static org.evenweave.app.southbound.FakeOpenFlow.OF;

import java.util.List;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
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

/** Rules as ONOS puts them into a switch, and as the switch describes them then. */
final class FlowEntries {
  private FlowEntries() {}

  /**
   * @param application in whose name ONOS was asked to
   */
  static OFFlowStatsEntry ofOnos(FlowRule rule, int application) {
    return entry(match(rule), rule.priority() + 1, application, actions(rule));
  }

  static OFFlowStatsEntry entry(
      Match match, int priority, int application, List<OFAction> actions) {
    return OF.buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of((long) application << 48 | 0x1234))
        .setPriority(priority)
        .setMatch(match)
        .setInstructions(List.of(OF.instructions().applyActions(actions)))
        .build();
  }

  /** The message by which ONOS adds a rule. */
  static OFFlowAdd addition(FlowRule rule, long cookie) {
    return OF.buildFlowAdd()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of(cookie))
        .setPriority(rule.priority() + 1)
        .setMatch(match(rule))
        .setInstructions(List.of(OF.instructions().applyActions(actions(rule))))
        .build();
  }

  /** The message by which ONOS removes a rule. */
  static OFFlowMod deletion(FlowRule rule, long cookie) {
    return OF.buildFlowDeleteStrict()
        .setTableId(TableId.ZERO)
        .setCookie(U64.of(cookie))
        .setPriority(rule.priority() + 1)
        .setMatch(match(rule))
        .build();
  }

  static Match match(FlowRule rule) {
    Match.Builder match = OF.buildMatch();
    if (rule.match() == FlowRule.Match.ARP) {
      return match.setExact(MatchField.ETH_TYPE, EthType.ARP).build();
    }
    if (rule.match() == FlowRule.Match.ARP_REQUEST) {
      return match
          .setExact(MatchField.IN_PORT, OFPort.of(rule.outPort()))
          .setExact(MatchField.ETH_TYPE, EthType.ARP)
          .setExact(MatchField.ARP_OP, ArpOpcode.REQUEST)
          .setExact(MatchField.ARP_SPA, IPv4Address.of(rule.hostAddress()))
          .setExact(MatchField.ARP_TPA, IPv4Address.of(rule.gatewayAddress()))
          .setExact(MatchField.ARP_SHA, MacAddress.of(rule.destinationMac()))
          .build();
    }
    match.setExact(MatchField.ETH_TYPE, EthType.IPv4);
    Ipv4Prefix prefix = rule.prefix();
    if (prefix.length() == 32) {
      match.setExact(MatchField.IPV4_DST, IPv4Address.of(prefix.address()));
    } else if (prefix.length() > 0) {
      match.setMasked(
          MatchField.IPV4_DST, IPv4Address.of(prefix.address()).withMaskOfLength(prefix.length()));
    }
    return match.build();
  }

  static List<OFAction> actions(FlowRule rule) {
    OFAction output = OF.actions().output(OFPort.of(rule.outPort()), 0);
    switch (rule.action()) {
      case TO_CONTROLLER:
        return List.of(OF.actions().output(OFPort.CONTROLLER, 0xffff));
      case ROUTE_TO_GROUP:
        return List.of(OF.actions().decNwTtl(), OF.actions().group(OFGroup.of(rule.groupId())));
      case ROUTE_TO_PORT:
        return List.of(OF.actions().decNwTtl(), output);
      case DELIVER:
        return List.of(
            OF.actions().decNwTtl(),
            OF.actions().setField(OF.oxms().ethSrc(MacAddress.of(rule.sourceMac()))),
            OF.actions().setField(OF.oxms().ethDst(MacAddress.of(rule.destinationMac()))),
            output);
      case ANSWER_ARP:
        return List.of(
            OF.actions().setField(OF.oxms().ethSrc(MacAddress.of(rule.sourceMac()))),
            OF.actions().setField(OF.oxms().ethDst(MacAddress.of(rule.destinationMac()))),
            OF.actions().setField(OF.oxms().arpOp(ArpOpcode.REPLY)),
            OF.actions().setField(OF.oxms().arpSha(MacAddress.of(rule.sourceMac()))),
            OF.actions().setField(OF.oxms().arpSpa(IPv4Address.of(rule.gatewayAddress()))),
            OF.actions().setField(OF.oxms().arpTha(MacAddress.of(rule.destinationMac()))),
            OF.actions().setField(OF.oxms().arpTpa(IPv4Address.of(rule.hostAddress()))),
            OF.actions().output(OFPort.IN_PORT, 0));
      default:
        throw new AssertionError(rule.action());
    }
  }
}
