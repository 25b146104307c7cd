package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.evenweave.sdd.demand.DemandClass;
import org.evenweave.sdd.protocol.FlowMatch;

/** Reads {@code circuitClasses}; only names and flows must be there. */
final class CircuitClassReader {
  private CircuitClassReader() {}

  /**
   * @param rows valid by the schema
   * @param taken flows that have a queue already; those of the classes are added
   */
  static List<CircuitClass> read(JsonNode rows, List<FlowMatch> taken) throws SddConfigException {
    List<CircuitClass> classes = new ArrayList<>();
    for (JsonNode row : rows) {
      classes.add(circuitClass(row, classes, taken));
    }
    return classes;
  }

  /**
   * @param before those in front of it
   */
  private static CircuitClass circuitClass(
      JsonNode row, List<CircuitClass> before, List<FlowMatch> taken) throws SddConfigException {
    String at = "circuitClasses[" + before.size() + "]";
    String name = row.get("name").textValue();
    if (before.stream().anyMatch(other -> other.name().equals(name))) {
      throw new SddConfigException(at + ".name", "\"" + name + "\" occurs twice");
    }
    if (row.get("flows").isEmpty()) {
      throw new SddConfigException(at + ".flows", "are needed");
    }
    List<FlowMatch> flows = new ArrayList<>();
    for (JsonNode flow : row.get("flows")) {
      String path = at + ".flows[" + flows.size() + "]";
      FlowMatch match = FlowReader.flow(flow, path);
      if (match.equals(FlowMatch.all()) || taken.contains(match)) {
        throw new SddConfigException(path, "has a queue already");
      }
      taken.add(match);
      flows.add(match);
    }
    DemandClass demand =
        new DemandClass(
            row.path("priority").asInt(0),
            row.path("coflow").asBoolean(),
            row.path("weight").asInt(1));
    return new CircuitClass(name, demand, flows);
  }
}
