package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Reads a fabric from JSON that is valid by {@code docs/schema/fabric.json}, and refuses what the
 * schema cannot detect: contradictions between parts, reserved ports, prefixes that cannot be those
 * of hosts.
 *
 * <pre>
 * {"switches": [{"id": "s1-0", "dpid": "0000000000000001", "stage": 1,
 *                "limits": {"entries": 1024, "groups": 256}, "target": "ovs", "leaveOut": "auto",
 *                "minNextHops": 2, "aggregate": true, "certificate": "sha256:..."}, ...],
 *  "links":    [{"a": "s1-0/1", "b": "s2-0/1", "bps": 10000000000}, ...],
 *  "subnets":  [{"switch": "s1-0", "prefix": "10.0.0.0/24", "sourceGuard": "prefix"}, ...]}
 * </pre>
 *
 * <p>{@code dpid} (the OpenFlow datapath id, 16 hex digits), {@code limits} (how much its tables
 * hold; {@code table} is a synonym for {@code limits.entries}), {@code target} (how the switch
 * holds groups), {@code certificate} ({@link SwitchCertificate}), {@code leaveOut} and {@code
 * minNextHops} (whether its groups may leave ports out), {@code aggregate} (whether it holds merged
 * rules) and {@code sourceGuard} ({@link SourceGuard}) may be missing.
 */
public final class FabricReader {
  /**
   * Switches times switches with subnets: each of these has a route at each of those. The fabric
   * for 100,000 servers has 18,741,610.
   */
  static final long MAX_ROUTES = 50_000_000;

  /** Links times switches with subnets: the work of finding the routes; 554,751,656 there. */
  static final long MAX_LINK_VISITS = 1_000_000_000;

  /** OFPP_MAX of OpenFlow 1.0, whose 16-bit port numbers Open vSwitch has in every version. */
  private static final int FIRST_RESERVED_PORT = 0xff00;

  private static final int LAST_RESERVED_PORT = 0xffff;

  private final FabricBuilder builder = new FabricBuilder();
  private final HostPrefixes prefixes = new HostPrefixes();
  private final Map<Long, String> switchIdOfDatapath = new HashMap<>();
  private final Set<String> aggregating = new HashSet<>();
  private final Map<String, SwitchCertificate> certificates = new HashMap<>();
  private final Map<SwitchPort, Integer> linkMtus = new HashMap<>();
  private final Map<Ipv4Prefix, SourceGuard> sourceGuards = new HashMap<>();

  private FabricReader() {}

  /** A fabric, with what only a configuration needs of its switches. */
  static EngineConfig configOf(JsonNode root) {
    return new FabricReader().config(root);
  }

  /**
   * A fabric that is part of a larger value.
   *
   * @param root valid by {@code docs/schema/fabric.json}
   * @throws FabricException if it cannot be a fabric nevertheless, with the path of the field
   */
  public static Fabric fabricOf(JsonNode root) {
    return configOf(root).intended();
  }

  private EngineConfig config(JsonNode root) {
    JsonNode switches = root.path("switches");
    for (int i = 0; i < switches.size(); i++) {
      addSwitch("switches[" + i + "]", switches.get(i), LeaveOutReader.read(root, LeaveOut.AUTO));
    }
    requireUnnamedKept(switches);
    JsonNode links = root.path("links");
    for (int i = 0; i < links.size(); i++) {
      addLink("links[" + i + "]", links.get(i));
    }
    JsonNode subnets = root.path("subnets");
    for (int i = 0; i < subnets.size(); i++) {
      addSubnet("subnets[" + i + "]", subnets.get(i));
    }
    Fabric fabric = builder.build();
    requireWork(fabric);
    return new EngineConfig(fabric, switchIdOfDatapath, WeightRule.DEFAULT)
        .withAggregating(aggregating)
        .withSwitchCertificates(certificates)
        .withLinkMtus(linkMtus)
        .withSourceGuards(sourceGuards);
  }

