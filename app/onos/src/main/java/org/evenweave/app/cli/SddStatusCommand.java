package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** The status of the SDD controller, and the instance where it runs. */
@Service
@Command(
    scope = "onos",
    name = "sdd-status",
    description = "Shows the SDD controller's status, and which instance runs it")
public final class SddStatusCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("sdd/status"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    return List.of(new Line(0).withNestedValues(data).toString());
  }
}
