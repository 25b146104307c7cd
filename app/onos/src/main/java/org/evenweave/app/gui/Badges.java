package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.DeviceId;
import org.onosproject.ui.topo.DeviceHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.NodeBadge;

/**
 * The devices' badges: how full the multipath table is, in percent; in its stead, that groups wait
 * for confirmation or that the switch fails, with the reason.
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
   * Adds a badge for every switch that is in the view.
   *
   * @param switches rows of the resource {@code oversubscription}
   * @param groups rows of the resource {@code groups}
   * @param problem of the resource {@code status}; empty without
   */
  void addTo(
      Highlights highlights, List<JsonNode> switches, List<JsonNode> groups, String problem) {
    Map<String, Integer> pending = new HashMap<>();
    for (JsonNode group : groups) {
      if (group.get("state").asText().equals("pending")) {
        pending.merge(group.get("switch").asText(), 1, Integer::sum);
      }
    }
    for (JsonNode row : switches) {
      String switchId = row.get("switch").asText();
      DeviceId device = map.devices().get(switchId);
      if (device != null) {
        DeviceHighlight highlight = new DeviceHighlight(device.toString());
        String reason = reason(problem, switchId, device);
        highlight.setBadge(
            reason.isEmpty() ? badge(row, pending.getOrDefault(switchId, 0)) : failing(reason));
        highlights.add(highlight);
      }
    }
  }

  private static NodeBadge failing(String reason) {
    return NodeBadge.text(NodeBadge.Status.ERROR, "!", reason);
  }

  private static NodeBadge badge(JsonNode row, int pending) {
    return pending == 0
        ? tableUse(row)
        : NodeBadge.text(NodeBadge.Status.WARN, "…", pending + " groups wait for confirmation");
  }

  private static NodeBadge tableUse(JsonNode row) {
    long entries = row.get("entries").asLong();
    if (!row.has("table")) {
      return NodeBadge.text(NodeBadge.Status.INFO, "∞", entries + " multipath table entries");
    }
    long table = row.get("table").asLong();
    // Upwards, so that 0 means empty and 100 full.
    long percent = (PERCENT * entries + table - 1) / table;
    return NodeBadge.text(
        percent < NEARLY_FULL_PERCENT ? NodeBadge.Status.INFO : NodeBadge.Status.WARN,
        Long.toString(percent),
        entries + " of " + table + " multipath table entries");
  }

  /**
   * What of a problem concerns a switch. The engine joins one sentence per switch by semicolons,
   * each beginning with the switch id, or the device id where ONOS said it.
   */
  private static String reason(String problem, String switchId, DeviceId device) {
    for (String part : problem.split("; ")) {
      if (part.startsWith(switchId + ": ") || part.startsWith(device + ": ")) {
        return part;
      }
    }
    return "";
  }
}
