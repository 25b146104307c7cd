package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists the queues of the SDD controller's hosts, or of one of them, read now. */
@Service
@Command(
    scope = "onos",
    name = "sdd-queues",
    description = "Lists the queues of the SDD controller's hosts that are connected, or of one")
public final class SddQueuesCommand extends EvenweaveCommand {
  /** More than a host ever has. */
  private static final int ALL = 2000;

  @Argument(name = "host", description = "The host's name; all that are connected without it")
  @Completion(SddHostCompleter.class)
  String host;

  @Override
  protected JsonNode data() throws Exception {
    return host == null ? ofAll() : of(host);
  }

  private JsonNode of(String name) throws Exception {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
    return request(RestRequest.get("sdd/queues?host=" + encoded + "&limit=" + ALL));
  }

  private JsonNode ofAll() throws Exception {
    ObjectNode all = mapper().createObjectNode();
    ArrayNode rows = all.putArray("queues");
    for (JsonNode row : request(RestRequest.get("sdd/hosts")).get("hosts")) {
      if (row.get("connected").asBoolean()) {
        String name = row.get("name").asText();
        for (JsonNode queue : of(name).get("queues")) {
          rows.addObject().put("host", name).setAll((ObjectNode) queue);
        }
      }
    }
    return all;
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
