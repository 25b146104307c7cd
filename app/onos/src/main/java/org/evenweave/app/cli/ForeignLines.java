package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Lines on foreign rules and groups. */
final class ForeignLines {
  private ForeignLines() {}

  /**
   * A line for each.
   *
   * @param data has them as {@code foreign}
   */
  static List<String> of(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode rule : data.path("foreign").path("rules")) {
      lines.add(
          new Line(1)
              .with("foreignRule", rule.get("switch").asText())
              .with(rule, "effect")
              .with(rule, "owner")
              .with(rule, "table")
              .with(rule, "priority")
              .with(rule, "match")
              .with(rule, "actions")
              .toString());
    }
    for (JsonNode group : data.path("foreign").path("groups")) {
      lines.add(
          new Line(1)
              .with("foreignGroup", group.get("switch").asText())
              .with(group, "groupId")
              .with(group, "group")
              .toString());
    }
    return lines;
  }
}
