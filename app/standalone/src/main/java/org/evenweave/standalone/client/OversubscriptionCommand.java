package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave oversubscription}: the table use of switches. */
@Command(
    name = "oversubscription",
    description = {
      "Shows, for each switch, the use of its limits and the largest oversubscription of its"
          + " groups.",
      "Where destinations share groups, it shows what that costs and the proved least; and the"
          + " ports that groups leave out, with their share of a group's capacity. Columns without"
          + " anything in them are not printed."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave oversubscription", "  evenweave oversubscription s1-0"})
public final class OversubscriptionCommand extends ClientCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "SWITCH", description = "Only this switch.")
  private String switchId;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    String query = switchId == null ? "" : "?switch=" + Rest.encoded(switchId);
    JsonNode answer = rest.getAll("oversubscription" + query, "switches");
    Table table =
        new Table(
            "SWITCH",
            "TARGET",
            "RULES",
            "GROUPS",
            "ENTRIES",
            "LARGEST GROUP",
            "WEIGHT",
            "TOTAL WEIGHT",
            "OVERSUBSCRIPTION",
            "SHARING",
            "LEFT OUT");
    for (JsonNode row : answer.path("switches")) {
      table.row(
          row.path("switch").asText(),
          row.path("target").asText(),
          used(row, "rules", row.path("rules").asText()),
          used(row, "groups", String.valueOf(row.path("groups").size())),
          used(row, "entries", row.path("entries").asText()),
          used(row, "groupEntries", ""),
          used(row, "maxWeight", ""),
          used(row, "maxTotalWeight", ""),
          ratio(row.path("oversubscription")),
          sharing(row.path("sharing")),
          leftOut(row.path("groups")));
    }
    print(answer, table + "limit " + answer.path("limit").asText() + "\n");
    return 0;
  }

  /**
   * How much of a limit a switch uses.
   *
   * @param unlimited what is shown where there is no such limit
   */
  private static String used(JsonNode row, String kind, String unlimited) {
    JsonNode limit = row.path("limits").path(kind);
    return limit.isMissingNode()
        ? unlimited
        : row.path("use").path(kind).asInt() + " of " + limit.asInt();
  }

  /** What it costs that destinations share groups, and the least that it can cost. */
  private static String sharing(JsonNode sharing) {
    return sharing.isMissingNode()
        ? ""
        : ratio(sharing.path("oversubscription"))
            + ", at least "
            + ratio(sharing.path("leastOversubscription"));
  }

  /** The ports that groups leave out, and the largest share of a group's capacity of each. */
  private static String leftOut(JsonNode groups) {
    Map<Integer, Double> shareOf = new TreeMap<>();
    for (JsonNode group : groups) {
      for (JsonNode each : group.path("leftOut")) {
        shareOf.merge(each.path("port").asInt(), each.path("share").asDouble(), Math::max);
      }
    }
    return shareOf.entrySet().stream()
        .map(
            each ->
                String.format(Locale.ROOT, "%d (%.2g %%)", each.getKey(), 100 * each.getValue()))
        .collect(Collectors.joining(", "));
  }
}
