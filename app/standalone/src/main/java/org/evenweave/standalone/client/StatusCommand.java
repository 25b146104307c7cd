package org.evenweave.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code evenweave status}: whether the fabric is as configured. */
@Command(
    name = "status",
    description = "Shows whether a controller's fabric is as configured, and why not.",
    footerHeading = "%nExamples:%n",
    footer = {"  evenweave status", "  evenweave status --profile lab && echo converged"})
public final class StatusCommand extends ClientCommand {
  @Override
  int run(Rest rest) throws ClientException, InterruptedException {
    JsonNode status = rest.get("status");
    StringBuilder text = new StringBuilder();
    text.append("state     ").append(status.path("state").asText());
    text.append(status.path("confirmed").asBoolean() ? "" : ", changes are not confirmed yet");
    String strategy = status.path("strategy").asText();
    String inForce = status.path("strategyInForce").asText(strategy);
    text.append("\nstrategy  ").append(strategy);
    text.append(inForce.equals(strategy) ? "" : ", now " + inForce);
    text.append("\nswitches  ").append(count(status, "switches"));
    text.append("\nlinks     ").append(count(status, "links"));
    text.append("\nhosts     ").append(status.path("hosts").asText());
    text.append("\ngroups    ").append(status.path("groups").asText());
    if (status.has("problem")) {
      text.append("\nproblem   ").append(status.get("problem").asText());
    }
    if (!status.path("reasons").isEmpty()) {
      text.append("\nreasons");
      status.path("reasons").forEach(reason -> text.append("\n  - ").append(reason.asText()));
      int more = status.path("moreReasons").asInt();
      text.append(more == 0 ? "" : "\n  and " + more + " more");
    }
    print(status, text.append('\n').toString());
    return status.path("converged").asBoolean() ? 0 : ClientException.NOT_AS_IT_SHOULD_BE;
  }

  private static String count(JsonNode status, String what) {
    int missing = status.path("missing").path(what).asInt();
    return status.path(what).asText() + (missing == 0 ? "" : ", " + missing + " missing");
  }
}
