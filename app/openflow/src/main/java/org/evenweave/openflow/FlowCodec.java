package org.evenweave.openflow;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.engine.port.RuleCount;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.projectfloodlight.openflow.protocol.OFFactory;
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
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;

/**
 * {@link FlowRule}s as matches and instructions of flow entries in table 0, and back.
 *
 * <p>An entry is read in two steps: {@link #place}, by its match and priority, and {@link #read},
 * by its instructions. The second is strict: an entry counts as a rule only if its actions have the
 * same effect as the rule's own. (The bytes of a packet that an output action sends, {@code
 * max_len}, have an effect at the controller's port only.) A rule whose actions somebody else
 * changed can be shown as {@link #changed}.
 */
public final class FlowCodec {
  /** A port number no port has: OpenFlow counts from 1. */
  public static final int NO_PORT = 0;

  private static final MacAddress GATEWAY_MAC = MacAddress.of(Gateway.MAC);

  /** Of a prefix that is one host. */
  private static final int HOST_LENGTH = 32;

  /** Makes a switch send the whole packet instead of a buffer id; OFPCML_NO_BUFFER. */
  private static final int WHOLE_PACKET = 0xffff;

  private FlowCodec() {}

  /** The match of a rule. */
  public static Match match(OFFactory of, FlowRule rule) {
    Match.Builder match = of.buildMatch();
    switch (rule.match()) {
      case LLDP:
        return match.setExact(MatchField.ETH_TYPE, EthType.LLDP).build();
      case ARP:
        return match.setExact(MatchField.ETH_TYPE, EthType.ARP).build();
      case RARP:
        return match.setExact(MatchField.ETH_TYPE, EthType.REV_ARP).build();
      case ARP_REQUEST:
        return ArpReply.match(match, rule);
      case VLAN_TAGGED:
      case MULTICAST_SOURCE:
      case IPV4_TO_ITSELF:
      case ADMITTED_SOURCE:
      case REFUSED_SOURCE:
        return GuardMatch.match(match, rule);
      default:
        return ipv4(match, rule);
    }
  }

  private static Match ipv4(Match.Builder match, FlowRule rule) {
    match.setExact(MatchField.ETH_TYPE, EthType.IPv4);
    if (rule.match() != FlowRule.Match.SUPERSEDED && rule.match() != FlowRule.Match.IPV4_SOURCE) {
      match.setExact(MatchField.ETH_DST, GATEWAY_MAC);
    }
    if (rule.match() == FlowRule.Match.IPV4_HAIRPIN) {
      match.setExact(MatchField.IN_PORT, OFPort.of(rule.outPort()));
    }
    if (rule.sourcePrefix() != null) {
      set(match, MatchField.IPV4_SRC, rule.sourcePrefix());
    }
    if (rule.prefix() != null) {
      set(match, MatchField.IPV4_DST, rule.prefix());
    }
    return match.build();
  }

  static void set(Match.Builder match, MatchField<IPv4Address> field, Ipv4Prefix prefix) {
    IPv4Address address = IPv4Address.of(prefix.address());
    if (prefix.length() == HOST_LENGTH) {
      match.setExact(field, address);
    } else if (prefix.length() > 0) {
      match.setMasked(field, address.withMaskOfLength(prefix.length()));
    }
  }

  /** The instructions of a rule: to apply its actions; none to drop. */
  public static List<OFInstruction> instructions(OFFactory of, FlowRule rule) {
    if (rule.action() == FlowRule.Action.DROP) {
      return List.of();
    }
    return List.of(of.instructions().applyActions(actions(of, rule)));
  }

  private static List<OFAction> actions(OFFactory of, FlowRule rule) {
    switch (rule.action()) {
      case TO_CONTROLLER:
        return List.of(of.actions().output(OFPort.CONTROLLER, WHOLE_PACKET));
      case ROUTE_TO_GROUP:
        return List.of(of.actions().decNwTtl(), of.actions().group(OFGroup.of(rule.groupId())));
      case ROUTE_TO_PORT:
        return List.of(of.actions().decNwTtl(), of.actions().output(OFPort.of(rule.outPort()), 0));
      case DELIVER:
        return deliver(of, rule, OFPort.of(rule.outPort()));
      case DELIVER_BACK:
        return deliver(of, rule, OFPort.IN_PORT);
      case ANSWER_ARP:
        return ArpReply.actions(of, rule);
      case LOOK_UP_AGAIN:
        return GuardMatch.lookUpAgain(of);
      default:
        throw new AssertionError(rule.action());
    }
  }

