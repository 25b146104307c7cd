package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the links that are damped because they fail too often, or releases one. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-damping",
    description = "Lists the links that are damped, or releases one")
public final class DampingCommand extends EvenweaveCommand {
  private static final String RESOURCE = "damping";

  @Argument(
      name = "release",
      description = "Releases the link with this end, as s1-0/1",
      required = false)
  String release;

  @Override
  protected JsonNode data() throws Exception {
    if (release == null) {
      return request(RestRequest.get(RESOURCE));
    }
    String end = SwitchResolver.here().elementId(release);
    return request(RestRequest.delete(RESOURCE + "/" + SwitchResolver.encodedPath(end)));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(new Line(0).with("dampedLinks", data.get("links").size()).toString());
    data.get("links").forEach(link -> lines.add(new Line(1).withValues(link).toString()));
    return lines;
  }
}
