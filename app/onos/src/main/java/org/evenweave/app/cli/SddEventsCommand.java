package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists which triggers have fired: where, how often, when last; and the last events. */
@Service
@Command(
    scope = "onos",
    name = "sdd-events",
    description = "Lists which of the SDD controller's triggers have fired, and the last events")
public final class SddEventsCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("sdd/events"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with("triggers", data.get("triggers").size())
            .with("events", data.get("events").size())
            .toString());
    for (JsonNode trigger : data.get("triggers")) {
      lines.add(new Line(1).withValues(trigger).toString());
      for (JsonNode host : trigger.get("hosts")) {
        lines.add(new Line(2).withValues(host).toString());
      }
    }
    for (JsonNode event : data.get("events")) {
      lines.add(new Line(1).withValues(event).toString());
    }
    return lines;
  }
}
