package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;
import org.evenweave.app.rest.RestRequest;

/** Lists the edges of hosts, or what one of them does with its paths; or orders something else. */
@Service
@Command(
    scope = "onos",
    name = "sdd-edge",
    description =
        "Lists hosts' edges, their order and the weights of next hops, or one edge's paths and"
            + " last decisions; or replaces the order")
public final class SddEdgeCommand extends EvenweaveCommand {
  @Argument(name = "host", description = "The edge's name; all edges without it")
  String host;

  @Option(
      name = "--order",
      description = "The order: JSON in the form of edge in the configuration, without hosts")
  String ordered;

  @Option(name = "--none", description = "Removes the order: every edge follows its own file")
  boolean none;

  @Option(
      name = "--weights",
      description = "Weights of next hops as JSON, until those of the fabric change; {} for none")
  String weights;

  @Option(name = "--discover", description = "Has all edges discover their paths now")
  boolean discover;

  @Override
  protected JsonNode data() throws Exception {
    int asked =
        (host != null ? 1 : 0)
            + (ordered != null ? 1 : 0)
            + (none ? 1 : 0)
            + (weights != null ? 1 : 0)
            + (discover ? 1 : 0);
    if (asked > 1) {
      throw new CommandException(
          "one of an edge's name, --order, --none, --weights and --discover, not two");
    }
    if (ordered != null || none) {
      request(JsonArgument.put("sdd/edge/order", none ? "{}" : ordered));
    } else if (weights != null) {
      request(JsonArgument.put("sdd/edge/weights", weights));
    } else if (discover) {
      request(RestRequest.post("sdd/edge/discovery"));
    }
    String one = host == null ? "" : "/" + SwitchResolver.encodedSegment(host);
    return request(RestRequest.get("sdd/edge" + one));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    if (!data.has("hosts")) {
      lines.add(new Line(0).withValues(data).toString());
      data.path("report").path("peers").forEach(peer -> addPeer(peer, lines));
      return lines;
    }
    JsonNode order = data.get("order");
    lines.add(new Line(0).with("edges", data.get("hosts").size()).withValues(order).toString());
    for (JsonNode edge : data.get("hosts")) {
      lines.add(new Line(1).withValues(edge).toString());
    }
    for (JsonNode ordered : order.path("prefixes")) {
      lines.add(new Line(1).withNestedValues(ordered).toString());
    }
    data.path("weights")
        .fields()
        .forEachRemaining(
            hops ->
                lines.add(
                    new Line(1)
                        .with("weightsTo", hops.getKey())
                        .withValues(hops.getValue())
                        .toString()));
    return lines;
  }

  private static void addPeer(JsonNode peer, List<String> lines) {
    lines.add(new Line(1).withValues(peer).withList("prefixes", peer.path("prefixes")).toString());
    for (JsonNode path : peer.path("paths")) {
      lines.add(
          new Line(2)
              .withValues(path)
              .with("sentBytes", path.at("/sent/bytes").asLong())
              .with("flowlets", path.at("/sent/flowlets").asLong())
              .with("receivedBytes", path.at("/received/bytes").asLong())
              .with("receivedLate", path.at("/received/late").asLong())
              .with("marksTaken", path.at("/marks/taken").asLong())
              .withList("hops", path.path("hops"))
              .toString());
    }
    for (JsonNode decision : peer.path("decisions")) {
      lines.add(new Line(2).withValues(decision).toString());
    }
  }
}
