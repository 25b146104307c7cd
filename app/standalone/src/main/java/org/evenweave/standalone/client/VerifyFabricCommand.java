package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenweave verify-fabric}: whether the switches hold what they should. */
@Command(
    name = "verify-fabric",
    description = {
      "Compares all switches with what the controller has installed in them.",
      "It finds loops, black holes, wrong shares, rules that differ from the installed ones, and"
          + " foreign rules. Exits with 4 if it finds something.",
      "To check given tables without a controller: evenweave verify"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave verify-fabric", "  evenweave verify-fabric --repair"})
public final class VerifyFabricCommand extends ClientCommand {
  @Option(names = "--repair", description = "Repairs switches that differ.")
  private boolean repair;

  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode found = rest.send(repair ? "POST" : "GET", "verification", null);
    StringBuilder text = new StringBuilder();
    Table violations = new Table("VIOLATION", "SWITCH", "TRAFFIC TO", "DETAIL");
    for (JsonNode row : found.path("violations")) {
      violations.row(
          row.path("kind").asText(),
          row.path("switch").asText(),
          row.path("destination").asText(),
          row.path("detail").asText());
    }
    Table differences = new Table("SWITCH", "WANTED", "FOUND");
    for (JsonNode row : found.path("differences")) {
      differences.row(
          row.path("switch").asText(),
          row.path("wanted").asText("nothing"),
          row.path("found").asText("nothing"));
    }
    Table unread = new Table("NOT READ", "PROBLEM");
    for (JsonNode row : found.path("unread")) {
      unread.row(row.path("switch").asText(), row.path("problem").asText());
    }
    for (Table table : new Table[] {violations, differences, unread}) {
      text.append(table.isEmpty() ? "" : table + "\n");
    }
    boolean ok = found.path("ok").asBoolean();
    text.append(found.path("switches").asText()).append(" switches were read: ");
    text.append(
        ok ? "no problems were found\n" : repair ? "repair has begun\n" : "problems were found\n");
    print(found, text.toString());
    return ok ? 0 : ClientException.NOT_AS_IT_SHOULD_BE;
  }
}
