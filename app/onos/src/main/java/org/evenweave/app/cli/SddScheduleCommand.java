package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/** Shows the schedule that was announced last, and what has been late or missed. */
@Service
@Command(
    scope = "onos",
    name = "sdd-schedule",
    description =
        "Shows the SDD controller's current days and circuits, and what was late or missed")
public final class SddScheduleCommand extends EvenweaveCommand {
  private static final List<String> LATE =
      List.of("skippedPeriods", "lateWeeks", "lateDays", "latePairs", "secondChances", "lostPairs");
  private static final List<String> MISSED = List.of("packetsOutOfSlot", "lateStarts");

  @Override
  protected JsonNode data() throws Exception {
    JsonNode data = request(RestRequest.get("sdd/schedule"));
    addMissed(data, request(RestRequest.get("sdd/status")), request(RestRequest.get("sdd/misses")));
    return data;
  }

  /** Adds what the controller, the hosts and the circuit switch were late for. */
  static void addMissed(JsonNode data, JsonNode status, JsonNode misses) {
    ObjectNode missed = ((ObjectNode) data).putObject("missed");
    LATE.forEach(field -> missed.set(field, status.get(field)));
    MISSED.forEach(field -> missed.set(field, misses.get(field)));
    JsonNode late = misses.path("circuitSwitch").path("lateConfigurations");
    if (!late.isMissingNode()) {
      missed.set("lateConfigurations", late);
    }
  }

  @Override
  protected List<String> lines(JsonNode data) {
    List<String> lines = new ArrayList<>();
    lines.add(
        new Line(0)
            .with(data, "period")
            .with(data, "startNs")
            .with(data, "nightNs")
            .with("days", data.get("days").size())
            .withValues(data.get("missed"))
            .toString());
    for (JsonNode day : data.get("days")) {
      List<String> circuits = new ArrayList<>();
      for (JsonNode circuit : day.get("circuits")) {
        String path = circuit.has("path") ? "/" + circuit.get("path").asText() : "";
        circuits.add(circuit.get("from").asText() + ">" + circuit.get("to").asText() + path);
      }
      lines.add(
          new Line(1)
              .with(day, "startNs")
              .with(day, "durationNs")
              .with("circuits", String.join(" ", circuits))
              .toString());
    }
    for (JsonNode link : data.path("links")) {
      lines.add(new Line(1).withValues(link).toString());
    }
    for (JsonNode pair : data.path("packetSwitch")) {
      lines.add(new Line(1).withValues(pair).toString());
    }
    return lines;
  }
}
