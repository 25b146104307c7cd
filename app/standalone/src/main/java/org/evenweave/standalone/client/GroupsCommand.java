package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave groups}: wanted and installed weights. */
@Command(
    name = "groups",
    description =
        "Shows a controller's groups: for each port the ideal weight, the planned and the"
            + " installed entries, the share that they give, and why the port is left out.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave groups", "  evenweave groups s1-0"})
public final class GroupsCommand extends ClientCommand {
  @Parameters(index = "0", arity = "0..1", paramLabel = "SWITCH", description = "Only this switch.")
  private String switchId;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    String query = switchId == null ? "" : "?switch=" + Rest.encoded(switchId);
    JsonNode answer = rest.getAll("groups" + query, "groups");
    Table table =
        new Table(
            "SWITCH",
            "TO",
            "FROM",
            "GROUP",
            "STATE",
            "PORT",
            "VIA",
            "WEIGHT",
            "ENTRIES",
            "INSTALLED",
            "SHARE",
            "IDEAL",
            "LEFT OUT");
    for (JsonNode group : answer.path("groups")) {
      Map<Integer, String> whyLeftOut = new HashMap<>();
      for (JsonNode each : group.path("leftOut")) {
        whyLeftOut.put(each.path("port").asInt(), each.path("why").asText());
      }
      for (JsonNode port : group.path("ports")) {
        table.row(
            group.path("switch").asText(),
            group.path("destination").asText(),
            group.path("source").asText(),
            group.path("groupId").asText(),
            group.path("state").asText(),
            port.path("port").asText(),
            port.path("via").asText(),
            port.path("wanted").asText(),
            port.path("slots").asText(),
            port.path("installed").asText(),
            ratio(port.path("realisedShare")),
            ratio(port.path("idealShare")),
            whyLeftOut.get(port.path("port").asInt()));
      }
    }
    print(answer, table.toString());
    return 0;
  }
}
