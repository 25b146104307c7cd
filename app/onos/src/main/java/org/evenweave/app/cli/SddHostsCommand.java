package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the SDD controller's hosts and what waits in their queues. */
@Service
@Command(
    scope = "onos",
    name = "sdd-hosts",
    description = "Lists the SDD controller's hosts, their clocks, and the demand of their queues")
public final class SddHostsCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    JsonNode data = request(RestRequest.get("sdd/hosts"));
    addDemand(data, request(RestRequest.get("sdd/demand")));
    return data;
  }

  /** Adds to each host what it has to send, by destination. */
  static void addDemand(JsonNode data, JsonNode demand) {
    for (JsonNode host : data.get("hosts")) {
      ArrayNode rows = ((ObjectNode) host).putArray("demand");
      for (JsonNode pair : demand.get("demand")) {
        if (pair.get("from").equals(host.get("name"))) {
          ObjectNode row = rows.addObject();
          row.set("to", pair.get("to"));
          row.set("bytes", pair.get("bytes"));
        }
      }
    }
  }

  @Override
  protected List<String> lines(JsonNode data) {
    int connected = 0;
    List<String> lines = new ArrayList<>();
    for (JsonNode host : data.get("hosts")) {
      connected += host.get("connected").asBoolean() ? 1 : 0;
      lines.add(line(host).toString());
      for (JsonNode row : host.get("demand")) {
        lines.add(
            new Line(2).with(row, "to").with("demandBytes", row.get("bytes").asText()).toString());
      }
    }
    lines.add(
        0,
        new Line(0)
            .with("hosts", data.get("hosts").size())
            .with("connected", connected)
            .toString());
    return lines;
  }

  private static Line line(JsonNode host) {
    Line line = new Line(1).with("host", host.get("name").asText()).with(host, "connected");
    if (!host.get("connected").asBoolean()) {
      return line;
    }
    JsonNode clock = host.path("clock");
    String judged = clock.path("good").asBoolean() ? "good" : "bad";
    return line.with("clock", clock.isMissingNode() ? "unknown" : judged)
        .with(clock, "errorBoundNs")
        .with(host, "fallback")
        .with(host, "linkBps");
  }
}
