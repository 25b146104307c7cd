package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the traffic matrix as measured. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-traffic",
    description = "Lists the measured traffic matrix: the rate from each switch to each prefix")
public final class TrafficCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("traffic"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).withValues(data).toString());
    for (JsonNode from : data.get("switches")) {
      lines.add(new Line(0).withValues(from).toString());
      for (JsonNode demand : data.get("demands")) {
        if (demand.get("from").equals(from.get("switch"))) {
          lines.add(new Line(1).with(demand, "to").with(demand, "bps").toString());
        }
      }
    }
    return lines;
  }
}