  private static List<OFAction> deliver(OFFactory of, FlowRule rule, OFPort port) {
    return List.of(
        of.actions().decNwTtl(),
        of.actions().setField(of.oxms().ethSrc(MacAddress.of(rule.sourceMac()))),
        of.actions().setField(of.oxms().ethDst(MacAddress.of(rule.destinationMac()))),
        of.actions().output(port, 0));
  }

  /**
   * Any rule with this match and priority, to be given to {@link #read}; empty if there is none.
   *
   * @param priority as {@link FlowRule#priority}
   */
  public static Optional<FlowRule> place(TableId table, int priority, Match match) {
    return place(priority, match)
        .filter(rule -> table.equals(TableId.ZERO) && priority == rule.priority());
  }

  private static Optional<FlowRule> place(int priority, Match match) {
    return ArpReply.place(match)
        .or(() -> GuardMatch.place(priority, match))
        .or(() -> placeByType(match));
  }

  private static Optional<FlowRule> placeByType(Match match) {
    Set<MatchField<?>> fields = new HashSet<>();
    match.getMatchFields().forEach(fields::add);
    if (!fields.remove(MatchField.ETH_TYPE) || !match.isExact(MatchField.ETH_TYPE)) {
      return Optional.empty();
    }
    EthType type = match.get(MatchField.ETH_TYPE);
    if (type.equals(EthType.IPv4)) {
      return placeOfIpv4(match, fields);
    }
    if (!fields.isEmpty()) {
      return Optional.empty();
    }
    if (type.equals(EthType.LLDP)) {
      return Optional.of(FlowRule.lldpToController());
    }
    if (type.equals(EthType.REV_ARP)) {
      return Optional.of(FlowRule.rarpToController());
    }
    return type.equals(EthType.ARP) ? Optional.of(FlowRule.arpToController()) : Optional.empty();
  }

  /**
   * @param fields of the match, without the type
   */
  private static Optional<FlowRule> placeOfIpv4(Match match, Set<MatchField<?>> fields) {
    boolean toGateway = fields.remove(MatchField.ETH_DST);
    boolean source = fields.remove(MatchField.IPV4_SRC);
    boolean destination = fields.remove(MatchField.IPV4_DST);
    boolean port = fields.remove(MatchField.IN_PORT);
    if (!fields.isEmpty() || (toGateway && !isToGateway(match))) {
      return Optional.empty();
    }
    Optional<Ipv4Prefix> from = prefix(match, MatchField.IPV4_SRC);
    Optional<Ipv4Prefix> to = prefix(match, MatchField.IPV4_DST);
    if (port) {
      return toGateway && !source && match.isExact(MatchField.IN_PORT)
          ? to.filter(host -> host.length() == HOST_LENGTH)
              .map(host -> hairpin(host, match.get(MatchField.IN_PORT)))
          : Optional.empty();
    }
    if (source && !destination && !toGateway) {
      return from.map(GuardRules::dropSource);
    }
    Optional<FlowRule> rule =
        source
            ? to.flatMap(prefix -> from.map(of -> FlowRule.pairToPort(of, prefix, NO_PORT)))
            : to.map(FlowRule::prefixToController);
    return toGateway ? rule : rule.map(FlowRule::superseded);
  }

  private static boolean isToGateway(Match match) {
    return match.isExact(MatchField.ETH_DST) && match.get(MatchField.ETH_DST).equals(GATEWAY_MAC);
  }

  private static FlowRule hairpin(Ipv4Prefix host, OFPort port) {
    return FlowRule.hairpin(host.address(), port.getPortNumber(), 0, 0);
  }

  /** The prefix that a field has to be in; empty if its mask is not one of a prefix. */
  static Optional<Ipv4Prefix> prefix(Match match, MatchField<IPv4Address> field) {
    int address = 0;
    int mask = 0;
    if (match.isExact(field)) {
      address = match.get(field).getInt();
      mask = -1;
    } else if (match.isPartiallyMasked(field)) {
      Masked<IPv4Address> masked = match.getMasked(field);
      address = masked.getValue().getInt();
      mask = masked.getMask().getInt();
    }
    int length = Integer.bitCount(mask);
    boolean contiguous = mask == (length == 0 ? 0 : -1 << (32 - length));
    return contiguous && (address & ~mask) == 0
        ? Optional.of(Ipv4Prefix.of(address, length))
        : Optional.empty();
  }

