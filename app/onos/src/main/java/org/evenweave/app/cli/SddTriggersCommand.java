package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/** Shows or replaces the triggers, or ends what one of them does. */
@Service
@Command(
    scope = "onos",
    name = "sdd-triggers",
    description = "Shows the SDD controller's triggers as configured, replaces or ends them")
public final class SddTriggersCommand extends EvenweaveCommand {
  @Argument(
      name = "triggers",
      description = "The triggers: JSON in the form of triggers in the configuration")
  String triggers;

  @Option(name = "--none", description = "Removes all triggers")
  boolean none;

  @Option(name = "--end", description = "Ends this trigger's actions now; it may fire again")
  String ended;

  @Override
  protected JsonNode data() throws Exception {
    if ((none ? 1 : 0) + (ended != null ? 1 : 0) + (triggers != null ? 1 : 0) > 1) {
      throw new CommandException("one of triggers, --none and --end, not two");
    }
    if (none || ended != null) {
      request(
          none
              ? RestRequest.delete("sdd/triggers")
              : RestRequest.post("sdd/triggers/" + SwitchResolver.encodedSegment(ended) + "/end"));
    }
    return request(
        triggers == null
            ? RestRequest.get("sdd/triggers")
            : JsonArgument.put("sdd/triggers", triggers));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    if (ended != null) {
      return lines;
    }
    lines.add(new Line(0).with("triggers", data.size()).toString());
    for (JsonNode trigger : data) {
      Line line = new Line(1).withValues(trigger);
      lines.add(
          (trigger.has("hosts") ? line.withList("hosts", trigger.get("hosts")) : line).toString());
      for (JsonNode action : trigger.path("actions")) {
        Line done = new Line(2).withValues(action);
        lines.add(
            (action.has("hosts") ? done.withList("hosts", action.get("hosts")) : done).toString());
      }
    }
    return lines;
  }
}
