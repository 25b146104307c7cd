package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists what missed its slot, by host and queue, and by port of the circuit switch. */
@Service
@Command(
    scope = "onos",
    name = "sdd-misses",
    description = "Lists packets out of slot, late starts, and drops of the circuit switch")
public final class SddMissesCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("sdd/misses"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).withValues(data).toString());
    for (JsonNode row : data.get("hosts")) {
      lines.add(new Line(1).withValues(row).toString());
    }
    if (data.has("circuitSwitch")) {
      JsonNode circuitSwitch = data.get("circuitSwitch");
      lines.add(new Line(0).withValues(circuitSwitch).toString());
      for (JsonNode port : circuitSwitch.get("ports")) {
        lines.add(new Line(1).withValues(port).toString());
      }
    }
    return lines;
  }
}
