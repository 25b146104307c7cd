package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Lists events, and how long it took until every switch had confirmed the changes. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-events",
    description =
        "Lists events, and how long until every switch had confirmed the resulting changes")
public final class EventsCommand extends EvenweaveCommand {
  private static final double MILLISECOND_MICROS = 1000.0;

  @Option(name = "-s", aliases = "--since", description = "Only events after this sequence number")
  long since;

  @Override
  protected JsonNode data() throws Exception {
    return request(RestRequest.get("events?since=" + since));
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    for (JsonNode event : data.get("events")) {
      Line line =
          new Line(0)
              .with(event, "sequence")
              .with("time", Instant.EPOCH.plus(micros(event, "detected"), ChronoUnit.MICROS))
              .with(event, "kind")
              .with(event, "subject");
      if (event.has("detail")) {
        line.with(event, "detail");
      }
      if (event.has("confirmedEpochMicros")) {
        long micros = micros(event, "confirmed") - micros(event, "detected");
        line.with(
                "confirmedAfter", String.format(Locale.ROOT, "%.1fms", micros / MILLISECOND_MICROS))
            .with(event, "groupsChanged")
            .with(event, "flowsChanged");
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static long micros(JsonNode event, String what) {
    return event.get(what + "EpochMicros").asLong();
  }
}
