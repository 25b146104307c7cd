package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave paths}: the paths of a pair of switches. */
@Command(
    name = "paths",
    description = "Shows every path between two switches, with its share of their traffic.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave paths s1-0 s1-2"})
public final class PathsCommand extends ClientCommand {
  @Parameters(index = "0", paramLabel = "FROM", description = "A connected switch.")
  private String from;

  @Parameters(index = "1", paramLabel = "TO", description = "A connected switch with subnets.")
  private String to;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode answer =
        rest.get("paths?from=" + Rest.encoded(from) + "&to=" + Rest.encoded(to) + "&limit=10000");
    Table table = new Table("SHARE", "IDEAL", "LINKS");
    for (JsonNode path : answer.path("paths")) {
      List<String> links = new ArrayList<>();
      path.path("links").forEach(link -> links.add(link.asText()));
      table.row(
          ratio(path.path("realisedShare")),
          ratio(path.path("idealShare")),
          String.join(" ", links) + (path.path("leftOut").asBoolean() ? " (left out)" : ""));
    }
    boolean complete = answer.path("complete").asBoolean();
    print(answer, table + (complete ? "" : "There are more paths than these.\n"));
    return 0;
  }
}
