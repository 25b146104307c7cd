package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.evenweave.sdd.config.SddConfig;
import org.evenweave.sdd.config.SddConfigException;
import org.evenweave.sdd.config.SddConfigReader;
import org.evenweave.sdd.demand.DemandMatrix;
import org.evenweave.sdd.loop.WeekPlanner;
import org.evenweave.sdd.rest.CircuitRows;
import org.evenweave.sdd.schedule.Schedule;
import org.evenweave.sdd.session.Directory;
import picocli.CommandLine.Command;

/** {@code evenweave schedule}: the weeks that an SDD controller plans, from hosts' reports. */
@Command(
    name = "schedule",
    description = {
      "Plans the weeks that the SDD controller would plan: who sends to whom when.",
      "Reads one JSON object per line and answers each with one line. A line has the"
          + " hosts' reports at the beginning of a week; the answer is the following week. The"
          + " demand that the previous answer carries is subtracted first.",
      "",
      "  \"config\":{...}    the configuration of evenweave sdd (docs/schema/sdd.json);",
      "                    required in the first line; in a later line it starts a",
      "                    new controller",
      "  \"reports\":[...]   the bytes in the queue to another host (\"queuedBytes\"), and",
      "                    those that arrived since the previous line",
      "                    (\"arrivedBytes\", 0 by default)"
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  echo '{\"config\":{\"hosts\":[\"h0\",\"h1\"],\"periodNs\":1000000,\"nightNs\":20000,",
      "    \"guardNs\":0},\"reports\":[{\"from\":\"h0\",\"to\":\"h1\",\"queuedBytes\":50000}]}' |",
      "    tr -d '\\n' | evenweave schedule",
      "  {\"weekNs\":1000000,\"nightNs\":20000,\"guardNs\":0,\"days\":[{\"startNs\":20000,",
      "   \"durationNs\":400000,\"circuits\":[{\"from\":\"h0\",\"to\":\"h1\"}]}],",
      "   \"remainder\":[]}   (on one line)"
    })
public final class ScheduleTool extends OfflineTool {
  private SddConfig config;
  private WeekPlanner planner;

  @Override
  JsonNode answer(JsonNode input) {
    boolean anew = input.has("config");
    if (!anew && planner == null) {
      throw new BadInputException("config", "is missing; the first line must have it");
    }
    SddConfig ofLine = anew ? config(input.get("config")) : config;
    JsonNode reports = input.get("reports");
    int[] pairs = pairs(ofLine.directory(), reports);
    if (anew) {
      config = ofLine;
      planner = new WeekPlanner(config);
    }
    report(pairs, reports);
    return json(planner.plan());
  }

  private static SddConfig config(JsonNode json) {
    try {
      return SddConfigReader.read(json.toString().getBytes(StandardCharsets.UTF_8), Path.of("."));
    } catch (SddConfigException e) {
      throw new BadInputException("config." + e.getMessage());
    }
  }

  /** Whom the reports are about: all of a line is looked at before any of it counts. */
  private static int[] pairs(Directory directory, JsonNode reports) {
    int[] pairs = new int[reports.size()];
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < pairs.length; i++) {
      String path = "reports[" + i + "]";
      int from = host(directory, path + ".from", reports.get(i).get("from"));
      int to = host(directory, path + ".to", reports.get(i).get("to"));
      pairs[i] = from * directory.count() + to;
      if (from == to) {
        throw new BadInputException(path + ".to", "must be another host than from");
      }
      if (!seen.add(pairs[i])) {
        throw new BadInputException(path, "is the second report of this pair");
      }
    }
    return pairs;
  }

  private void report(int[] pairs, JsonNode reports) {
    int hosts = config.directory().count();
    for (int i = 0; i < pairs.length; i++) {
      planner.report(
          pairs[i] / hosts,
          pairs[i] % hosts,
          reports.get(i).get("queuedBytes").longValue(),
          reports.get(i).path("arrivedBytes").longValue());
    }
  }

  private static int host(Directory directory, String path, JsonNode name) {
    int number = directory.numberOf(name.textValue());
    if (number < 0) {
      throw new BadInputException(path, "no host " + name + " in config.hosts; name one of them");
    }
    return number;
  }

  private ObjectNode json(Schedule week) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer
        .put("weekNs", config.network().weekNs())
        .put("nightNs", week.nightNs())
        .put("guardNs", config.guardNs());
    CircuitRows rows = new CircuitRows(config);
    ArrayNode days = answer.putArray("days");
    for (int day = 0; day < week.days(); day++) {
      ObjectNode row =
          days.addObject()
              .put("startNs", week.startNs(day))
              .put("durationNs", week.durationNs(day));
      int thisDay = day;
      rows.add(source -> week.peer(thisDay, source), row);
    }
    DemandMatrix rest = week.remainder();
    int[] positions = new int[week.hosts() * week.hosts()];
    int count = rest.positions(positions);
    ArrayNode remainder = answer.putArray("remainder");
    for (int i = 0; i < count; i++) {
      int position = positions[i];
      remainder.add(
          pair(position / week.hosts(), position % week.hosts()).put("bytes", rest.at(position)));
    }
    return answer;
  }

  private ObjectNode pair(int source, int destination) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", config.directory().nameOf(source))
        .put("to", config.directory().nameOf(destination));
  }
}
