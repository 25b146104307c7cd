package org.evenweave.standalone.openflow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/**
 * {@link FlowRule}s as OpenFlow 1.3 table entries of table 0, and back.
 *
 * <p>Reading back is strict: an entry counts as a rule only if that rule, written again, gives the
 * very same instructions. An entry in the place of a rule whose actions are not any rule's (someone
 * changed it) is shown as a route to {@link #NO_PORT}, which equals nothing that was ever wanted,
 * so that an audit finds the drift and replaces it.
 */
final class FlowCodec {
  /** A port number that no port has (OpenFlow counts from 1). */
  static final int NO_PORT = 0;

  /** Asks a switch for the whole packet instead of a buffer id; OFPCML_NO_BUFFER. */
  private static final int WHOLE_PACKET = 0xffff;

  private static final OFFactory OF = OpenFlow13.FACTORY;

  private FlowCodec() {}

  /**
   * Adds the rule, or replaces the entry with the same match and priority. The switch reports its
   * removal by anyone.
   */
  static OFFlowAdd add(FlowRule rule, long xid) {
    return OF.buildFlowAdd()
        .setXid(xid)
        .setCookie(OpenFlow13.ENGINE_COOKIE)
        .setTableId(TableId.ZERO)
        .setFlags(Set.of(OFFlowModFlags.SEND_FLOW_REM))
        .setPriority(rule.priority())
        .setMatch(match(rule))
        .setInstructions(instructions(rule))
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /** Removes the entry with the rule's match and priority, if it is the engine's. */
  static OFFlowDeleteStrict delete(FlowRule rule, long xid) {
    return OF.buildFlowDeleteStrict()
        .setXid(xid)
        .setCookie(OpenFlow13.ENGINE_COOKIE)
        .setCookieMask(OpenFlow13.EXACT_COOKIE)
        .setTableId(TableId.ZERO)
        .setPriority(rule.priority())
        .setMatch(match(rule))
        .setOutPort(OFPort.ANY)
        .setOutGroup(OFGroup.ANY)
        .setBufferId(OFBufferId.NO_BUFFER)
        .build();
  }

  /**
   * A rule in the place of the entry that was removed, whatever its actions were; empty if the
   * entry was not the engine's.
   */
  static Optional<FlowRule> read(OFFlowRemoved removed) {
    return removed.getCookie().equals(OpenFlow13.ENGINE_COOKIE)
        ? place(removed.getMatch()).filter(rule -> rule.priority() == removed.getPriority())
        : Optional.empty();
  }

  /**
   * The rule an entry holds; a route to {@link #NO_PORT} if its actions are no rule's; empty if the
   * entry cannot be named by a rule, because its table, match or priority is not any rule's or
   * because it is an ARP or LLDP entry with foreign actions.
   */
  static Optional<FlowRule> read(OFFlowStatsEntry entry) {
    Optional<FlowRule> place = place(entry.getMatch());
    if (!entry.getTableId().equals(TableId.ZERO)
        || place.isEmpty()
        || place.get().priority() != entry.getPriority()) {
      return Optional.empty();
    }
    FlowRule rule = withActions(place.get(), actions(entry.getInstructions()));
    if (rule != null && instructions(rule).equals(entry.getInstructions())) {
      return Optional.of(rule);
    }
    return place.get().prefix() == null
        ? Optional.empty()
        : Optional.of(FlowRule.routeToPort(place.get().prefix(), NO_PORT));
  }

  private static Match match(FlowRule rule) {
    Match.Builder match = OF.buildMatch();
    if (rule.match() == FlowRule.Match.LLDP) {
      return match.setExact(MatchField.ETH_TYPE, EthType.LLDP).build();
    }
    if (rule.match() == FlowRule.Match.ARP) {
      return match.setExact(MatchField.ETH_TYPE, EthType.ARP).build();
    }
    if (rule.match() == FlowRule.Match.ARP_REQUEST) {
      return ArpAnswer.match(match, rule);
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

  private static List<OFInstruction> instructions(FlowRule rule) {
    switch (rule.action()) {
      case TO_CONTROLLER:
        return apply(List.of(output(OFPort.CONTROLLER, WHOLE_PACKET)));
      case ROUTE_TO_GROUP:
        return apply(
            List.of(OF.actions().decNwTtl(), OF.actions().group(OFGroup.of(rule.groupId()))));
      case ROUTE_TO_PORT:
        return apply(List.of(OF.actions().decNwTtl(), output(OFPort.of(rule.outPort()), 0)));
      case DELIVER:
        return apply(
            List.of(
                OF.actions().decNwTtl(),
                OF.actions().setField(OF.oxms().ethSrc(MacAddress.of(rule.sourceMac()))),
                OF.actions().setField(OF.oxms().ethDst(MacAddress.of(rule.destinationMac()))),
                output(OFPort.of(rule.outPort()), 0)));
      case ANSWER_ARP:
        return apply(ArpAnswer.actions(OF, rule));
      default:
        throw new AssertionError(rule.action());
    }
  }

  private static List<OFInstruction> apply(List<OFAction> actions) {
    return List.of(OF.instructions().applyActions(actions));
  }

  private static OFAction output(OFPort port, int maxLen) {
    return OF.actions().buildOutput().setPort(port).setMaxLen(maxLen).build();
  }

  /** Any rule with this match; empty if no rule has it. */
  private static Optional<FlowRule> place(Match match) {
    Optional<FlowRule> answer = ArpAnswer.place(match);
    if (answer.isPresent()) {
      return answer;
    }
    Set<String> fields = new HashSet<>();
    match.getMatchFields().forEach(field -> fields.add(field.getName()));
    boolean exactType = fields.remove(MatchField.ETH_TYPE.getName());
    boolean destination = fields.remove(MatchField.IPV4_DST.getName());
    if (!exactType || !fields.isEmpty()) {
      return Optional.empty();
    }
    EthType type = match.get(MatchField.ETH_TYPE);
    if (type.equals(EthType.LLDP) && !destination) {
      return Optional.of(FlowRule.lldpToController());
    }
    if (type.equals(EthType.ARP) && !destination) {
      return Optional.of(FlowRule.arpToController());
    }
    if (!type.equals(EthType.IPv4)) {
      return Optional.empty();
    }
    int address = 0;
    int mask = 0;
    if (destination && match.isExact(MatchField.IPV4_DST)) {
      address = match.get(MatchField.IPV4_DST).getInt();
      mask = -1;
    } else if (destination) {
      Masked<IPv4Address> masked = match.getMasked(MatchField.IPV4_DST);
      address = masked.getValue().getInt();
      mask = masked.getMask().getInt();
    }
    int length = Integer.bitCount(mask);
    boolean contiguous = mask == (length == 0 ? 0 : -1 << (32 - length));
    if (!contiguous || (address & ~mask) != 0) {
      return Optional.empty();
    }
    return Optional.of(FlowRule.prefixToController(Ipv4Prefix.of(address, length)));
  }

  private static List<OFAction> actions(List<OFInstruction> instructions) {
    return instructions.size() == 1 && instructions.get(0) instanceof OFInstructionApplyActions
        ? ((OFInstructionApplyActions) instructions.get(0)).getActions()
        : List.of();
  }

  /**
   * The only rule in this place that may have these actions, judged by the last one; null if there
   * is none. The caller checks the others.
   */
  private static FlowRule withActions(FlowRule place, List<OFAction> actions) {
    if (actions.isEmpty()) {
      return null;
    }
    if (place.action() == FlowRule.Action.ANSWER_ARP) {
      return ArpAnswer.withActions(place, actions);
    }
    OFAction last = actions.get(actions.size() - 1);
    Ipv4Prefix prefix = place.prefix();
    if (last instanceof OFActionOutput) {
      OFPort port = ((OFActionOutput) last).getPort();
      if (port.equals(OFPort.CONTROLLER)) {
        return place;
      }
      if (prefix == null) {
        return null;
      }
      return actions.size() == 4
          ? delivery(prefix, port.getPortNumber(), actions)
          : FlowRule.routeToPort(prefix, port.getPortNumber());
    }
    return last instanceof OFActionGroup && prefix != null
        ? FlowRule.routeToGroup(prefix, ((OFActionGroup) last).getGroup().getGroupNumber())
        : null;
  }

  private static FlowRule delivery(Ipv4Prefix prefix, int port, List<OFAction> actions) {
    List<Long> macs = new ArrayList<>();
    for (OFAction action : actions.subList(1, 3)) {
      if (!(action instanceof OFActionSetField)) {
        return null;
      }
      Object value = ((OFActionSetField) action).getField().getValue();
      if (!(value instanceof MacAddress)) {
        return null;
      }
      macs.add(((MacAddress) value).getLong());
    }
    return prefix.length() == 32
        ? FlowRule.deliver(prefix.address(), port, macs.get(0), macs.get(1))
        : null;
  }
}
