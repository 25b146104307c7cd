package org.evenweave.engine.port;

import java.util.Objects;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * One entry of a switch's flow table, of the few kinds a routed fabric needs. A rule is identified
 * by what it matches ({@link #key}); two rules with the same key cannot be in one table.
 */
public final class FlowRule {
  /** What a packet must be for the rule to match it. Routed packets have the gateway's MAC. */
  public enum Match {
    /** Any ARP packet. */
    ARP(40_000),
    /**
     * An ARP request for the MAC address of {@link FlowRule#gatewayAddress} from the host with
     * {@link FlowRule#hostAddress} and {@link FlowRule#destinationMac} at {@link FlowRule#outPort}.
     */
    ARP_REQUEST(40_001),
    /** Any RARP packet (RFC 903): how hypervisors announce a guest that has migrated. */
    RARP(40_000),
    /**
     * An IPv4 packet to the gateway's MAC address whose destination lies in {@link
     * FlowRule#prefix}.
     */
    IPV4_DESTINATION(10_000),
    /**
     * The same to a host, {@link FlowRule#prefix}, that came in at {@link FlowRule#outPort}, where
     * that host is.
     */
    IPV4_HAIRPIN(15_000),
    /**
     * An IPv4 packet whose destination lies in {@link FlowRule#prefix} and whose source in {@link
     * FlowRule#sourcePrefix}; such rules win against those for the destination alone.
     */
    IPV4_PAIR(20_000),
    /** An IPv4 packet whose source lies in {@link FlowRule#sourcePrefix}. */
    IPV4_SOURCE(30_000),
    /**
     * The same, if it came in at {@link FlowRule#outPort}, which may be {@link FlowRule#ANY_PORT},
     * and is looked up for the first time: {@link Action#LOOK_UP_AGAIN} leaves a mark.
     */
    ADMITTED_SOURCE(26_000),
    /** The same, at one port. */
    REFUSED_SOURCE(25_000),
    /** An IPv4 packet whose source and destination are both {@link FlowRule#prefix}. */
    IPV4_TO_ITSELF(30_000),
    /** Any LLDP packet. */
    LLDP(50_000),
    /** Any frame with a multicast address as its source. */
    MULTICAST_SOURCE(60_000),
    /** Any frame with a VLAN tag (IEEE 802.1Q), priority tags included. */
    VLAN_TAGGED(60_000),
    /**
     * As {@link #IPV4_DESTINATION} or, with a {@link FlowRule#sourcePrefix}, {@link #IPV4_PAIR},
     * but for any destination MAC: rules of releases that did not check it. They are never wanted.
     */
    SUPERSEDED(10_000);

    private final int priority;

    Match(int priority) {
      this.priority = priority;
    }
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
    DELIVER,
    /** The same, out of the port that the packet came in by: OpenFlow's IN_PORT. */
    DELIVER_BACK,
    /** Made into the reply that {@link FlowRule#sourceMac} it is, and sent back. */
    ANSWER_ARP,
    /**
     * Marked by {@link FlowRule#ADMITTED_MARK} of the metadata, then looked up in the table again.
     */
    LOOK_UP_AGAIN,
    /** Dropped. */
    DROP
  }

  /** In place of a port where any will do; OpenFlow counts from 1. */
  public static final int ANY_PORT = 0;

  /** The bit of the metadata that a packet has whose source passed a guard. */
  public static final long ADMITTED_MARK = 1L << 63;

  private final Match match;
  private final Ipv4Prefix prefix;
  private final Ipv4Prefix sourcePrefix;
  private final Action action;
  private final int target;
  private final long sourceMac;
  private final long destinationMac;
  private final int hostAddress;
  private final int gatewayAddress;

  /** Made at the first call of {@link #key}; threads may race to it. */
  private String key;

  private FlowRule(
      Match match,
      Ipv4Prefix prefix,
      Action action,
      int target,
      long sourceMac,
      long destinationMac) {
    this(match, prefix, null, action, target, sourceMac, destinationMac, 0, 0);
  }

  FlowRule(
      Match match,
      Ipv4Prefix prefix,
      Ipv4Prefix sourcePrefix,
      Action action,
      int target,
      long sourceMac,
      long destinationMac,
      int hostAddress,
      int gatewayAddress) {
    this.match = match;
    this.prefix = prefix;
    this.sourcePrefix = sourcePrefix;
    this.action = action;
    this.target = target;
    this.sourceMac = sourceMac;
    this.destinationMac = destinationMac;
    this.hostAddress = hostAddress;
    this.gatewayAddress = gatewayAddress;
  }

  /** LLDP goes to the controller: the probes of link discovery. */
  public static FlowRule lldpToController() {
    return new FlowRule(Match.LLDP, null, Action.TO_CONTROLLER, 0, 0, 0);
  }

  /** ARP goes to the controller, which answers for the gateways. */
  public static FlowRule arpToController() {
    return new FlowRule(Match.ARP, null, Action.TO_CONTROLLER, 0, 0, 0);
  }

  /**
   * The switch itself answers a host that is known and asks for its gateway, as hosts do again
   * every half a minute: packets of a host that gets no answer are lost, and there may be no
   * controller. One that has moved, or has another MAC address, is still heard by the controller.
   *
   * @param gatewayMac 48 bits, as is {@code hostMac}
   */
  public static FlowRule arpReply(
      int gatewayAddress, long gatewayMac, int hostAddress, long hostMac, int hostPort) {
    require48Bits(gatewayMac | hostMac);
    return new FlowRule(
        Match.ARP_REQUEST,
        null,
        null,
        Action.ANSWER_ARP,
        hostPort,
        gatewayMac,
        hostMac,
        hostAddress,
        gatewayAddress);
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

  /** Routes what comes from one prefix and goes to another to a group. */
  public static FlowRule pairToGroup(Ipv4Prefix source, Ipv4Prefix destination, int groupId) {
    return ofPair(source, destination, Action.ROUTE_TO_GROUP, groupId);
  }

  /** The same to a port. */
  public static FlowRule pairToPort(Ipv4Prefix source, Ipv4Prefix destination, int outPort) {
    return ofPair(source, destination, Action.ROUTE_TO_PORT, outPort);
  }

  private static FlowRule ofPair(
      Ipv4Prefix source, Ipv4Prefix destination, Action action, int target) {
    return new FlowRule(Match.IPV4_PAIR, destination, source, action, target, 0, 0, 0, 0);
  }

  /** The rule that routes what this one matches to a group. */
  public FlowRule toGroup(int groupId) {
    return isOfPair() ? pairToGroup(sourcePrefix, prefix, groupId) : routeToGroup(prefix, groupId);
  }

  /** The rule that routes what this one matches to a port. */
  public FlowRule toPort(int outPort) {
    return isOfPair() ? pairToPort(sourcePrefix, prefix, outPort) : routeToPort(prefix, outPort);
  }

  /**
   * Delivers to a host.
   *
   * @param sourceMac 48 bits, as is {@code destinationMac}
   */
  public static FlowRule deliver(
      int hostAddress, int outPort, long sourceMac, long destinationMac) {
    require48Bits(sourceMac | destinationMac);
    return new FlowRule(
        Match.IPV4_DESTINATION,
        Ipv4Prefix.host(hostAddress),
        Action.DELIVER,
        outPort,
        sourceMac,
        destinationMac);
  }

  /**
   * Delivers to a host what comes from another behind the same port. OpenFlow does not send a
   * packet out of the port it came in by unless the action says IN_PORT.
   *
   * @param port the host's, where the packet comes in
   * @param sourceMac 48 bits, as is {@code destinationMac}
   */
  public static FlowRule hairpin(int hostAddress, int port, long sourceMac, long destinationMac) {
    require48Bits(sourceMac | destinationMac);
    return new FlowRule(
        Match.IPV4_HAIRPIN,
        Ipv4Prefix.host(hostAddress),
        Action.DELIVER_BACK,
        port,
        sourceMac,
        destinationMac);
  }

  /** RARP goes to the controller, which checks where the host that it announces is. */
  public static FlowRule rarpToController() {
    return new FlowRule(Match.RARP, null, Action.TO_CONTROLLER, 0, 0, 0);
  }

  /**
   * The rule of an earlier release that did what this one does, for any destination MAC address.
   *
   * @throws IllegalStateException for a rule that is not for IPv4 destinations or pairs
   */
  public FlowRule superseded() {
    if (match != Match.IPV4_DESTINATION && match != Match.IPV4_PAIR) {
      throw new IllegalStateException(this + " had no other form");
    }
    return new FlowRule(
        Match.SUPERSEDED, prefix, sourcePrefix, action, target, sourceMac, destinationMac, 0, 0);
  }

  private static void require48Bits(long macs) {
    if (macs >>> 48 != 0) {
      throw new IllegalArgumentException("a MAC address has 48 bits");
    }
  }

  public Match match() {
    return match;
  }

  /** The destination prefix; null if the match has none. */
  public Ipv4Prefix prefix() {
    return prefix;
  }

  /** The source prefix; null if the match has none. */
  public Ipv4Prefix sourcePrefix() {
    return sourcePrefix;
  }

  public Action action() {
    return action;
  }

  /** OpenFlow priority: pairs win against destinations, and longer prefixes against shorter. */
  public int priority() {
    switch (match) {
      case IPV4_PAIR:
      case IPV4_DESTINATION:
        return match.priority + prefix.length();
      case SUPERSEDED:
        Match current = sourcePrefix == null ? Match.IPV4_DESTINATION : Match.IPV4_PAIR;
        return current.priority + prefix.length();
      default:
        return match.priority;
    }
  }

  /** The group of {@link Action#ROUTE_TO_GROUP}. */
  public int groupId() {
    return target;
  }

  /**
   * The port that packets are routed or delivered to, that ARP is answered or sources checked at.
   */
  public int outPort() {
    return target;
  }

  /** The group or the port of a rule that routes. */
  public int target() {
    return target;
  }

  public long sourceMac() {
    return sourceMac;
  }

  public long destinationMac() {
    return destinationMac;
  }

  /** The host that {@link Match#ARP_REQUEST} is from; else 0. */
  public int hostAddress() {
    return hostAddress;
  }

  /** The gateway that {@link Match#ARP_REQUEST} is for; else 0. */
  public int gatewayAddress() {
    return gatewayAddress;
  }

  /** What identifies the rule within a table. */
  public String key() {
    String made = key;
    if (made == null) {
      made = RuleKey.of(this);
      key = made;
    }
    return made;
  }

  /** Whether it matches a source too. */
  public boolean isOfPair() {
    return match == Match.IPV4_PAIR;
  }

  /** Whether it checks the source of what comes in at a port. */
  public boolean isSourceGuard() {
    return match == Match.ADMITTED_SOURCE || match == Match.REFUSED_SOURCE;
  }

  /** Whether it routes a prefix, or what goes from one to another, to a group or to a port. */
  public boolean isRoute() {
    boolean routes = action == Action.ROUTE_TO_GROUP || action == Action.ROUTE_TO_PORT;
    return routes && match != Match.SUPERSEDED;
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
        && Objects.equals(sourcePrefix, that.sourcePrefix)
        && action == that.action
        && target == that.target
        && sourceMac == that.sourceMac
        && destinationMac == that.destinationMac
        && hostAddress == that.hostAddress
        && gatewayAddress == that.gatewayAddress;
  }

  @Override
  public int hashCode() {
    int matched =
        (Objects.hashCode(prefix) * 31 + Objects.hashCode(sourcePrefix)) * 31
            + match.ordinal()
            + hostAddress * 7;
    return ((matched * 31 + action.ordinal()) * 31 + target) * 31
        + Long.hashCode(sourceMac * 31 + destinationMac);
  }

  @Override
  public String toString() {
    return key() + " -> " + action + targetText();
  }

  private String targetText() {
    switch (action) {
      case TO_CONTROLLER:
      case LOOK_UP_AGAIN:
      case DROP:
        return "";
      case ROUTE_TO_GROUP:
        return " " + SelectGroup.idText(target);
      default:
        return " " + target;
    }
  }
}
