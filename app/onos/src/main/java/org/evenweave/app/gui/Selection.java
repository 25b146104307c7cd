package org.evenweave.app.gui;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The pair of switches that the operator has selected in the topology view. */
final class Selection {
  static final String AUTO = "auto";
  static final String OFF = "off";

  /** Two switches, and the direction of the traffic between them. */
  static final class Pair {
    private final String from;
    private final String to;

    Pair(String from, String to) {
      this.from = from;
      this.to = to;
    }

    /** Asks for all paths from one to the other. */
    String pathsQuery() {
      return "paths?limit=" + ResponseCache.PAGE + "&from=" + encode(from) + "&to=" + encode(to);
    }

    private static String encode(String switchId) {
      return URLEncoder.encode(switchId, StandardCharsets.UTF_8);
    }

    /** As {@link Selection#parse} reads it. */
    @Override
    public String toString() {
      return from + " " + to;
    }
  }

  private final boolean off;
  private final Pair chosen;

  private Selection(boolean off, Pair chosen) {
    this.off = off;
    this.chosen = chosen;
  }

  /**
   * @param text {@code auto}, {@code off}, or two switch ids with a space between them
   * @throws IllegalArgumentException saying what it must be
   */
  static Selection parse(String text) {
    String[] words = text.trim().split("\\s+", -1);
    if (words.length == 2 && !words[0].equals(words[1])) {
      return new Selection(false, new Pair(words[0], words[1]));
    }
    if (words.length == 1 && (words[0].equals(AUTO) || words[0].equals(OFF))) {
      return new Selection(words[0].equals(OFF), null);
    }
    throw new IllegalArgumentException(
        "must be auto, off or two different switches, as in \"s1-0 s1-2\", not \"" + text + "\"");
  }

  /** Whether nothing is to be drawn at all. */
  boolean isOff() {
    return off;
  }

  /**
   * The pair to show. Without a choice it is the first pair of edge switches whose traffic leaves
   * by unequal weights, since that is what ECMP would get wrong; else the first pair with a group.
   *
   * @param groups rows of the resource {@code groups}
   */
  Optional<Pair> pair(List<JsonNode> groups) {
    if (off || chosen != null) {
      return Optional.ofNullable(chosen);
    }
    Set<String> edges = new HashSet<>();
    groups.forEach(group -> edges.add(group.get("destination").asText()));
    Pair first = null;
    for (JsonNode group : groups) {
      if (edges.contains(group.get("switch").asText())) {
        Pair pair = new Pair(group.get("switch").asText(), group.get("destination").asText());
        if (hasUnequalWeights(group)) {
          return Optional.of(pair);
        }
        first = first == null ? pair : first;
      }
    }
    return Optional.ofNullable(first);
  }

  private static boolean hasUnequalWeights(JsonNode group) {
    Set<Double> weights = new HashSet<>();
    group.get("ports").forEach(port -> weights.add(port.get("wanted").asDouble()));
    return weights.size() > 1;
  }
}
