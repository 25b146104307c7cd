package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the paths between two switches. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-paths",
    description = "Lists all paths between two switches, each with its share of their traffic")
public final class PathsCommand extends EvenweaveCommand {
  @Argument(
      index = 0,
      name = "src",
      description = "From (ONOS device id or switch id)",
      required = true)
  @Completion(SwitchCompleter.class)
  String from;

  @Argument(
      index = 1,
      name = "dst",
      description = "To (ONOS device id or switch id)",
      required = true)
  @Completion(SwitchCompleter.class)
  String to;

  @Override
  protected JsonNode data() throws Exception {
    SwitchResolver switches = SwitchResolver.here();
    return request(
        RestRequest.get(
            "paths?from="
                + SwitchResolver.encoded(switches.switchId(from))
                + "&to="
                + SwitchResolver.encoded(switches.switchId(to))));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    boolean complete = data.get("complete").asBoolean();
    lines.add(
        new Line(0)
            .with(data, "from")
            .with(data, "to")
            .with("pathCount", data.get("paths").size() + (complete ? "" : " or more"))
            .toString());
    for (JsonNode path : data.get("paths")) {
      List<String> links = new ArrayList<>();
      path.get("links").forEach(link -> links.add(link.asText()));
      lines.add(
          new Line(1)
              .withShare(path, "idealShare")
              .withShare(path, "realisedShare")
              .with(path, "leftOut")
              .with("links", String.join(" ", links))
              .toString());
    }
    return lines;
  }
}
