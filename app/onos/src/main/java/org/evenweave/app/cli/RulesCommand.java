package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists Evenweave's rules, read from the switches now. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-rules",
    description =
        "Lists Evenweave's rules, read from the switches now; ONOS's command flows lists none of them")
public final class RulesCommand extends EvenweaveCommand {
  @Argument(name = "device", description = "One switch only (ONOS device id or switch id)")
  @Completion(SwitchCompleter.class)
  String device;

  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("tables?" + SwitchResolver.here().query(device)));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode table : data.get("tables")) {
      lines.add(
          new Line(0)
              .with(table, "switch")
              .with("groupCount", table.get("groups").size())
              .with("ruleCount", table.get("rules").size())
              .toString());
      for (JsonNode rule : table.get("rules")) {
        Line line = new Line(1).with(rule, "priority").with(rule, "match").with(rule, "action");
        if (rule.has("groupId")) {
          line.withGroupId("group", rule);
        }
        lines.add(line.with(rule, "port").with(rule, "packets").toString());
      }
    }
    for (JsonNode unread : data.get("unread")) {
      lines.add(new Line(0).with(unread, "switch").with(unread, "problem").toString());
    }
    return lines;
  }
}
