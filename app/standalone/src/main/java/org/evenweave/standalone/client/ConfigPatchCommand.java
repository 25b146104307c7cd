package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evenweave config patch}: changes some fields. */
@Command(
    name = "patch",
    description = {
      "Changes the named fields and leaves the others: a JSON Merge Patch (RFC 7386).",
      "Either all are changed or none. Prints the differences afterwards."
    })
final class ConfigPatchCommand extends ClientCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "The patch; -: standard input.")
  private String file;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    String patch = ConfigFile.text(file);
    JsonNode before = rest.get("configuration");
    JsonNode after = rest.patch("configuration", patch);
    print(after, JsonDifference.text(before, after));
    return 0;
  }
}
