package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/**
 * Shows counts of packets that hosts sent to the controller, and of packets dropped because of
 * their source address.
 */
@Service
@Command(
    scope = "onos",
    name = "wcmp-packets",
    description = "Counts hosts' packets to the controller, and those that source guard dropped")
public final class PacketsCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("packets"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with(data, "handled")
            .with(data, "malformed")
            .with(data, "dropped")
            .with("sourceRefused", data.path("sourceGuard").path("dropped").asLong())
            .toString());
    data.path("ports").forEach(port -> lines.add(new Line(1).withValues(port).toString()));
    for (JsonNode port : data.path("sourceGuard").path("ports")) {
      lines.add(
          new Line(1)
              .with(port, "switch")
              .with(port, "port")
              .with("sourceRefused", port.get("dropped").asLong())
              .toString());
    }
    for (JsonNode id : data.path("sourceGuard").path("unguarded")) {
      lines.add(new Line(1).with("unguarded", id.asText()).toString());
    }
    return lines;
  }
}
