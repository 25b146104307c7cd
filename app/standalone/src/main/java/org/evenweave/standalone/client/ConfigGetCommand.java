package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code evenweave config get}: the configuration in force. */
@Command(name = "get", description = "Prints the configuration in force, as config apply takes it.")
final class ConfigGetCommand extends ClientCommand {
  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode configuration = rest.get("configuration");
    print(configuration, configuration.toPrettyString() + "\n");
    return 0;
  }
}
