package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Includes an excluded switch or link again. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-include",
    description = "Puts an excluded switch or link back into service")
public final class IncludeCommand extends ExclusionsCommand {
  @Argument(
      name = "element",
      description =
          "A switch (ONOS device id or switch id), or a link by one of its ends, as s1-0/1",
      required = true)
  @Completion(SwitchCompleter.class)
  String element;

  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.delete(resource(element)));
  }
}
