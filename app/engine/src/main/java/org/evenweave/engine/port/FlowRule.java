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
    /**
     * An ARP request for the MAC address of {@link FlowRule#gatewayAddress} from the host with
     * {@link FlowRule#hostAddress} and {@link FlowRule#destinationMac} at {@link FlowRule#outPort}.
     */
    ARP_REQUEST,
    /** An IPv4 packet whose destination lies in {@link FlowRule#prefix}. */
    IPV4_DESTINATION,
    /**
     * An IPv4 packet whose destination lies in {@link FlowRule#prefix} and whose source in {@link
     * FlowRule#sourcePrefix}; such rules win against those for the destination alone.
     */
    IPV4_PAIR,
    /** Any LLDP packet. */
    LLDP
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
    /** Made into the reply that {@link FlowRule#sourceMac} it is, and sent back. */
    ANSWER_ARP
  }

  private static final int LLDP_PRIORITY = 50_000;
  private static final int ARP_PRIORITY = 40_000;
  private static final int ARP_REQUEST_PRIORITY = ARP_PRIORITY + 1;
  private static final int PREFIX_PRIORITY = 10_000;
  private static final int PAIR_PRIORITY = 20_000;

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

  private FlowRule(
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

  private String keyOf() {
    switch (match) {
      case LLDP:
        return "lldp";
      case ARP:
        return "arp";
      case ARP_REQUEST:
        return "arp "
            + Ipv4Prefix.format(gatewayAddress)
            + " from "
            + Ipv4Prefix.format(hostAddress)
            + " "
            + Long.toHexString(destinationMac)
            + " port "
            + target;
      case IPV4_PAIR:
        return prefix + " from " + sourcePrefix;
      default:
        return prefix.toString();
    }
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

  private static void require48Bits(long macs) {
    if (macs >>> 48 != 0) {
      throw new IllegalArgumentException("a MAC address has 48 bits");
    }
  }

  public Match match() {
    return match;
  }

  /**
   * The destination prefix; null unless the match is {@link Match#IPV4_DESTINATION} or {@link
   * Match#IPV4_PAIR}.
   */
  public Ipv4Prefix prefix() {
    return prefix;
  }

  /** The source prefix; null unless the match is {@link Match#IPV4_PAIR}. */
  public Ipv4Prefix sourcePrefix() {
    return sourcePrefix;
  }

  public Action action() {
    return action;
  }

  /** OpenFlow priority: pairs win against destinations, and longer prefixes against shorter. */
  public int priority() {
    switch (match) {
      case LLDP:
        return LLDP_PRIORITY;
      case ARP:
        return ARP_PRIORITY;
      case ARP_REQUEST:
        return ARP_REQUEST_PRIORITY;
      case IPV4_PAIR:
        return PAIR_PRIORITY + prefix.length();
      default:
        return PREFIX_PRIORITY + prefix.length();
    }
  }

  /** The group of {@link Action#ROUTE_TO_GROUP}. */
  public int groupId() {
    return target;
  }

  /** The port of {@link Action#ROUTE_TO_PORT}, {@link Action#DELIVER} and {@code ANSWER_ARP}. */
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
      made = keyOf();
      key = made;
    }
    return made;
  }

  /** Whether it matches a source too. */
  public boolean isOfPair() {
    return match == Match.IPV4_PAIR;
  }

  /** Whether it routes a prefix, or what goes from one to another, to a group or to a port. */
  public boolean isRoute() {
    return action == Action.ROUTE_TO_GROUP || action == Action.ROUTE_TO_PORT;
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
        return "";
      case ROUTE_TO_GROUP:
        return " " + SelectGroup.idText(target);
      default:
        return " " + target;
    }
  }
}
