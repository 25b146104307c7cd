package org.evenweave.sdd.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.sharing.BandwidthTree;
import org.evenweave.sdd.sharing.GuaranteeException;

/**
 * Reads {@code sharing}; what is not there gets the value shown, except for names and flows:
 *
 * <pre>
 * {"method": "tree", "capacityBps": 100000000, "packetBytes": 1514,
 *  "classes": [{"name": "tenant", "weight": 1, "guaranteedBps": 0, "ceilingBps": (capacityBps)},
 *              {"name": "web", "in": "tenant", "flows": [{"protocol": 6, "destinationPort": 80}]}],
 *  "overrides": [{"hosts": ["h0"], "capacityBps": (as above),
 *                 "classes": [{"name": "web", "weight": (as above), ...}]}]}
 * </pre>
 */
final class SharingReader {
  private static final int ETHERNET_FRAME = 1_514;
  private static final String TOO_HEAVY =
      "is more than " + BandwidthTree.MAX_WEIGHT + " with its siblings'";

  private final Directory directory;
  private final List<FlowMatch> taken;

  /** Where the document is, as errors say it; ends with a dot unless it is empty. */
  private final String path;

  /**
   * @param taken flows that have a queue already
   */
  SharingReader(Directory directory, List<FlowMatch> taken, String path) {
    this.directory = directory;
    this.taken = taken;
    this.path = path;
  }

  /**
   * @param sharing valid by the schema
   */
  SharingConfig read(JsonNode sharing) throws SddConfigException {
    UnusedFields.refuseInSharing(sharing, path);
    SharingConfig common = without(sharing, Map.of());
    int heavy = tooHeavy(common.classes());
    if (heavy >= 0) {
      throw new SddConfigException(path + "classes[" + heavy + "].weight", TOO_HEAVY);
    }
    try {
      common.tree();
    } catch (GuaranteeException e) {
      int place = e.trafficClass() - 1;
      throw new SddConfigException(
          path + (place < 0 ? "capacityBps" : "classes[" + place + "].guaranteedBps"), e.reason());
    }
    Map<String, SharingConfig> overrides = new HashMap<>();
    for (int place = 0; place < sharing.path("overrides").size(); place++) {
      addOverrides(sharing, place, overrides);
    }
    return without(sharing, overrides);
  }

  private SharingConfig without(JsonNode sharing, Map<String, SharingConfig> overrides)
      throws SddConfigException {
    SharingConfig.Method method =
        SharingConfig.Method.valueOf(
            sharing.path("method").asText("tree").toUpperCase(Locale.ROOT));
    long capacityBps = sharing.path("capacityBps").asLong(100_000_000);
    int packetBytes = sharing.path("packetBytes").asInt(ETHERNET_FRAME);
    List<TrafficClass> classes = new ClassReader(capacityBps).read(sharing.get("classes"));
    return new SharingConfig(sharing, method, capacityBps, packetBytes, classes, overrides);
  }

  private void addOverrides(JsonNode sharing, int place, Map<String, SharingConfig> overrides)
      throws SddConfigException {
    JsonNode override = sharing.get("overrides").get(place);
    String at = path + "overrides[" + place + "]";
    SharingConfig numbers = without(merged(sharing, override, at), Map.of());
    int heavy = tooHeavy(numbers.classes());
    if (heavy >= 0) {
      String name = numbers.classes().get(heavy).name();
      throw new SddConfigException(at, "class \"" + name + "\": weight " + TOO_HEAVY);
    }
    try {
      numbers.tree();
    } catch (GuaranteeException e) {
      int which = e.trafficClass() - 1;
      String what = which < 0 ? "all" : "class \"" + numbers.classes().get(which).name() + "\"";
      throw new SddConfigException(at, what + ": " + e.reason());
    }
    for (JsonNode name : override.get("hosts")) {
      String host = name.textValue();
      if (directory.numberOf(host) < 0) {
        throw new SddConfigException(at + ".hosts", "there is no host \"" + host + "\"");
      }
      if (overrides.put(host, numbers) != null) {
        throw new SddConfigException(at + ".hosts", "\"" + host + "\" has overrides already");
      }
    }
  }

  /** The first class whose weight with those before it in the same class is too much; or -1. */
  private static int tooHeavy(List<TrafficClass> classes) {
    Map<Integer, Integer> weights = new HashMap<>();
    for (int place = 0; place < classes.size(); place++) {
      TrafficClass each = classes.get(place);
      if (weights.merge(each.parent(), each.weight(), Integer::sum) > BandwidthTree.MAX_WEIGHT) {
        return place;
      }
    }
    return -1;
  }

  /** The document with an override's numbers in it. */
  private static JsonNode merged(JsonNode sharing, JsonNode override, String at)
      throws SddConfigException {
    ObjectNode merged = sharing.deepCopy();
    if (override.has("capacityBps")) {
      merged.set("capacityBps", override.get("capacityBps"));
    }
    ArrayNode classes = (ArrayNode) merged.get("classes");
    Set<JsonNode> named = new HashSet<>();
    int place = 0;
    for (JsonNode row : override.path("classes")) {
      String nameAt = at + ".classes[" + place + "].name";
      if (!named.add(row.get("name"))) {
        throw new SddConfigException(nameAt, row.get("name") + " occurs twice");
      }
      boolean found = false;
      for (JsonNode each : classes) {
        if (each.get("name").equals(row.get("name"))) {
          ((ObjectNode) each).setAll((ObjectNode) row);
          found = true;
        }
      }
      if (!found) {
        throw new SddConfigException(nameAt, "there is no class " + row.get("name"));
      }
      place++;
    }
    return merged;
  }

  /** Reads one list of classes. */
  private final class ClassReader {
    private final long capacityBps;
    private final Map<String, Integer> places = new HashMap<>();
    private final Set<FlowMatch> mapped = new HashSet<>(taken);
    private final List<TrafficClass> classes = new ArrayList<>();

    ClassReader(long capacityBps) {
      this.capacityBps = capacityBps;
    }

    List<TrafficClass> read(JsonNode rows) throws SddConfigException {
      for (JsonNode row : rows) {
        classes.add(trafficClass(row));
        places.put(classes.get(classes.size() - 1).name(), classes.size() - 1);
      }
      requireFlowsWhereNoClassesAre();
      return classes;
    }

    private TrafficClass trafficClass(JsonNode row) throws SddConfigException {
      int place = classes.size();
      String name = row.get("name").textValue();
      if (places.containsKey(name)) {
        throw error(place, "name", "\"" + name + "\" occurs twice");
      }
      int parent = -1;
      if (row.has("in")) {
        String in = row.get("in").textValue();
        if (!places.containsKey(in)) {
          throw error(place, "in", "there is no class \"" + in + "\" before this one");
        }
        parent = places.get(in);
      }
      List<FlowMatch> flows = new ArrayList<>();
      for (JsonNode flow : row.path("flows")) {
        String at = path + "classes[" + place + "].flows[" + flows.size() + "]";
        FlowMatch match = FlowReader.flow(flow, at);
        if (!mapped.add(match)) {
          throw new SddConfigException(at, "has a queue already");
        }
        flows.add(match);
      }
      return new TrafficClass(
          name,
          parent,
          row.path("weight").asInt(1),
          row.path("guaranteedBps").asLong(0),
          row.path("ceilingBps").asLong(capacityBps),
          flows);
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

    private SddConfigException error(int place, String field, String what) {
      return new SddConfigException(path + "classes[" + place + "]." + field, what);
    }
  }
}
