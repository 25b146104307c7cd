package org.evenweave.standalone.sdd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.evenweave.sdd.protocol.Limits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenweave sdd show}: what a running controller sees and does. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = "Shows what a running controller sees and does, as tables or as JSON.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenweave sdd show hosts",
      "  evenweave sdd show queues",
      "  evenweave sdd show queues --host h0 --http 127.0.0.1:8282",
      "  evenweave sdd show schedule --json | jq .days",
      "  evenweave sdd show edge --host e1"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"1:the controller cannot be reached or has no answer"})
final class SddShowCommand extends SddRestCommand {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The most that REST gives at once. */
  private static final int ALL_QUEUES = Limits.MAX_QUERIED_QUEUES;

  /** What the command can show. */
  enum Topic {
    status,
    hosts,
    queues,
    demand,
    schedule,
    rates,
    misses,
    events,
    edge
  }

  @Parameters(index = "0", paramLabel = "WHAT", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Topic topic;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description =
          "With queues: only those of this host (default: of all connected hosts). With edge: the"
              + " paths, weights and last decisions of this edge (default: the states of all edges).")
  private String host;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  private boolean json;

  @Override
  String answer(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    if (host != null && host.isEmpty()) {
      throw wrong("--host: needs the name of a host");
    }
    JsonNode answer = host == null ? ofAll(rest) : ofHost(rest);
    return json ? answer + "\n" : TextTables.of(answer);
  }

  private JsonNode ofAll(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    return topic == Topic.queues ? queuesOfAll(rest) : rest.get(topic.name());
  }

  private JsonNode ofHost(SddRest rest) throws InterruptedException, SddRest.NoAnswerException {
    switch (topic) {
      case queues:
        return rest.get(queuesOf(host));
      case edge:
        return rest.get("edge/" + SddRest.encoded(host));
      default:
        throw wrong("--host goes with queues and edge");
    }
  }

  private static String queuesOf(String hostName) {
    return "queues?limit=" + ALL_QUEUES + "&host=" + SddRest.encoded(hostName);
  }

  /** One table: a row per host and queue. */
  private static JsonNode queuesOfAll(SddRest rest)
      throws InterruptedException, SddRest.NoAnswerException {
    ObjectNode all = JSON.createObjectNode();
    ArrayNode queues = all.putArray("queues");
    boolean anyConnected = false;
    for (JsonNode row : rest.get(Topic.hosts.name()).path("hosts")) {
      if (!row.path("connected").asBoolean()) {
        continue;
      }
      anyConnected = true;
      String name = row.path("name").asText();
      for (JsonNode queue : rest.get(queuesOf(name)).path("queues")) {
        queues.add(JSON.createObjectNode().put("host", name).setAll((ObjectNode) queue));
      }
    }
    if (!anyConnected) {
      throw new SddRest.NoAnswerException("no host is connected, so there are no queues");
    }
    return all;
  }
}
