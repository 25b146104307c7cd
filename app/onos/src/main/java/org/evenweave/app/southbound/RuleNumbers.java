package org.evenweave.app.southbound;

import java.util.Map;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.GuardRules;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * A rule as numbers, in {@link WireFormat}: what it matches, the action, and of each of these what
 * it has.
 *
 * <pre>
 *   match, action, destination address and length, source address and length, group or port,
 *   source MAC, destination MAC, host address, gateway address
 * </pre>
 */
final class RuleNumbers {
  private static final Map<FlowRule.Match, Integer> MATCHES =
      WireFormat.numbered(
          FlowRule.Match.class,
          Map.ofEntries(
              Map.entry(FlowRule.Match.ARP, 1),
              Map.entry(FlowRule.Match.ARP_REQUEST, 2),
              Map.entry(FlowRule.Match.IPV4_DESTINATION, 3),
              Map.entry(FlowRule.Match.IPV4_PAIR, 4),
              Map.entry(FlowRule.Match.LLDP, 5),
              Map.entry(FlowRule.Match.RARP, 6),
              Map.entry(FlowRule.Match.IPV4_HAIRPIN, 7),
              Map.entry(FlowRule.Match.IPV4_SOURCE, 8),
              Map.entry(FlowRule.Match.IPV4_TO_ITSELF, 9),
              Map.entry(FlowRule.Match.MULTICAST_SOURCE, 10),
              Map.entry(FlowRule.Match.VLAN_TAGGED, 11),
              Map.entry(FlowRule.Match.SUPERSEDED, 12),
              Map.entry(FlowRule.Match.ADMITTED_SOURCE, 13),
              Map.entry(FlowRule.Match.REFUSED_SOURCE, 14)));

  private static final Map<FlowRule.Action, Integer> ACTIONS =
      WireFormat.numbered(
          FlowRule.Action.class,
          Map.of(
              FlowRule.Action.TO_CONTROLLER, 1,
              FlowRule.Action.ROUTE_TO_GROUP, 2,
              FlowRule.Action.ROUTE_TO_PORT, 3,
              FlowRule.Action.DELIVER, 4,
              FlowRule.Action.ANSWER_ARP, 5,
              FlowRule.Action.DELIVER_BACK, 6,
              FlowRule.Action.DROP, 7,
              FlowRule.Action.LOOK_UP_AGAIN, 8));

  private RuleNumbers() {}

  static long[] of(FlowRule rule) {
    return new long[] {
      MATCHES.get(rule.match()),
      ACTIONS.get(rule.action()),
      address(rule.prefix()),
      length(rule.prefix()),
      address(rule.sourcePrefix()),
      length(rule.sourcePrefix()),
      rule.target(),
      rule.sourceMac(),
      rule.destinationMac(),
      rule.hostAddress(),
      rule.gatewayAddress()
    };
  }

  private static long address(Ipv4Prefix prefix) {
    return prefix == null ? 0 : prefix.address();
  }

  private static long length(Ipv4Prefix prefix) {
    return prefix == null ? 0 : prefix.length();
  }

  static FlowRule toRule(long[] numbers) {
    FlowRule.Match match = WireFormat.constant(MATCHES, (int) numbers[0]);
    FlowRule.Action action = WireFormat.constant(ACTIONS, (int) numbers[1]);
    Ipv4Prefix prefix = Ipv4Prefix.of((int) numbers[2], (int) numbers[3]);
    Ipv4Prefix source = Ipv4Prefix.of((int) numbers[4], (int) numbers[5]);
    int target = (int) numbers[6];
    switch (match) {
      case ARP:
        return FlowRule.arpToController();
      case ARP_REQUEST:
        return FlowRule.arpReply(
            (int) numbers[10], numbers[7], (int) numbers[9], numbers[8], target);
      case LLDP:
        return FlowRule.lldpToController();
      case RARP:
        return FlowRule.rarpToController();
      case IPV4_HAIRPIN:
        return FlowRule.hairpin(prefix.address(), target, numbers[7], numbers[8]);
      case IPV4_SOURCE:
        return GuardRules.dropSource(source);
      case ADMITTED_SOURCE:
        return target == FlowRule.ANY_PORT
            ? GuardRules.admitSource(source)
            : GuardRules.admitSource(target, source);
      case REFUSED_SOURCE:
        return GuardRules.refuseSource(target, source);
      case IPV4_TO_ITSELF:
        return GuardRules.dropToItself(prefix.address());
      case MULTICAST_SOURCE:
        return GuardRules.dropMulticastSources();
      case VLAN_TAGGED:
        return GuardRules.dropTagged();
      case IPV4_PAIR:
        return ofPair(action, source, prefix, target);
      case SUPERSEDED:
        return numbers[5] > 0
            ? ofPair(action, source, prefix, target).superseded()
            : toDestination(action, prefix, target, numbers[7], numbers[8]).superseded();
      default:
        return toDestination(action, prefix, target, numbers[7], numbers[8]);
    }
  }

  private static FlowRule ofPair(
      FlowRule.Action action, Ipv4Prefix source, Ipv4Prefix prefix, int target) {
    return action == FlowRule.Action.ROUTE_TO_GROUP
        ? FlowRule.pairToGroup(source, prefix, target)
        : FlowRule.pairToPort(source, prefix, target);
  }

  private static FlowRule toDestination(
      FlowRule.Action action, Ipv4Prefix prefix, int target, long sourceMac, long destinationMac) {
    switch (action) {
      case TO_CONTROLLER:
        return FlowRule.prefixToController(prefix);
      case ROUTE_TO_GROUP:
        return FlowRule.routeToGroup(prefix, target);
      case ROUTE_TO_PORT:
        return FlowRule.routeToPort(prefix, target);
      case DELIVER:
        return FlowRule.deliver(prefix.address(), target, sourceMac, destinationMac);
      default:
        throw new AssertionError(action);
    }
  }
}