  /**
   * The rule that an entry is; empty if its actions are of no rule in this place.
   *
   * @param place any rule with the entry's match and priority
   */
  public static Optional<FlowRule> read(FlowRule place, List<OFInstruction> instructions) {
    if (place.action() == FlowRule.Action.DROP) {
      return instructions.isEmpty() ? Optional.of(place) : Optional.empty();
    }
    if (place.match() == FlowRule.Match.SUPERSEDED) {
      return read(current(place), instructions).map(FlowRule::superseded);
    }
    if (instructions.size() != 1 || !(instructions.get(0) instanceof OFInstructionApplyActions)) {
      return Optional.empty();
    }
    List<OFAction> actions = ((OFInstructionApplyActions) instructions.get(0)).getActions();
    if (actions.isEmpty()) {
      return Optional.empty();
    }
    if (place.action() == FlowRule.Action.LOOK_UP_AGAIN) {
      return GuardMatch.looksUpAgain(actions) ? Optional.of(place) : Optional.empty();
    }
    if (place.action() == FlowRule.Action.ANSWER_ARP) {
      return ArpReply.read(place, actions);
    }
    if (actions.size() == 1) {
      boolean mayAsk = place.action() == FlowRule.Action.TO_CONTROLLER;
      return mayAsk && isToController(actions.get(0)) ? Optional.of(place) : Optional.empty();
    }
    return place.prefix() != null && actions.get(0) instanceof OFActionDecNwTtl
        ? routed(place, actions.subList(1, actions.size()))
        : Optional.empty();
  }

  /**
   * An entry with other actions than any rule's, as a route to {@link #NO_PORT}: that equals no
   * rule of a plan, so that an audit replaces it. Empty if no route can be in this place; the rule
   * is then missing.
   */
  public static Optional<FlowRule> changed(FlowRule place) {
    if (place.match() == FlowRule.Match.SUPERSEDED) {
      return Optional.of(place);
    }
    boolean mayRoute = place.match() == FlowRule.Match.IPV4_DESTINATION || place.isOfPair();
    return mayRoute ? Optional.of(place.toPort(NO_PORT)) : Optional.empty();
  }

  /** The rule that has replaced one of an earlier release. */
  private static FlowRule current(FlowRule superseded) {
    return superseded.sourcePrefix() == null
        ? FlowRule.prefixToController(superseded.prefix())
        : FlowRule.pairToPort(superseded.sourcePrefix(), superseded.prefix(), NO_PORT);
  }

  private static boolean isToController(OFAction action) {
    return action instanceof OFActionOutput
        && ((OFActionOutput) action).getPort().equals(OFPort.CONTROLLER)
        && ((OFActionOutput) action).getMaxLen() == WHOLE_PACKET;
  }

  /**
   * @param actions after the decrement of the TTL
   */
  private static Optional<FlowRule> routed(FlowRule place, List<OFAction> actions) {
    OFAction last = actions.get(actions.size() - 1);
    boolean mayRoute = place.match() != FlowRule.Match.IPV4_HAIRPIN;
    if (actions.size() == 1 && last instanceof OFActionGroup && mayRoute) {
      int groupId = ((OFActionGroup) last).getGroup().getGroupNumber();
      return Optional.of(place.toGroup(groupId));
    }
    if (!(last instanceof OFActionOutput)) {
      return Optional.empty();
    }
    OFPort port = ((OFActionOutput) last).getPort();
    if (actions.size() == 1 && !port.equals(OFPort.CONTROLLER) && mayRoute) {
      return Optional.of(place.toPort(port.getPortNumber()));
    }
    if (actions.size() != 3 || place.isOfPair() || place.prefix().length() != HOST_LENGTH) {
      return Optional.empty();
    }
    OptionalLong source = macSet(actions.get(0), MatchField.ETH_SRC);
    OptionalLong destination = macSet(actions.get(1), MatchField.ETH_DST);
    return source.isPresent() && destination.isPresent()
        ? delivered(place, port, source.getAsLong(), destination.getAsLong())
        : Optional.empty();
  }

  private static Optional<FlowRule> delivered(
      FlowRule place, OFPort port, long sourceMac, long destinationMac) {
    int host = place.prefix().address();
    if (place.match() != FlowRule.Match.IPV4_HAIRPIN) {
      return Optional.of(FlowRule.deliver(host, port.getPortNumber(), sourceMac, destinationMac));
    }
    return port.equals(OFPort.IN_PORT)
        ? Optional.of(FlowRule.hairpin(host, place.outPort(), sourceMac, destinationMac))
        : Optional.empty();
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

  /** What a rule's entry has counted. */
  public static RuleCount count(FlowRule rule, OFFlowStatsEntry entry) {
    long ageNanos = TimeUnit.SECONDS.toNanos(entry.getDurationSec()) + entry.getDurationNsec();
    return new RuleCount(
        rule.sourcePrefix(), rule.prefix(), entry.getByteCount().getValue(), ageNanos);
  }
}
