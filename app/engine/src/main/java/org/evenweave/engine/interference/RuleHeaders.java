package org.evenweave.engine.interference;

import java.util.Map;
import org.evenweave.engine.foreign.ForeignRule;
import org.evenweave.engine.headers.HeaderClass;
import org.evenweave.engine.headers.HeaderField;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** The header classes that the engine's rules match. */
public final class RuleHeaders {
  private static final long ARP_REQUEST = 1;

  /** OFPVID_PRESENT: the frame has a tag. */
  private static final long VLAN_PRESENT = 0x1000;

  /** The bit of a MAC address that makes it one of a group (IEEE 802.3, section 3.2.3). */
  private static final long MAC_GROUP_BIT = 0x01_00_00_00_00_00L;

  /** The least priorities of the engine's rules, by the EtherType that they match. */
  private static final Map<Long, Integer> LEAST_PRIORITY =
      Map.of(
          HeaderField.TYPE_IPV4,
          FlowRule.prefixToController(Ipv4Prefix.of(0, 0)).priority(),
          HeaderField.TYPE_ARP,
          FlowRule.arpToController().priority(),
          HeaderField.TYPE_RARP,
          FlowRule.rarpToController().priority(),
          HeaderField.TYPE_LLDP,
          FlowRule.lldpToController().priority());

  private RuleHeaders() {}

  /**
   * Whether a rule of somebody else may take packets from a rule of the engine's, whatever rules
   * there are. ONOS's own rules may not.
   */
  static boolean mayWin(ForeignRule rule) {
    if (rule.table() != 0) {
      return rule.table() == SwitchRules.SLOTS_TABLE;
    }
    long given = rule.match().mask(HeaderField.ETH_TYPE);
    long value = rule.match().value(HeaderField.ETH_TYPE);
    return LEAST_PRIORITY.entrySet().stream()
        .anyMatch(
            least -> ((least.getKey() ^ value) & given) == 0 && rule.rank() >= least.getValue());
  }

  /** The headers that match a rule of the engine's, as both runtimes write it to switches. */
  public static HeaderClass match(FlowRule rule) {
    switch (rule.match()) {
      case LLDP:
        return ofType(HeaderField.TYPE_LLDP);
      case ARP:
        return ofType(HeaderField.TYPE_ARP);
      case RARP:
        return ofType(HeaderField.TYPE_RARP);
      case ARP_REQUEST:
        return ofType(HeaderField.TYPE_ARP)
            .with(HeaderField.IN_PORT, rule.outPort())
            .with(HeaderField.ARP_OP, ARP_REQUEST)
            .with(HeaderField.ARP_SPA, Integer.toUnsignedLong(rule.hostAddress()))
            .with(HeaderField.ARP_SHA, rule.destinationMac())
            .with(HeaderField.ARP_TPA, Integer.toUnsignedLong(rule.gatewayAddress()));
      case VLAN_TAGGED:
        return HeaderClass.ALL.with(HeaderField.VLAN_VID, VLAN_PRESENT, VLAN_PRESENT);
      case MULTICAST_SOURCE:
        return HeaderClass.ALL.with(HeaderField.ETH_SRC, MAC_GROUP_BIT, MAC_GROUP_BIT);
      case ADMITTED_SOURCE:
      case REFUSED_SOURCE:
        HeaderClass first =
            ofType(HeaderField.TYPE_IPV4).with(HeaderField.METADATA, 0, FlowRule.ADMITTED_MARK);
        return in(
            rule.outPort() == FlowRule.ANY_PORT
                ? first
                : first.with(HeaderField.IN_PORT, rule.outPort()),
            HeaderField.IPV4_SRC,
            rule.sourcePrefix());
      case IPV4_TO_ITSELF:
        return in(
            in(ofType(HeaderField.TYPE_IPV4), HeaderField.IPV4_DST, rule.prefix()),
            HeaderField.IPV4_SRC,
            rule.prefix());
      default:
        return ipv4(rule);
    }
  }

  private static HeaderClass ofType(long type) {
    return HeaderClass.ALL.with(HeaderField.ETH_TYPE, type);
  }

  private static HeaderClass ipv4(FlowRule rule) {
    HeaderClass ip = ofType(HeaderField.TYPE_IPV4);
    if (rule.match() != FlowRule.Match.SUPERSEDED && rule.match() != FlowRule.Match.IPV4_SOURCE) {
      ip = ip.with(HeaderField.ETH_DST, Gateway.MAC);
    }
    if (rule.match() == FlowRule.Match.IPV4_HAIRPIN) {
      ip = ip.with(HeaderField.IN_PORT, rule.outPort());
    }
    if (rule.sourcePrefix() != null) {
      ip = in(ip, HeaderField.IPV4_SRC, rule.sourcePrefix());
    }
    return rule.prefix() == null ? ip : in(ip, HeaderField.IPV4_DST, rule.prefix());
  }

  private static HeaderClass in(HeaderClass headers, int field, Ipv4Prefix prefix) {
    return headers.with(
        field, Integer.toUnsignedLong(prefix.address()), Integer.toUnsignedLong(prefix.mask()));
  }
}
