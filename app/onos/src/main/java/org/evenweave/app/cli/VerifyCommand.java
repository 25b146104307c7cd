package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/**
 * Reads every switch and verifies its tables; fails unless they are correct. Repairs on request.
 */
@Service
@Command(
    scope = "onos",
    name = "wcmp-verify",
    description =
        "Reads every switch back and lists differences and violations; fails if there are any")
public final class VerifyCommand extends EvenweaveCommand {
  @Option(name = "--repair", description = "Repairs switches that differ, as an audit does")
  boolean repairs;

  @Override
  protected JsonNode data() throws Exception {
    return request(repairs ? RestRequest.post("verification") : RestRequest.get("verification"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with(data, "ok")
            .with(data, "state")
            .with(data, "confirmed")
            .with(data, "converged")
            .with(data, "switches")
            .with("violations", data.get("violations").size())
            .with("differences", data.get("differences").size())
            .with("unread", data.get("unread").size())
            .toString());
    lines.addAll(StatusCommand.reasons(data));
    for (JsonNode violation : data.get("violations")) {
      lines.add(
          new Line(1)
              .with("violation", violation.get("kind").asText())
              .with(violation, "switch")
              .with(violation, "destination")
              .with(violation, "detail")
              .toString());
    }
    for (JsonNode difference : data.get("differences")) {
      lines.add(
          new Line(1)
              .with("difference", difference.get("switch").asText())
              .with("wanted", difference.path("wanted").asText("none"))
              .with("found", difference.path("found").asText("none"))
              .toString());
    }
    for (JsonNode unread : data.get("unread")) {
      lines.add(
          new Line(1)
              .with("unread", unread.get("switch").asText())
              .with(unread, "problem")
              .toString());
    }
    lines.addAll(ForeignLines.of(data));
    return lines;
  }

  @Override
  protected void conclude(JsonNode data) throws CommandException {
    if (!data.get("ok").asBoolean()) {
      boolean isPlanned =
          data.get("violations").size() + data.get("differences").size() + data.get("unread").size()
              > 0;
      throw new CommandException(
          isPlanned
              ? "problems were found"
              : "nothing can be verified yet: " + data.path("reasons").path(0).asText("no plan"));
    }
  }
}
