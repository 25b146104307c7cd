package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Shows or changes how weights are chosen, and leaves the rest of the configuration as it is. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-strategy",
    description = "Shows or changes the weight strategy")
public final class StrategyCommand extends EvenweaveCommand {
  @Argument(name = "strategy", description = "the new strategy; Tab lists the names")
  @Completion(StrategyCompleter.class)
  String strategy;

  @Override
  protected JsonNode data() throws Exception {
    return request(
        strategy == null
            ? RestRequest.get("strategy")
            : RestRequest.put(
                "strategy",
                JsonNodeFactory.instance.objectNode().put("strategy", strategy).toString()));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    return List.of(
        new Line(0).with(data, "strategy").with(data, "inForce").with(data, "why").toString());
  }
}
