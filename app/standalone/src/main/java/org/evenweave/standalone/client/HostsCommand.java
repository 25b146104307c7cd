package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code evenweave hosts}: the hosts that are known, and where they are. */
@Command(
    name = "hosts",
    description = "Shows the hosts that a controller knows, with their ports.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave hosts", "  evenweave hosts --json | jq length"})
public final class HostsCommand extends ClientCommand {
  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode hosts = rest.get("topology").path("hosts");
    Table table = new Table("ADDRESS", "SWITCH", "PORT");
    for (JsonNode host : hosts) {
      table.row(
          host.path("address").asText(), host.path("switch").asText(), host.path("port").asText());
    }
    print(hosts, table.toString());
    return 0;
  }
}
