package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenweave config apply}: replaces the configuration. */
@Command(
    name = "apply",
    description = {
      "Replaces the whole configuration without loss.",
      "Changes nothing if the controller refuses it. Prints the differences. With --dry-run it"
          + " checks the file as the controller would, shows the differences, and changes"
          + " nothing."
    })
final class ConfigApplyCommand extends ClientCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "A configuration; -: standard input.")
  private String file;

  @Option(names = "--dry-run", description = "Changes nothing.")
  private boolean dryRun;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    WantedConfiguration wanted = WantedConfiguration.read(file);
    JsonNode before = rest.get("configuration");
    JsonNode after =
        dryRun ? wanted.normalised() : rest.send("PUT", "configuration", wanted.text());
    print(
        json && !dryRun ? after : JsonDifference.json(before, after),
        JsonDifference.text(before, after));
    return 0;
  }
}
