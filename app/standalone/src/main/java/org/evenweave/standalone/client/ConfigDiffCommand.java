package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave config diff}: a file against the configuration in force. */
@Command(
    name = "diff",
    description = {
      "Shows, by field, what config apply with this file would change.",
      "Exits with 4 if there is a difference."
    })
final class ConfigDiffCommand extends ClientCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "A configuration; -: standard input.")
  private String file;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode wanted = WantedConfiguration.read(file).normalised();
    JsonNode present = rest.get("configuration");
    print(JsonDifference.json(present, wanted), JsonDifference.text(present, wanted));
    return JsonDifference.of(present, wanted).isEmpty() ? 0 : ClientException.NOT_AS_IT_SHOULD_BE;
  }
}
