package org.evenweave.openflow;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFValueType;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.U64;

/** Matches of {@link GuardRules} that no rule which forwards resembles. */
final class GuardMatch {
  /** The bit that a multicast address has, and no other does (IEEE 802, section 8.2.2). */
  private static final MacAddress GROUP_BIT = MacAddress.of("01:00:00:00:00:00");

  private static final Set<MatchField<?>> TO_ITSELF =
      Set.of(MatchField.ETH_TYPE, MatchField.IPV4_SRC, MatchField.IPV4_DST);

  /** The bit of the metadata without which a packet is looked up for the first time. */
  private static final OFMetadata MARK = OFMetadata.of(U64.of(FlowRule.ADMITTED_MARK));

  /** Of a rule that checks sources, beside the port and the source. */
  private static final Set<MatchField<?>> FIRST_LOOKUP =
      Set.of(MatchField.ETH_TYPE, MatchField.METADATA);

  /** {@link FlowRule#priority} of the two kinds of such rules. */
  private static final int ADMITTED = GuardRules.admitSource(1, Ipv4Prefix.of(0, 0)).priority();

  private static final int REFUSED = GuardRules.refuseSource(1, Ipv4Prefix.of(0, 0)).priority();

  private GuardMatch() {}

  static Match match(Match.Builder match, FlowRule rule) {
    switch (rule.match()) {
      case VLAN_TAGGED:
        return match
            .setMasked(MatchField.VLAN_VID, OFVlanVidMatch.PRESENT, OFVlanVidMatch.PRESENT)
            .build();
      case MULTICAST_SOURCE:
        return match.setMasked(MatchField.ETH_SRC, GROUP_BIT, GROUP_BIT).build();
      case ADMITTED_SOURCE:
      case REFUSED_SOURCE:
        if (rule.outPort() != FlowRule.ANY_PORT) {
          match.setExact(MatchField.IN_PORT, OFPort.of(rule.outPort()));
        }
        match
            .setMasked(MatchField.METADATA, OFMetadata.of(U64.ZERO), MARK)
            .setExact(MatchField.ETH_TYPE, EthType.IPv4);
        FlowCodec.set(match, MatchField.IPV4_SRC, rule.sourcePrefix());
        return match.build();
      case IPV4_TO_ITSELF:
        IPv4Address host = IPv4Address.of(rule.prefix().address());
        return match
            .setExact(MatchField.ETH_TYPE, EthType.IPv4)
            .setExact(MatchField.IPV4_SRC, host)
            .setExact(MatchField.IPV4_DST, host)
            .build();
      default:
        throw new AssertionError(rule.match());
    }
  }

  /**
   * The rule with this match; empty if none of these has it.
   *
   * @param priority as {@link FlowRule#priority}
   */
  static Optional<FlowRule> place(int priority, Match match) {
    Set<MatchField<?>> fields = new HashSet<>();
    match.getMatchFields().forEach(fields::add);
    if (fields.containsAll(FIRST_LOOKUP)) {
      return placeOfSource(priority, match, fields);
    }
    if (fields.equals(Set.of(MatchField.VLAN_VID))) {
      return isMasked(match, MatchField.VLAN_VID, OFVlanVidMatch.PRESENT)
          ? Optional.of(GuardRules.dropTagged())
          : Optional.empty();
    }
    if (fields.equals(Set.of(MatchField.ETH_SRC))) {
      return isMasked(match, MatchField.ETH_SRC, GROUP_BIT)
          ? Optional.of(GuardRules.dropMulticastSources())
          : Optional.empty();
    }
    return fields.equals(TO_ITSELF) && isToItself(match)
        ? Optional.of(GuardRules.dropToItself(match.get(MatchField.IPV4_DST).getInt()))
        : Optional.empty();
  }

  private static Optional<FlowRule> placeOfSource(
      int priority, Match match, Set<MatchField<?>> fields) {
    fields.remove(MatchField.IPV4_SRC);
    boolean hasPort = fields.remove(MatchField.IN_PORT);
    boolean isOfGuard =
        fields.equals(FIRST_LOOKUP)
            && hasPort == match.isExact(MatchField.IN_PORT)
            && match.isExact(MatchField.ETH_TYPE)
            && match.get(MatchField.ETH_TYPE).equals(EthType.IPv4)
            && match.isPartiallyMasked(MatchField.METADATA)
            && match.getMasked(MatchField.METADATA).getMask().equals(MARK)
            && match.getMasked(MatchField.METADATA).getValue().getValue().equals(U64.ZERO);
    if (!isOfGuard || (priority != ADMITTED && !(hasPort && priority == REFUSED))) {
      return Optional.empty();
    }
    int port = hasPort ? match.get(MatchField.IN_PORT).getPortNumber() : FlowRule.ANY_PORT;
    return FlowCodec.prefix(match, MatchField.IPV4_SRC)
        .map(
            source ->
                priority == ADMITTED
                    ? GuardRules.admitSource(port, source)
                    : GuardRules.refuseSource(port, source));
  }

  /**
   * The stand-in for the actions of a rule that lets packets pass: the mark, and the reserved port
   * TABLE, which no rule may have. Not every openflowj has the action that looks a packet up again
   * (Open vSwitch's resubmit); a runtime exchanges TABLE for it in what it sends and receives.
   */
  static List<OFAction> lookUpAgain(OFFactory of) {
    return List.of(
        of.actions().setField(of.oxms().metadata(MARK)), of.actions().output(OFPort.TABLE, 0));
  }

  /** Whether actions are those. */
  static boolean looksUpAgain(List<OFAction> actions) {
    if (actions.size() != 2
        || !(actions.get(0) instanceof OFActionSetField)
        || !(actions.get(1) instanceof OFActionOutput)) {
      return false;
    }
    OFOxm<?> set = ((OFActionSetField) actions.get(0)).getField();
    return set.getMatchField().equals(MatchField.METADATA)
        && set.getValue().equals(MARK)
        && ((OFActionOutput) actions.get(1)).getPort().equals(OFPort.TABLE);
  }

  private static boolean isToItself(Match match) {
    return TO_ITSELF.stream().allMatch(match::isExact)
        && match.get(MatchField.ETH_TYPE).equals(EthType.IPv4)
        && match.get(MatchField.IPV4_SRC).equals(match.get(MatchField.IPV4_DST));
  }

  /** Whether all that a field has to have are these bits. */
  private static <F extends OFValueType<F>> boolean isMasked(
      Match match, MatchField<F> field, F bits) {
    if (!match.isPartiallyMasked(field)) {
      return false;
    }
    Masked<F> masked = match.getMasked(field);
    return masked.getValue().equals(bits) && masked.getMask().equals(bits);
  }
}
