package org.evenweave.app.southbound;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Prefix;
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
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionDecNwTtl;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFPort;
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

  /** A port number no port has (OpenFlow counts from 1). */
  private static final int NO_PORT = 0;

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
   * The engine's rule that equals a switch's flow entry. An entry with the match of a rule and
   * other actions (someone changed it) becomes a route to a port that does not exist, which equals
   * no rule of a plan, so that an audit replaces it. Empty if the entry is not the application's,
   * by its match and priority or, with actions of no rule, by who made it.
   */
  Optional<FlowRule> read(OFFlowStatsEntry entry) {
    Optional<FlowRule> place = place(entry.getTableId(), entry.getPriority(), entry.getMatch());
    if (place.isEmpty()) {
      return Optional.empty();
    }
    FlowRule rule = withActions(place.get(), actions(entry.getInstructions()));
    boolean ours = entry.getCookie().getValue() >>> APPLICATION_SHIFT == application.id();
    if (rule == null && ours && place.get().prefix() != null) {
      rule = FlowRule.routeToPort(place.get().prefix(), NO_PORT);
    }
    return Optional.ofNullable(rule);
  }

  /** The engine's rule that a message adds; empty if it adds another. */
  Optional<FlowRule> read(OFFlowAdd message) {
    return place(message.getTableId(), message.getPriority(), message.getMatch())
        .map(place -> withActions(place, actions(message.getInstructions())));
  }

  private static TrafficSelector selector(FlowRule rule) {
    if (rule.match() == FlowRule.Match.ARP) {
      return DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_ARP).build();
    }
    if (rule.match() == FlowRule.Match.ARP_REQUEST) {
      return ArpAnswer.selector(rule);
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
            .setEthSrc(org.onlab.packet.MacAddress.valueOf(rule.sourceMac()))
            .setEthDst(org.onlab.packet.MacAddress.valueOf(rule.destinationMac()))
            .setOutput(PortNumber.portNumber(rule.outPort()))
            .build();
      case ANSWER_ARP:
        return ArpAnswer.treatment(rule);
      default:
        throw new AssertionError(rule.action());
    }
  }

  /** Any rule with this match and priority; empty if there is none. */
  private static Optional<FlowRule> place(TableId table, int priority, Match match) {
    return place(match)
        .filter(rule -> table.equals(TableId.ZERO) && priority == rule.priority() + ABOVE_ONOS);
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

  /** The rule with this match that has these actions; null if none has. */
  private static FlowRule withActions(FlowRule place, List<OFAction> actions) {
    if (actions.isEmpty()) {
      return null;
    }
    if (place.action() == FlowRule.Action.ANSWER_ARP) {
      return ArpAnswer.withActions(place, actions);
    }
    OFAction last = actions.get(actions.size() - 1);
    boolean output = last instanceof OFActionOutput;
    if (actions.size() == 1 && output) {
      return ((OFActionOutput) last).getPort().equals(OFPort.CONTROLLER) ? place : null;
    }
    Ipv4Prefix prefix = place.prefix();
    if (prefix == null || !(actions.get(0) instanceof OFActionDecNwTtl)) {
      return null;
    }
    if (actions.size() == 2 && last instanceof OFActionGroup) {
      int groupId = ((OFActionGroup) last).getGroup().getGroupNumber();
      return GroupIdRange.contains(groupId) ? FlowRule.routeToGroup(prefix, groupId) : null;
    }
    if (!output) {
      return null;
    }
    int port = ((OFActionOutput) last).getPort().getPortNumber();
    if (actions.size() == 2) {
      return FlowRule.routeToPort(prefix, port);
    }
    OptionalLong source = macSet(actions.get(1), MatchField.ETH_SRC);
    OptionalLong destination = macSet(actions.get(2), MatchField.ETH_DST);
    return actions.size() == 4
            && prefix.length() == 32
            && source.isPresent()
            && destination.isPresent()
        ? FlowRule.deliver(prefix.address(), port, source.getAsLong(), destination.getAsLong())
        : null;
  }

  private static OptionalLong macSet(OFAction action, MatchField<MacAddress> field) {
    if (!(action instanceof OFActionSetField)) {
      return OptionalLong.empty();
    }
    OFOxm<?> set = ((OFActionSetField) action).getField();
    return set.getMatchField().equals(field)
        ? OptionalLong.of(((MacAddress) set.getValue()).getLong())
        : OptionalLong.empty();
  }
}
