package org.evenweave.sdd.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.Limits;
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
  /** Each with flows has a queue at every host. */
  private static final int MAX_CLASSES = 1_000;

  private static final int LONGEST_PACKET = 65_535;
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

  SharingConfig read(ConfigFields fields) throws SddConfigException {
    SharingConfig.Method method =
        SharingConfig.Method.valueOf(
            fields.oneOf("method", "tree", List.of("tree", "rcp")).toUpperCase(Locale.ROOT));
    long capacityBps = fields.number("capacityBps", 1, Limits.MAX_RATE_BPS, 100_000_000);
    int packetBytes = (int) fields.number("packetBytes", 1, LONGEST_PACKET, ETHERNET_FRAME);
    List<ConfigFields> rows = fields.objects("classes");
    if (rows.isEmpty() || rows.size() > MAX_CLASSES) {
      throw fields.error("classes", "must be 1 to " + MAX_CLASSES);
    }
    for (ConfigFields row : rows) {
      classes.add(trafficClass(row, capacityBps));
      places.put(classes.get(classes.size() - 1).name(), classes.size() - 1);
    }
    requireFlowsWhereNoClassesAre(rows);
    fields.noOthers();
    return new SharingConfig(method, capacityBps, packetBytes, classes);
  }

  private TrafficClass trafficClass(ConfigFields row, long capacityBps) throws SddConfigException {
    String name = row.text("name", "");
    if (!Limits.isName(name)) {
      throw row.error("name", "must be 1 to 63 letters, digits, . _ -");
    }
    if (places.containsKey(name)) {
      throw row.error("name", "\"" + name + "\" is there twice");
    }
    int parent = -1;
    if (row.has("in")) {
      String in = row.text("in", "");
      if (!places.containsKey(in)) {
        throw row.error("in", "there is no class \"" + in + "\" before this one");
      }
      parent = places.get(in);
    }
    int weight = (int) row.number("weight", 1, BandwidthTree.MAX_WEIGHT, 1);
    if (weights.merge(parent, weight, Integer::sum) > BandwidthTree.MAX_WEIGHT) {
      throw row.error("weight", "is more than " + BandwidthTree.MAX_WEIGHT + " with its siblings'");
    }
    long ceilingBps = row.number("ceilingBps", 1, Limits.MAX_RATE_BPS, capacityBps);
    List<FlowMatch> flows = new ArrayList<>();
    for (ConfigFields flow : row.objects("flows")) {
      FlowMatch match = SddConfigReader.flow(flow);
      if (!taken.add(match)) {
        throw row.error("flows[" + flows.size() + "]", "has a queue already");
      }
      flows.add(match);
    }
    row.noOthers();
    return new TrafficClass(name, parent, weight, ceilingBps, flows);
  }

  private void requireFlowsWhereNoClassesAre(List<ConfigFields> rows) throws SddConfigException {
    for (int place = 0; place < classes.size(); place++) {
      int parent = place;
      boolean hasClasses = classes.stream().anyMatch(each -> each.parent() == parent);
      if (hasClasses == !classes.get(place).flows().isEmpty()) {
        throw rows.get(place)
            .error("flows", hasClasses ? "are for a class without others in it" : "are needed");
      }
    }
  }
}
