package org.evenweave.engine.port;

import java.util.ArrayList;
import java.util.List;
import org.evenweave.engine.port.FlowRule.Action;
import org.evenweave.engine.port.FlowRule.Match;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * Rules that drop packets which a router must not forward, at the switches with hosts. They have a
 * higher priority than all routing rules. Packets without the gateway's MAC address need no such
 * rule, since all routing rules match that address.
 */
public final class GuardRules {
  /**
   * Addresses that are no source: "this network", loopback, multicast with what is reserved and the
   * limited broadcast (RFC 1812, sections 4.2.2.11 and 5.3.7; RFC 1122, section 3.2.1.3).
   */
  private static final List<Ipv4Prefix> NO_SOURCES =
      List.of(
          Ipv4Prefix.parse("0.0.0.0/8"),
          Ipv4Prefix.parse("127.0.0.0/8"),
          Ipv4Prefix.parse("224.0.0.0/3"));

  private GuardRules() {}

  /** The rules of a switch with hosts, whichever hosts these are. */
  public static List<FlowRule> ofSwitch() {
    List<FlowRule> rules = new ArrayList<>();
    rules.add(dropTagged());
    rules.add(dropMulticastSources());
    NO_SOURCES.forEach(source -> rules.add(dropSource(source)));
    return rules;
  }

  /** Hosts are attached untagged: a frame with a VLAN tag would come back without it. */
  public static FlowRule dropTagged() {
    return new FlowRule(Match.VLAN_TAGGED, null, null, Action.DROP, 0, 0, 0, 0, 0);
  }

  /** The source of a frame is one station (IEEE 802.3, section 3.2.5). */
  public static FlowRule dropMulticastSources() {
    return new FlowRule(Match.MULTICAST_SOURCE, null, null, Action.DROP, 0, 0, 0, 0, 0);
  }

  /** Drops IPv4 packets from these addresses. */
  public static FlowRule dropSource(Ipv4Prefix source) {
    return new FlowRule(Match.IPV4_SOURCE, null, source, Action.DROP, 0, 0, 0, 0, 0);
  }

  /**
   * Lets IPv4 packets pass that come in at a port from these addresses: they are looked up again,
   * and meet no rule of this kind then.
   */
  public static FlowRule admitSource(int port, Ipv4Prefix source) {
    return ofSource(port, source);
  }

  /** The same, whichever port packets come in at. */
  public static FlowRule admitSource(Ipv4Prefix source) {
    return ofSource(FlowRule.ANY_PORT, source);
  }

  private static FlowRule ofSource(int port, Ipv4Prefix source) {
    return new FlowRule(
        Match.ADMITTED_SOURCE, null, source, Action.LOOK_UP_AGAIN, port, 0, 0, 0, 0);
  }

  /** Drops IPv4 packets that come in at a port from these addresses, unless they were let pass. */
  public static FlowRule refuseSource(int port, Ipv4Prefix source) {
    return new FlowRule(Match.REFUSED_SOURCE, null, source, Action.DROP, port, 0, 0, 0, 0);
  }

  /** Drops packets to a host that name the host itself as their source. */
  public static FlowRule dropToItself(int hostAddress) {
    Ipv4Prefix host = Ipv4Prefix.host(hostAddress);
    return new FlowRule(Match.IPV4_TO_ITSELF, host, null, Action.DROP, 0, 0, 0, 0, 0);
  }
}
