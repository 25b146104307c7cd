package org.evenweave.engine.port;

import java.util.Objects;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * One entry of a switch's flow table, of the few kinds a routed fabric needs. A rule is identified
 * by what it matches ({@link #key}); two rules with the same key cannot be in one table.
 */
public final class FlowRule {
  /** What a packet must be for the rule to match it. */
  public enum Match {
    /** Any ARP packet. */
    ARP,
    /** An IPv4 packet whose destination lies in {@link FlowRule#prefix}. */
    IPV4_DESTINATION
  }

  /** What happens to a packet that matched. */
  public enum Action {
    /** Sent to the controller. */
    TO_CONTROLLER,
    /** TTL decremented, then given to the group {@link FlowRule#groupId}. */
    ROUTE_TO_GROUP,
    /** TTL decremented, then sent out of {@link FlowRule#outPort}. */
    ROUTE_TO_PORT,
    /**
     * TTL decremented, Ethernet source and destination rewritten to {@link FlowRule#sourceMac} and
     * {@link FlowRule#destinationMac}, then sent out of {@link FlowRule#outPort}: the last hop.
     */
    DELIVER
  }

  private static final int ARP_PRIORITY = 40_000;
  private static final int PREFIX_PRIORITY = 10_000;

  private final Match match;
  private final Ipv4Prefix prefix;
  private final Action action;
  private final int target;
  private final long sourceMac;
  private final long destinationMac;
  private final String key;

  private FlowRule(
      Match match,
      Ipv4Prefix prefix,
      Action action,
      int target,
      long sourceMac,
      long destinationMac) {
    this.match = match;
    this.prefix = prefix;
    this.action = action;
    this.target = target;
    this.sourceMac = sourceMac;
    this.destinationMac = destinationMac;
    key = match == Match.ARP ? "arp" : prefix.toString();
  }

  /** ARP goes to the controller, which answers for the gateways. */
  public static FlowRule arpToController() {
    return new FlowRule(Match.ARP, null, Action.TO_CONTROLLER, 0, 0, 0);
  }

  /** Packets of a switch's own prefix whose host is not known yet go to the controller. */
  public static FlowRule prefixToController(Ipv4Prefix prefix) {
    return new FlowRule(Match.IPV4_DESTINATION, prefix, Action.TO_CONTROLLER, 0, 0, 0);
  }

  public static FlowRule routeToGroup(Ipv4Prefix prefix, int groupId) {
    return new FlowRule(Match.IPV4_DESTINATION, prefix, Action.ROUTE_TO_GROUP, groupId, 0, 0);
  }

  public static FlowRule routeToPort(Ipv4Prefix prefix, int outPort) {
    return new FlowRule(Match.IPV4_DESTINATION, prefix, Action.ROUTE_TO_PORT, outPort, 0, 0);
  }

  /**
   * Delivers to a host.
   *
   * @param sourceMac 48 bits, as is {@code destinationMac}
   */
  public static FlowRule deliver(
      int hostAddress, int outPort, long sourceMac, long destinationMac) {
    if ((sourceMac | destinationMac) >>> 48 != 0) {
      throw new IllegalArgumentException("a MAC address has 48 bits");
    }
    return new FlowRule(
        Match.IPV4_DESTINATION,
        Ipv4Prefix.host(hostAddress),
        Action.DELIVER,
        outPort,
        sourceMac,
        destinationMac);
  }

  public Match match() {
    return match;
  }

  /** The destination prefix; null unless the match is {@link Match#IPV4_DESTINATION}. */
  public Ipv4Prefix prefix() {
    return prefix;
  }

  public Action action() {
    return action;
  }

  /** OpenFlow priority: longer prefixes win. */
  public int priority() {
    return match == Match.ARP ? ARP_PRIORITY : PREFIX_PRIORITY + prefix.length();
  }

  /** The group of {@link Action#ROUTE_TO_GROUP}. */
  public int groupId() {
    return target;
  }

  /** The port of {@link Action#ROUTE_TO_PORT} and {@link Action#DELIVER}. */
  public int outPort() {
    return target;
  }

  public long sourceMac() {
    return sourceMac;
  }

  public long destinationMac() {
    return destinationMac;
  }

  /** What identifies the rule within a table. */
  public String key() {
    return key;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof FlowRule)) {
      return false;
    }
    FlowRule that = (FlowRule) other;
    return match == that.match
        && Objects.equals(prefix, that.prefix)
        && action == that.action
        && target == that.target
        && sourceMac == that.sourceMac
        && destinationMac == that.destinationMac;
  }

  @Override
  public int hashCode() {
    return Objects.hash(match, prefix, action, target, sourceMac, destinationMac);
  }

  @Override
  public String toString() {
    return key() + " -> " + action + (action == Action.TO_CONTROLLER ? "" : " " + target);
  }
}
