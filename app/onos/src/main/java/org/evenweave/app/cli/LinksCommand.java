package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/**
 * Shows the measured quality of links that are up, and ports whose configuration forbids
 * forwarding.
 */
@Service
@Command(
    scope = "onos",
    name = "wcmp-links",
    description = "Lists losses, errors and MTU of each link, and ports that may not forward")
public final class LinksCommand extends EvenweaveCommand {
  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("links"));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode link : data.get("links")) {
      lines.add(
          new Line(0)
              .with(link, "link")
              .with(link, "mtu")
              .with(link, "lossy")
              .with(link, "slow")
              .with(link, "mtuTooSmall")
              .with(link, "avoided")
              .toString());
      link.get("directions")
          .forEach(direction -> lines.add(new Line(1).withValues(direction).toString()));
    }
    for (JsonNode port : data.get("ports")) {
      List<String> settings = new ArrayList<>();
      port.get("settings").forEach(setting -> settings.add(setting.asText()));
      lines.add(
          new Line(0)
              .with("port", port.get("port").asText())
              .with("settings", String.join(",", settings))
              .toString());
    }
    return lines;
  }
}
