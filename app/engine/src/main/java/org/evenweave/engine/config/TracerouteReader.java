package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/** Reads {@code "traceroute"} of a configuration. */
final class TracerouteReader {
  private static final String PREFIX = "traceroute.prefix";

  private TracerouteReader() {}

  /**
   * @param node an object that is valid by the schema, or what is left out
   * @throws FabricException if hosts may have addresses of the prefix, or it has too few
   */
  static TracerouteConfig read(JsonNode node, Fabric fabric) {
    TracerouteConfig ifLeftOut = TracerouteConfig.DEFAULT;
    TracerouteConfig config;
    try {
      config =
          new TracerouteConfig(
              node.path("enabled").asBoolean(ifLeftOut.enabled()),
              Ipv4Prefix.parse(node.path("prefix").asText(ifLeftOut.prefix().toString())),
              node.path("portBits").asInt(ifLeftOut.portBits()),
              node.path("maxPerSecond").asInt(ifLeftOut.maxPerSecond()));
    } catch (IllegalArgumentException e) {
      throw new FabricException(PREFIX, e.getMessage());
    }
    if (config.enabled()) {
      HostPrefixes.requireUsable(PREFIX, config.prefix());
      requireNoHosts(config.prefix(), fabric);
    }
    return config;
  }

  private static void requireNoHosts(Ipv4Prefix prefix, Fabric fabric) {
    for (int i = 0; i < fabric.subnetCount(); i++) {
      if (prefix.overlaps(fabric.subnetPrefix(i))) {
        throw new FabricException(
            PREFIX,
            prefix
                + " overlaps "
                + fabric.subnetPrefix(i)
                + " of subnets["
                + i
                + "]; give one that no host has addresses of");
      }
    }
  }
}
