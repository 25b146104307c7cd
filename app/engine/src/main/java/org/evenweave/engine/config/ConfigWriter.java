package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.LeaveOut;

/** Writes an {@link EngineConfig} as {@link ConfigReader} reads it. */
public final class ConfigWriter {
  private ConfigWriter() {}

  /** All fields are there, those with their default value too. */
  public static ObjectNode write(EngineConfig config) {
    // Kept as it was written: 1.050 stays 1.050.
    ObjectNode root = JsonNodeFactory.withExactBigDecimals(true).objectNode();
    addFabric(root, config);
    root.put("strategy", config.weightRule().strategyName());
    root.put("maxOversubscription", config.maxOversubscriptionDecimal());
    putLeaveOut(root, config.leaveOut());
    ObjectNode excluded = root.putObject("excluded");
    ArrayNode switches = excluded.putArray("switches");
    config.excludedSwitches().forEach(switches::add);
    ArrayNode links = excluded.putArray("links");
    config.excludedLinks().forEach(end -> links.add(end.toString()));
    DampingConfig damping = config.damping();
    root.putObject("damping")
        .put("enabled", damping.enabled())
        .put("halfLifeSeconds", damping.halfLifeSeconds())
        .put("suppress", damping.suppress())
        .put("reuse", damping.reuse())
        .put("maxHoldDownSeconds", damping.maxHoldDownSeconds());
    root.put(
        "lossyLinks", config.excludesLossyLinks() ? ConfigReader.EXCLUDE : ConfigReader.REPORT);
    ArrayNode servers =
        root.putObject("bfd")
            .put("enabled", config.bfd().enabled())
            .put("intervalMs", config.bfd().intervalMs())
            .putArray("ovsdb");
    config.bfd().ovsdb().forEach(servers::add);
    root.put("foreignRules", config.foreignRules().configName());
    TrafficConfig traffic = config.traffic();
    root.putObject("traffic")
        .put("enabled", traffic.enabled())
        .put("periodSeconds", traffic.periodSeconds())
        .put("minGainPercent", traffic.minGainPercent())
        .put("maxChurnPercentPerMinute", traffic.maxChurnPercentPerMinute());
    TracerouteConfig traceroute = config.traceroute();
    root.putObject("traceroute")
        .put("enabled", traceroute.enabled())
        .put("prefix", traceroute.prefix().toString())
        .put("portBits", traceroute.portBits())
        .put("maxPerSecond", traceroute.maxPerSecond());
    return root;
  }

  private static void addFabric(ObjectNode root, EngineConfig config) {
    Fabric fabric = config.intended();
    Map<String, Long> datapathOf = new HashMap<>();
    config.switchIdOfDatapath().forEach((datapath, id) -> datapathOf.put(id, datapath));
    ArrayNode switches = root.putArray("switches");
    for (int s = 0; s < fabric.switchCount(); s++) {
      ObjectNode node = switches.addObject().put("id", fabric.switchId(s));
      if (datapathOf.containsKey(fabric.switchId(s))) {
        node.put("dpid", String.format(Locale.ROOT, "%016x", datapathOf.get(fabric.switchId(s))));
      }
      node.put("stage", fabric.stage(s));
      LimitsReader.put(node, fabric.limits(s));
      if (fabric.target(s) != null) {
        node.put("target", fabric.target(s).configName());
      }
      if (fabric.leaveOut(s) != null) {
        putLeaveOut(node, fabric.leaveOut(s));
      }
      if (config.aggregating().contains(fabric.switchId(s))) {
        node.put("aggregate", true);
      }
      SwitchCertificate certificate = config.switchCertificates().get(fabric.switchId(s));
      if (certificate != null) {
        node.put("certificate", certificate.toString());
      }
    }
    addLinks(root, config);
    ArrayNode subnets = root.putArray("subnets");
    for (int i = 0; i < fabric.subnetCount(); i++) {
      ObjectNode subnet =
          subnets
              .addObject()
              .put("switch", fabric.switchId(fabric.subnetSwitch(i)))
              .put("prefix", fabric.subnetPrefix(i).toString());
      SourceGuard guard = config.sourceGuardOf(fabric.subnetPrefix(i));
      if (guard != SourceGuard.DEFAULT) {
        subnet.put("sourceGuard", guard.configName());
      }
    }
  }

  private static void putLeaveOut(ObjectNode node, LeaveOut leaveOut) {
    node.put(LeaveOutReader.LEAVE_OUT, leaveOut.configName());
    if (!leaveOut.equals(LeaveOut.NEVER)) {
      node.put(LeaveOutReader.MIN_NEXT_HOPS, leaveOut.minNextHops());
    }
  }

  private static void addLinks(ObjectNode root, EngineConfig config) {
    if (config.linksDiscovered()) {
      root.put("links", "discovered");
      return;
    }
    Fabric fabric = config.intended();
    ArrayNode links = root.putArray("links");
    for (int link = 0; link < fabric.linkCount(); link++) {
      ObjectNode node =
          links
              .addObject()
              .put("a", fabric.end(2 * link).toString())
              .put("b", fabric.end(2 * link + 1).toString())
              .put("bps", fabric.capacityBps(2 * link));
      Integer mtu = config.linkMtus().get(fabric.end(2 * link));
      if (mtu != null) {
        node.put("mtu", mtu);
      }
    }
  }
}
