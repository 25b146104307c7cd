package org.evenweave.engine.port;

import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** What identifies a rule within a table, in words; as REST and commands show it. */
final class RuleKey {
  private RuleKey() {}

  static String of(FlowRule rule) {
    switch (rule.match()) {
      case LLDP:
        return "lldp";
      case ARP:
        return "arp";
      case RARP:
        return "rarp";
      case VLAN_TAGGED:
        return "vlan tag";
      case MULTICAST_SOURCE:
        return "multicast source";
      case ARP_REQUEST:
        return "arp "
            + Ipv4Prefix.format(rule.gatewayAddress())
            + " from "
            + Ipv4Prefix.format(rule.hostAddress())
            + " "
            + Long.toHexString(rule.destinationMac())
            + " port "
            + rule.outPort();
      case IPV4_SOURCE:
        return "any from " + rule.sourcePrefix();
      case ADMITTED_SOURCE:
        String port = rule.outPort() == FlowRule.ANY_PORT ? "any port" : "port " + rule.outPort();
        return port + " admits " + rule.sourcePrefix();
      case REFUSED_SOURCE:
        return "port " + rule.outPort() + " refuses " + rule.sourcePrefix();
      case IPV4_TO_ITSELF:
        return rule.prefix() + " from itself";
      case IPV4_HAIRPIN:
        return rule.prefix() + " from port " + rule.outPort();
      case IPV4_PAIR:
        return rule.prefix() + " from " + rule.sourcePrefix();
      case SUPERSEDED:
        String source = rule.sourcePrefix() == null ? "" : " from " + rule.sourcePrefix();
        return rule.prefix() + source + " to any mac";
      default:
        return rule.prefix().toString();
    }
  }
}
