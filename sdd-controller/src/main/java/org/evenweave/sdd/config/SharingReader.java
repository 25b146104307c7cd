package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.sharing.BandwidthTree;

/**
 * Reads {@code sharing}; what is not there gets the value shown, but for names and flows:
 *
 * <pre>
 * {"method": "tree", "capacityBps": 100000000, "packetBytes": 1514,
 *  "classes": [{"name": "tenant", "weight": 1, "ceilingBps": (capacityBps)},
 *              {"name": "web", "in": "tenant", "flows": [{"protocol": 6, "destinationPort": 80}]}]}
 * </pre>
 */
final class SharingReader {
  private static final int ETHERNET_FRAME = 1_514;

  private final Map<String, Integer> places = new HashMap<>();
  private final Set<FlowMatch> taken;
  private final List<TrafficClass> classes = new ArrayList<>();
  private final Map<Integer, Integer> weights = new HashMap<>();

  /**
   * @param taken flows that have a queue already
   */
  SharingReader(List<FlowMatch> taken) {
    this.taken = new HashSet<>(taken);
  }

  /**
   * @param sharing valid by the schema
   */
  SharingConfig read(JsonNode sharing) throws SddConfigException {
    SharingConfig.Method method =
        SharingConfig.Method.valueOf(
            sharing.path("method").asText("tree").toUpperCase(Locale.ROOT));
    long capacityBps = sharing.path("capacityBps").asLong(100_000_000);
    int packetBytes = sharing.path("packetBytes").asInt(ETHERNET_FRAME);
    for (JsonNode row : sharing.get("classes")) {
      classes.add(trafficClass(row, capacityBps));
      places.put(classes.get(classes.size() - 1).name(), classes.size() - 1);
    }
    requireFlowsWhereNoClassesAre();
    return new SharingConfig(method, capacityBps, packetBytes, classes);
  }

  private TrafficClass trafficClass(JsonNode row, long capacityBps) throws SddConfigException {
    int place = classes.size();
    String name = row.get("name").textValue();
    if (places.containsKey(name)) {
      throw error(place, "name", "\"" + name + "\" is there twice");
    }
    int parent = -1;
    if (row.has("in")) {
      String in = row.get("in").textValue();
      if (!places.containsKey(in)) {
        throw error(place, "in", "there is no class \"" + in + "\" before this one");
      }
      parent = places.get(in);
    }
    int weight = row.path("weight").asInt(1);
    if (weights.merge(parent, weight, Integer::sum) > BandwidthTree.MAX_WEIGHT) {
      throw error(
          place, "weight", "is more than " + BandwidthTree.MAX_WEIGHT + " with its siblings'");
    }
    List<FlowMatch> flows = new ArrayList<>();
    for (JsonNode flow : row.path("flows")) {
      FlowMatch match = SddConfigReader.flow(flow);
      if (!taken.add(match)) {
        throw error(place, "flows[" + flows.size() + "]", "has a queue already");
      }
      flows.add(match);
    }
    return new TrafficClass(
        name, parent, weight, row.path("ceilingBps").asLong(capacityBps), flows);
  }

  private void requireFlowsWhereNoClassesAre() throws SddConfigException {
    for (int place = 0; place < classes.size(); place++) {
      int parent = place;
      boolean hasClasses = classes.stream().anyMatch(each -> each.parent() == parent);
      if (hasClasses == !classes.get(place).flows().isEmpty()) {
        throw error(
            place, "flows", hasClasses ? "are for a class without others in it" : "are needed");
      }
    }
  }

  private static SddConfigException error(int place, String field, String what) {
    return new SddConfigException("sharing.classes[" + place + "]." + field, what);
  }
}
