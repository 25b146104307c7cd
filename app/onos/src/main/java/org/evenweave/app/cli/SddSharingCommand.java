package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/** Shows or replaces the traffic classes while sessions, queues and packets stay. */
@Service
@Command(
    scope = "onos",
    name = "sdd-sharing",
    description = "Shows the SDD controller's traffic classes as configured, or replaces them")
public final class SddSharingCommand extends EvenweaveCommand {
  @Argument(
      name = "sharing",
      description = "The classes: JSON in the form of sharing in the configuration")
  String sharing;

  @Option(name = "--none", description = "Removes all classes")
  boolean none;

  @Override
  protected JsonNode data() throws Exception {
    if (none && sharing != null) {
      throw new CommandException("--none goes without classes");
    }
    if (none) {
      request(RestRequest.delete("sdd/sharing"));
      return JsonNodeFactory.instance.objectNode();
    }
    return request(
        sharing == null
            ? RestRequest.get("sdd/sharing")
            : JsonArgument.put("sdd/sharing", sharing));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).with("classes", data.path("classes").size()).withValues(data).toString());
    addAll(data.path("classes"), lines);
    for (JsonNode override : data.path("overrides")) {
      lines.add(
          new Line(1).withList("hosts", override.get("hosts")).withValues(override).toString());
      for (JsonNode numbers : override.path("classes")) {
        lines.add(new Line(2).withValues(numbers).toString());
      }
    }
    return lines;
  }

  private static void addAll(JsonNode classes, List<String> lines) {
    for (JsonNode each : classes) {
      lines.add(new Line(1).withValues(each).toString());
      int number = 0;
      for (JsonNode flow : each.path("flows")) {
        lines.add(new Line(2).with("flow", number++).withValues(flow).toString());
      }
    }
  }
}
