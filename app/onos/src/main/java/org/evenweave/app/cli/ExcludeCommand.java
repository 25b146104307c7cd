package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Drains a switch or link for maintenance, or lists what is excluded. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-exclude",
    description = "Drains a switch or link, or lists those that are excluded")
public final class ExcludeCommand extends ExclusionsCommand {
  @Argument(
      name = "element",
      description =
          "A switch (ONOS device id or switch id), or a link by one of its ends, as s1-0/1",
      required = false)
  @Completion(SwitchCompleter.class)
  String element;

  @Override
  protected JsonNode data() throws Exception {
    if (element == null) {
      return request(RestRequest.get(RESOURCE));
    }
    return request(RestRequest.put(resource(element), ""));
  }
}