  private static void requireWork(Fabric fabric) {
    BitSet withSubnets = new BitSet();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      withSubnets.set(fabric.subnetSwitch(i));
    }
    long destinations = withSubnets.cardinality();
    if (destinations * fabric.switchCount() > MAX_ROUTES
        || destinations * fabric.linkCount() > MAX_LINK_VISITS) {
      throw new FabricException(
          "subnets",
          "are under "
              + destinations
              + " switches; times the "
              + fabric.switchCount()
              + " switches that must be at most "
              + MAX_ROUTES
              + ", and times the "
              + fabric.linkCount()
              + " links at most "
              + MAX_LINK_VISITS);
    }
  }

  private void addSwitch(String path, JsonNode node, LeaveOut ofFabric) {
    String id = node.get("id").textValue();
    builder.addSwitch(
        id,
        node.get("stage").intValue(),
        LimitsReader.read(path, node),
        node.has("target") ? SwitchTarget.named(node.get("target").textValue()) : null,
        LeaveOutReader.isIn(node) ? LeaveOutReader.read(node, ofFabric) : null);
    if (node.path("aggregate").asBoolean()) {
      aggregating.add(id);
    }
    if (node.has("certificate")) {
      certificates.put(id, SwitchCertificate.parse(node.get("certificate").textValue()));
    }
    if (node.has("dpid")) {
      String dpid = node.get("dpid").textValue();
      requireDatapath(path + ".dpid", dpid);
      String other = switchIdOfDatapath.putIfAbsent(Long.parseUnsignedLong(dpid, 16), id);
      if (other != null) {
        throw new FabricException(path + ".dpid", dpid + " is the dpid of \"" + other + "\" too");
      }
    }
  }

  /** 0 is what a switch has that was given none: two of them could not be told apart. */
  private static void requireDatapath(String path, String dpid) {
    if (Long.parseUnsignedLong(dpid, 16) == 0) {
      throw new FabricException(
          path, "must not be 0, which is no switch's own; give the switch one");
    }
  }

  /** A switch without a name is named by its datapath id, which no other may be called. */
  private void requireUnnamedKept(JsonNode switches) {
    for (int i = 0; i < switches.size(); i++) {
      String id = switches.get(i).get("id").textValue();
      if (EngineConfig.isUnnamed(id)) {
        requireDatapath("switches[" + i + "].id", id.substring("of:".length()));
        long datapath = Long.parseUnsignedLong(id.substring("of:".length()), 16);
        String owner = switchIdOfDatapath.get(datapath);
        if (owner == null ? switches.get(i).has("dpid") : !owner.equals(id)) {
          throw new FabricException(
              "switches[" + i + "].id", "\"" + id + "\" is the name of another switch's dpid");
        }
      }
    }
  }

  private void addLink(String path, JsonNode node) {
    SwitchPort a = SwitchPort.parse(node.get("a").textValue());
    SwitchPort b = SwitchPort.parse(node.get("b").textValue());
    requireNotReserved(path + ".a", a);
    requireNotReserved(path + ".b", b);
    builder.addLink(a, b, node.get("bps").longValue());
    if (node.has("mtu")) {
      linkMtus.put(a, node.get("mtu").intValue());
      linkMtus.put(b, node.get("mtu").intValue());
    }
  }

  static void requireNotReserved(String path, SwitchPort end) {
    if (end.number() >= FIRST_RESERVED_PORT && end.number() <= LAST_RESERVED_PORT) {
      throw new FabricException(
          path,
          "must not be one of the ports "
              + FIRST_RESERVED_PORT
              + " to "
              + LAST_RESERVED_PORT
              + ", which OpenFlow reserves");
    }
  }

  private void addSubnet(String path, JsonNode node) {
    Ipv4Prefix prefix;
    try {
      prefix = Ipv4Prefix.parse(node.get("prefix").textValue());
    } catch (IllegalArgumentException e) {
      throw new FabricException(path + ".prefix", e.getMessage());
    }
    prefixes.add(path + ".prefix", prefix);
    builder.addSubnet(node.get("switch").textValue(), prefix);
    if (node.has("sourceGuard")) {
      sourceGuards.put(prefix, SourceGuard.named(node.get("sourceGuard").textValue()));
    }
  }
}
