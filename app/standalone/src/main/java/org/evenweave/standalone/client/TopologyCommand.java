package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenweave topology}: the discovered network. */
@Command(
    name = "topology",
    description = "Shows the discovered switches, or links, of a controller's fabric.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave topology",
      "  evenweave topology --links",
      "  evenweave topology --json"
    })
public final class TopologyCommand extends ClientCommand {
  @Option(names = "--links", description = "Shows the links instead of the switches.")
  private boolean links;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode topology = rest.get("topology");
    String tables = links ? linkTable(topology) : switchTable(topology);
    print(topology, tables);
    return 0;
  }

  private static String switchTable(JsonNode topology) {
    JsonNode fabric = topology.path("fabric");
    Map<String, Integer> linkCount = new HashMap<>();
    Map<String, Integer> hostCount = new HashMap<>();
    for (JsonNode link : fabric.path("links")) {
      linkCount.merge(switchOf(link.path("a").asText()), 1, Integer::sum);
      linkCount.merge(switchOf(link.path("b").asText()), 1, Integer::sum);
    }
    for (JsonNode host : topology.path("hosts")) {
      hostCount.merge(host.path("switch").asText(), 1, Integer::sum);
    }
    Table table = new Table("SWITCH", "STAGE", "LINKS", "HOSTS", "TABLE", "TARGET");
    for (JsonNode row : fabric.path("switches")) {
      String id = row.path("id").asText();
      table.row(
          id,
          row.path("stage").asText(),
          linkCount.getOrDefault(id, 0),
          hostCount.getOrDefault(id, 0),
          row.path("table").asText(),
          row.path("target").asText());
    }
    return table.toString();
  }

  private static String switchOf(String end) {
    return end.substring(0, Math.max(0, end.lastIndexOf('/')));
  }

  private static String linkTable(JsonNode topology) {
    Map<String, String> notes = new HashMap<>();
    topology.path("trustedLinks").forEach(link -> notes.put(link.asText(), "not verified yet"));
    topology.path("dampedLinks").forEach(link -> notes.put(link.asText(), "damped"));
    topology.path("avoidedLinks").forEach(link -> notes.put(link.asText(), "avoided"));
    Table table = new Table("A", "B", "RATE", "NOTE");
    for (JsonNode link : topology.path("fabric").path("links")) {
      String a = link.path("a").asText();
      String b = link.path("b").asText();
      table.row(a, b, bps(link.path("bps").asDouble()), notes.getOrDefault(a + "-" + b, ""));
    }
    for (JsonNode link : topology.path("unexpectedLinks")) {
      table.row(link.path("a").asText(), link.path("b").asText(), "", "not configured");
    }
    return table.toString();
  }
}
