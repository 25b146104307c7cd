package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/** Removes all that the application has installed in switches, before it is uninstalled. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-purge",
    description =
        "Removes all groups and rules of the application from all switches, and BFD where it has"
            + " set that up, and deactivates it: traffic stops")
public final class PurgeCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.post("purge"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with(data, "switches")
            .with("groupsRemoved", data.get("groups").asText())
            .with("rulesRemoved", data.get("rules").asText())
            .with("failed", data.get("failed").size())
            .toString());
    for (JsonNode failed : data.get("failed")) {
      String where = failed.has("switch") ? "switch" : "server";
      lines.add(new Line(1).with(failed, where).with(failed, "problem").toString());
    }
    lines.add("the application is being deactivated; \"app activate\" installs all again");
    return lines;
  }

  @Override
  protected void conclude(JsonNode data) throws CommandException {
    if (data.get("failed").size() > 0) {
      throw new CommandException("some switches may still hold groups and rules, or run BFD");
    }
  }
}
