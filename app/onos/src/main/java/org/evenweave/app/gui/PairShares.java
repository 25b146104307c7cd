package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.LinkHighlight;
import org.onosproject.ui.topo.Mod;

/**
 * Labels and colours of the links that carry a pair's traffic.
 *
 * <p>A label is the share of the pair's traffic that the link gets, and in parentheses how far the
 * group before it is from the ideal there, if that is visible: {@code 33.6% (1.01)}. The view draws
 * parallel links on top of each other, so that the first has the label of all: {@code 2 × 16.8%}.
 * Links are red beyond the configured limit, else orange where the group is noticeably uneven, and
 * green otherwise. A limit of 1, which few tables can hold, asks for the best and judges nothing.
 */
final class PairShares {
  /** Classes of GUI2's own style sheet, made for port traffic. */
  static final Mod EVEN = new Mod("port-traffic-green");

  static final Mod UNEVEN = new Mod("port-traffic-orange");
  static final Mod BEYOND_LIMIT = new Mod("port-traffic-red");

  /** From here on two decimals show it. */
  private static final double VISIBLE = 1.005;

  /**
   * Rounding to the 256 slots of a group makes a share of 4 % or more at most so much too large
   * (half a slot in ten): below this a group is as even as its switch can have it.
   */
  private static final double NOTICEABLE = 1.05;

  /** A limit is compared with a quotient of doubles, which may miss it by their last digits. */
  private static final double ROUNDING = 1e-9;

  private static final double PERCENT = 100;

  /** What a link gets of all the pair's traffic. */
  private static final class Load {
    final FabricMap.Arc arc;
    final double oversubscription;
    double share;

    Load(FabricMap.Arc arc, double oversubscription) {
      this.arc = arc;
      this.oversubscription = oversubscription;
    }

    String shareText() {
      return String.format(Locale.ROOT, "%.1f%%", PERCENT * share);
    }
  }

  private final FabricMap map;
  private final double limit;

  /**
   * @param limit the oversubscription that is configured, at least 1
   */
  PairShares(FabricMap map, double limit) {
    this.map = map;
    this.limit = limit;
  }

  /**
   * Adds the links of a pair.
   *
   * @param paths the resource {@code paths} for the pair; one that is not complete adds nothing,
   *     because its shares would be too small
   * @param groups rows of the resource {@code groups}
   */
  void addTo(Highlights highlights, JsonNode paths, List<JsonNode> groups) {
    if (!paths.get("complete").asBoolean()) {
      return;
    }
    Map<String, List<Load>> lines = new LinkedHashMap<>();
    for (Load load : loads(paths, oversubscriptions(groups, paths))) {
      lines.computeIfAbsent(load.arc.line(), line -> new ArrayList<>()).add(load);
    }
    for (List<Load> line : lines.values()) {
      String label = label(line);
      for (Load load : line) {
        highlights.add(
            new LinkHighlight(load.arc.viewId(), LinkHighlight.Flavor.SECONDARY_HIGHLIGHT)
                .addMod(colour(load.oversubscription))
                .setLabel(label));
        label = "";
      }
    }
  }

  /**
   * The shares of the pair's traffic that lead through the switches between the two.
   *
   * @param paths as in {@link #addTo}
   */
  static Map<String, Double> through(JsonNode paths) {
    Map<String, Double> shares = new HashMap<>();
    if (paths.get("complete").asBoolean()) {
      for (JsonNode path : paths.get("paths")) {
        JsonNode links = path.get("links");
        for (int i = 1; i < links.size(); i++) {
          // It begins with the switch that the link leaves, as in "s2-0/3-s1-1/1".
          String link = links.get(i).asText();
          String switchId = link.substring(0, link.indexOf('/'));
          shares.merge(switchId, path.get("realisedShare").asDouble(), Double::sum);
        }
      }
    }
    return shares;
  }

  private Mod colour(double oversubscription) {
    if (limit > 1 && oversubscription > limit + ROUNDING) {
      return BEYOND_LIMIT;
    }
    return oversubscription > NOTICEABLE + ROUNDING ? UNEVEN : EVEN;
  }

  /** Every link on a path, with the sum of the paths' shares. */
  private Iterable<Load> loads(JsonNode paths, Map<SwitchPort, Double> oversubscriptions) {
    Map<String, Load> loads = new LinkedHashMap<>();
    for (JsonNode path : paths.get("paths")) {
      for (JsonNode link : path.get("links")) {
        Optional<FabricMap.Arc> arc = map.arc(link.asText());
        if (arc.isPresent()) {
          loads.computeIfAbsent(
                      link.asText(),
                      name ->
                          new Load(
                              arc.get(), oversubscriptions.getOrDefault(arc.get().from(), 1.0)))
                  .share +=
              path.get("realisedShare").asDouble();
        }
      }
    }
    return loads.values();
  }

  /** Realised share over ideal share by port, of the groups of the pair or of its destination. */
  private static Map<SwitchPort, Double> oversubscriptions(List<JsonNode> groups, JsonNode paths) {
    Map<SwitchPort, Double> ratios = new HashMap<>();
    Map<SwitchPort, Double> ofPair = new HashMap<>();
    for (JsonNode group : groups) {
      if (group.get("destination").equals(paths.get("to"))) {
        if (!group.has("source")) {
          addRatios(group, ratios);
        } else if (group.get("source").equals(paths.get("from"))) {
          addRatios(group, ofPair);
        }
      }
    }
    ratios.putAll(ofPair);
    return ratios;
  }

  private static void addRatios(JsonNode group, Map<SwitchPort, Double> ratios) {
    for (JsonNode port : group.get("ports")) {
      ratios.put(
          new SwitchPort(group.get("switch").asText(), port.get("port").asInt()),
          port.get("realisedShare").asDouble() / port.get("idealShare").asDouble());
    }
  }

  private static String label(List<Load> line) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    double worst = 1;
    for (Load load : line) {
      counts.merge(load.shareText(), 1, Integer::sum);
      worst = Math.max(worst, load.oversubscription);
    }
    List<String> shares = new ArrayList<>();
    counts.forEach((share, count) -> shares.add(count == 1 ? share : count + " × " + share));
    String ratio = worst < VISIBLE ? "" : String.format(Locale.ROOT, " (%.2f)", worst);
    return String.join(" + ", shares) + ratio;
  }
}
