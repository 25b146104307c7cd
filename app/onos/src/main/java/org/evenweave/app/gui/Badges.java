package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.onosproject.net.DeviceId;
import org.onosproject.ui.topo.DeviceHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.NodeBadge;

/**
 * The devices' badges: which share of the pair's capacity leads through the switch, in percent; in
 * its stead, that groups wait for confirmation, that the multipath table is nearly full, or why the
 * fabric is degraded where that concerns the switch; without a share, how many ports groups leave
 * out.
 *
 * <p>A badge is a small circle with room for three digits; the rest is in its message.
 */
final class Badges {
  /** A table with less room than this may be too small for the next failure's groups. */
  private static final int NEARLY_FULL_PERCENT = 90;

  private static final int PERCENT = 100;

  private final FabricMap map;

  Badges(FabricMap map) {
    this.map = map;
  }

  /**
   * Adds a badge for every switch in the view, connected or not, of which there is something to
   * say.
   *
   * @param shares of the pair that is shown, by the switches between the two
   * @param switches rows of the resource {@code oversubscription}
   * @param groups rows of the resource {@code groups}
   * @param reasons of the resource {@code status}
   */
  void addTo(
      Highlights highlights,
      Map<String, Double> shares,
      List<JsonNode> switches,
      List<JsonNode> groups,
      List<String> reasons) {
    Map<String, Integer> pending = new HashMap<>();
    for (JsonNode group : groups) {
      if (group.get("state").asText().equals("pending")) {
        pending.merge(group.get("switch").asText(), 1, Integer::sum);
      }
    }
    Map<String, JsonNode> rowOf = new HashMap<>();
    switches.forEach(row -> rowOf.put(row.get("switch").asText(), row));
    map.devices()
        .forEach(
            (switchId, device) -> {
              String reason = reason(reasons, switchId, device);
              JsonNode row = rowOf.get(switchId);
              NodeBadge badge = null;
              if (!reason.isEmpty()) {
                badge = NodeBadge.text(NodeBadge.Status.ERROR, "!", reason);
              } else if (row != null) {
                badge = badge(row, pending.getOrDefault(switchId, 0), shares.get(switchId));
              }
              if (badge != null) {
                DeviceHighlight highlight = new DeviceHighlight(device.toString());
                highlight.setBadge(badge);
                highlights.add(highlight);
              }
            });
  }

  /** Null if there is nothing to say. */
  private static NodeBadge badge(JsonNode row, int pending, Double share) {
    if (pending > 0) {
      return NodeBadge.text(NodeBadge.Status.WARN, "…", pending + " groups wait for confirmation");
    }
    long entries = row.get("entries").asLong();
    long table = row.path("table").asLong(Long.MAX_VALUE);
    String use =
        row.has("table")
            ? entries + " of " + table + " multipath table entries"
            : entries + " multipath table entries";
    Map<Integer, JsonNode> leftOut = leftOut(row);
    for (JsonNode port : leftOut.values()) {
      use +=
          String.format(
              Locale.ROOT,
              "; no packets for port %d, %.2g%% of a group's capacity: %s",
              port.get("port").asInt(),
              PERCENT * port.get("share").asDouble(),
              port.get("why").asText());
    }
    if (entries >= table - table * (PERCENT - NEARLY_FULL_PERCENT) / PERCENT) {
      return NodeBadge.text(NodeBadge.Status.WARN, "T" + PERCENT * entries / table, use);
    }
    if (share == null) {
      return leftOut.isEmpty()
          ? null
          : NodeBadge.text(NodeBadge.Status.INFO, "-" + leftOut.size(), use);
    }
    return NodeBadge.text(
        NodeBadge.Status.INFO,
        Long.toString(Math.round(PERCENT * share)),
        String.format(Locale.ROOT, "%.1f%% of the pair's capacity; %s", PERCENT * share, use));
  }

  /** The ports that some group of the switch leaves out, each where its share is largest. */
  private static Map<Integer, JsonNode> leftOut(JsonNode row) {
    Map<Integer, JsonNode> ports = new TreeMap<>();
    for (JsonNode group : row.path("groups")) {
      for (JsonNode port : group.path("leftOut")) {
        ports.merge(
            port.get("port").asInt(),
            port,
            (one, other) ->
                other.get("share").asDouble() > one.get("share").asDouble() ? other : one);
      }
    }
    return ports;
  }

  /**
   * The first reason that concerns a switch: it begins with the switch id, or the device id where
   * ONOS said it, or is about a link or a port of the switch.
   */
  private static String reason(List<String> reasons, String switchId, DeviceId device) {
    for (String reason : reasons) {
      boolean ofSwitch =
          reason.startsWith(switchId + ": ")
              || reason.startsWith(device + ": ")
              || reason.startsWith(switchId + " is ");
      boolean ofLink =
          reason.startsWith("link " + switchId + "/")
              || reason.startsWith("port " + switchId + "/")
              || (reason.startsWith("link ")
                  && reason.split(" ", 3)[1].contains("-" + switchId + "/"));
      if (ofSwitch || ofLink) {
        return reason;
      }
    }
    return "";
  }
}
