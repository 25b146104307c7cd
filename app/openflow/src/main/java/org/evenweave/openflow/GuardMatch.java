package org.evenweave.openflow;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.Masked;
import org.projectfloodlight.openflow.types.OFValueType;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;

/** Matches of {@link GuardRules} that no rule which forwards resembles. */
final class GuardMatch {
  /** The bit that a multicast address has, and no other does (IEEE 802, section 8.2.2). */
  private static final MacAddress GROUP_BIT = MacAddress.of("01:00:00:00:00:00");

  private static final Set<MatchField<?>> TO_ITSELF =
      Set.of(MatchField.ETH_TYPE, MatchField.IPV4_SRC, MatchField.IPV4_DST);

  private GuardMatch() {}

  static Match match(Match.Builder match, FlowRule rule) {
    switch (rule.match()) {
      case VLAN_TAGGED:
        return match
            .setMasked(MatchField.VLAN_VID, OFVlanVidMatch.PRESENT, OFVlanVidMatch.PRESENT)
            .build();
      case MULTICAST_SOURCE:
        return match.setMasked(MatchField.ETH_SRC, GROUP_BIT, GROUP_BIT).build();
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

  /** The rule with this match; empty if none of these has it. */
  static Optional<FlowRule> place(Match match) {
    Set<MatchField<?>> fields = new HashSet<>();
    match.getMatchFields().forEach(fields::add);
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
