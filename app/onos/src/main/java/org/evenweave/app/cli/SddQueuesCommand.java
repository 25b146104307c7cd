package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the queues of one of the SDD controller's hosts, read now. */
@Service
@Command(
    scope = "onos",
    name = "sdd-queues",
    description = "Lists the queues of one of the SDD controller's hosts")
public final class SddQueuesCommand extends EvenweaveCommand {
  /** More than a host ever has. */
  private static final int ALL = 2000;

  @Argument(name = "host", description = "The host's name", required = true)
  @Completion(SddHostCompleter.class)
  String host;

  @Override
  protected JsonNode data() throws Exception {
    String name = URLEncoder.encode(host, StandardCharsets.UTF_8);
    return request(RestRequest.get("sdd/queues?host=" + name + "&limit=" + ALL));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0).with(data, "host").with("queueCount", data.get("queues").size()).toString());
    for (JsonNode queue : data.get("queues")) {
      lines.add(new Line(1).withValues(queue).toString());
    }
    return lines;
  }
}
