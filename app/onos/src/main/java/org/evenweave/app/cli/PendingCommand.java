package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists changes requested of switches that are not confirmed. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-pending",
    description = "Lists changes that switches have not confirmed, the oldest first")
public final class PendingCommand extends EvenweaveCommand {
  private static final long MILLISECOND_MICROS = 1000;

  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("pending"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with("pending", data.get("pending").size())
            .with(data, "confirmed")
            .with(data, "failed")
            .toString());
    for (JsonNode entry : data.get("pending")) {
      lines.add(
          new Line(1)
              .with(entry, "device")
              .with("age", entry.get("ageMicros").asLong() / MILLISECOND_MICROS + "ms")
              .with("operations", entry.get("operations").size())
              .toString());
      entry.get("operations").forEach(operation -> lines.add("      " + operation.asText()));
    }
    return lines;
  }
}
