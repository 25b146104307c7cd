package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave oversubscription}: the table use of switches. */
@Command(
    name = "oversubscription",
    description = {
      "Shows, for each switch, the use of its table and the largest oversubscription of its groups."
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
        new Table("SWITCH", "TARGET", "RULES", "GROUPS", "ENTRIES", "TABLE", "OVERSUBSCRIPTION");
    for (JsonNode row : answer.path("switches")) {
      table.row(
          row.path("switch").asText(),
          row.path("target").asText(),
          used(row, "rules", row.path("rules").asInt()),
          used(row, "groups", row.path("groups").size()),
          row.path("entries").asText(),
          row.path("table").asText(),
          ratio(row.path("oversubscription")));
    }
    print(answer, table + "limit " + answer.path("limit").asText() + "\n");
    return 0;
  }

  /** How many a switch has, and of how many where that is limited. */
  private static String used(JsonNode row, String kind, int shown) {
    JsonNode limit = row.path("limits").path(kind);
    return limit.isMissingNode()
        ? String.valueOf(shown)
        : row.path("use").path(kind).asInt() + " of " + limit.asInt();
  }
}
