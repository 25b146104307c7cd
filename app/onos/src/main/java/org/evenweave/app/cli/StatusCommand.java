package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.Question;

/** Whether the fabric is as it should be, and which instance sees to it. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-status",
    description = "Shows whether the fabric is as it should be, and which instance leads")
public final class StatusCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return ask(Question.get("status"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    Line line =
        new Line(0)
            .with(data, "leader")
            .with(data, "instance")
            .with(data, "converged")
            .with(data, "strategy")
            .with(data, "switches")
            .with(data, "links")
            .with(data, "hosts")
            .with(data, "groups")
            .with(data, "version");
    return List.of((data.has("problem") ? line.with(data, "problem") : line).toString());
  }
}
