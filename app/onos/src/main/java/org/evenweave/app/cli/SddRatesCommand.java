package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the traffic classes, what each may send at each host, and what it does send. */
@Service
@Command(
    scope = "onos",
    name = "sdd-rates",
    description =
        "Lists the SDD controller's traffic classes and their permitted and measured rates")
public final class SddRatesCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("sdd/rates"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).with("classes", data.get("classes").size()).withValues(data).toString());
    for (JsonNode described : data.get("classes")) {
      lines.add(new Line(1).withValues(described).toString());
      for (JsonNode rate : data.get("rates")) {
        if (rate.get("class").equals(described.get("name"))) {
          lines.add(
              new Line(2)
                  .with(rate, "host")
                  .with(rate, "rateBps")
                  .with(rate, "arrivedBps")
                  .with(rate, "sentBps")
                  .with(rate, "queuedBytes")
                  .toString());
        }
      }
    }
    return lines;
  }
}
