package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Lists how full the multipath tables are and what that costs in shares. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-oversub",
    description = "Lists use of multipath tables and oversubscription, per switch and group")
public final class OversubscriptionCommand extends EvenweaveCommand {
  @Argument(name = "device", description = "One switch only (ONOS device id or switch id)")
  @Completion(SwitchCompleter.class)
  String device;

  @Override
  protected JsonNode data() throws Exception {
    return requestAll("oversubscription", "switches", SwitchResolver.here().query(device));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).with("maxOversubscription", data.get("limit").asText()).toString());
    for (JsonNode node : data.get("switches")) {
      Line ofSwitch =
          new Line(0)
              .with(node, "switch")
              .with(node, "entries")
              .with("table", node.has("table") ? node.get("table").asText() : "unlimited")
              .with(node, "target")
              .withRatio(node, "oversubscription")
              .with("groupCount", node.get("groups").size());
      node.path("limits")
          .fields()
          .forEachRemaining(
              limit ->
                  ofSwitch.with(
                      limit.getKey() + "Used",
                      node.path("use").path(limit.getKey()).asText() + "/" + limit.getValue()));
      ofSwitch
          .withRatio("sharing", node.path("sharing"), "oversubscription")
          .withRatio("sharingAtLeast", node.path("sharing"), "leastOversubscription");
      lines.add(ofSwitch.toString());
      for (JsonNode group : node.get("groups")) {
        lines.add(
            new Line(1)
                .withGroupId(group)
                .with(group, "destinations")
                .with(group, "ports")
                .with(group, "entries")
                .withRatio(group, "oversubscription")
                .withShare(group, "unusedShare")
                .toString());
        for (JsonNode port : group.path("leftOut")) {
          lines.add(
              new Line(2)
                  .with("leftOut", port.get("port").asInt())
                  .withShare(port, "share")
                  .with(port, "why")
                  .toString());
        }
      }
    }
    return lines;
  }
}
