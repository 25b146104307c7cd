package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the demand that the SDD controller planned for last. */
@Service
@Command(
    scope = "onos",
    name = "sdd-demand",
    description =
        "Lists the demand that was last planned for, by pair of hosts and by circuit class")
public final class SddDemandCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("sdd/demand"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0).with("pairs", data.get("demand").size()).with(data, "totalBytes").toString());
    for (JsonNode pair : data.get("demand")) {
      lines.add(new Line(1).withValues(pair).toString());
    }
    for (JsonNode observed : data.path("classes")) {
      lines.add(new Line(1).withValues(observed).toString());
      for (JsonNode pair : observed.get("demand")) {
        lines.add(new Line(2).withValues(pair).toString());
      }
    }
    return lines;
  }
}
