package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** The state of the fabric, and the instance that leads. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-status",
    description = "Shows whether the fabric is as configured, and which instance leads")
public final class StatusCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("status"));
  }

  /** A line for each reason why the state is not converged, with those that are only counted. */
  static List<String> reasons(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode reason : data.path("reasons")) {
      lines.add(new Line(1).with("reason", reason.asText()).toString());
    }
    if (data.has("moreReasons")) {
      lines.add(new Line(1).with(data, "moreReasons").toString());
    }
    return lines;
  }

  @Override
  protected List<String> lines(JsonNode data) {
    Line line =
        new Line(0)
            .with(data, "leader")
            .with(data, "instance")
            .with(data, "state")
            .with(data, "confirmed")
            .with(data, "converged")
            .with(data, "strategy")
            .with(data, "strategyInForce")
            .with(data, "switches")
            .with(data, "links")
            .with(data, "hosts")
            .with(data, "groups")
            .with(data, "version");
    List<String> lines = new ArrayList<>();
    lines.add((data.has("problem") ? line.with(data, "problem") : line).toString());
    lines.addAll(reasons(data));
    JsonNode refused = data.path("refusedConfiguration");
    if (refused.isObject()) {
      lines.add(
          new Line(1)
              .with("refusedConfiguration", refused.get("field").asText())
              .with(refused, "problem")
              .with(refused, "at")
              .toString());
    }
    for (JsonNode setting : data.path("runtimeSettings")) {
      lines.add(
          new Line(1)
              .with("setting", setting.get("name").asText())
              .with(setting, "value")
              .with(setting, "original")
              .with(setting, "component")
              .toString());
    }
    return lines;
  }
}
