package org.evenweave.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * BFD in the tables Bridge, Port and Interface of Open vSwitch's database (ovs-vswitchd.conf.db).
 * An interface that is set up here is marked in its {@code external_ids}, which outlives a
 * controller.
 */
final class BfdDatabase implements AutoCloseable {
  private static final String MARK = "evenweave-bfd";

  private final OvsdbClient client;

  /** The datapath ids of bridges that forward by themselves without a controller. */
  private final Set<Long> standalone = new TreeSet<>();

  BfdDatabase(String server, OvsdbTls tls) throws IOException {
    client = new OvsdbClient(server, tls);
  }

  /** All interfaces of all bridges that have a port number. */
  List<BfdInterface> read() throws IOException {
    JsonNode results =
        client.transact(
            array()
                .add(select("Bridge", "datapath_id", "fail_mode", "ports"))
                .add(select("Port", "_uuid", "interfaces"))
                .add(select("Interface", "_uuid", "ofport", "bfd", "bfd_status", "external_ids")));
    Map<String, Long> datapathOfPort = new HashMap<>();
    for (JsonNode row : results.path(0).path("rows")) {
      // A bridge has none until the switch has taken it over.
      String datapath = row.path("datapath_id").asText();
      if (datapath.matches("[0-9a-f]{16}")) {
        long id = Long.parseUnsignedLong(datapath, 16);
        // Not set, which is an empty set, means standalone.
        if (!"secure".equals(row.path("fail_mode").asText())) {
          standalone.add(id);
        }
        uuids(row.path("ports")).forEach(port -> datapathOfPort.put(port, id));
      }
    }
    Map<String, Long> datapathOf = new HashMap<>();
    for (JsonNode row : results.path(1).path("rows")) {
      Long datapath = datapathOfPort.get(row.path("_uuid").path(1).asText());
      if (datapath != null) {
        uuids(row.path("interfaces")).forEach(uuid -> datapathOf.put(uuid, datapath));
      }
    }
    List<BfdInterface> found = new ArrayList<>();
    for (JsonNode row : results.path(2).path("rows")) {
      Long datapath = datapathOf.get(row.path("_uuid").path(1).asText());
      if (datapath != null && row.path("ofport").isInt()) {
        found.add(interfaceOf(row, datapath));
      }
    }
    return found;
  }

  /** The datapath ids of the bridges read whose {@code fail_mode} is not {@code secure}. */
  Set<Long> standalone() {
    return standalone;
  }

  private static BfdInterface interfaceOf(JsonNode row, long datapathId) {
    Map<String, String> bfd = map(row.path("bfd"));
    return new BfdInterface(
        row.path("_uuid").path(1).asText(),
        datapathId,
        row.path("ofport").intValue(),
        "true".equals(bfd.get("enable")),
        bfd.getOrDefault("min_tx", ""),
        bfd.getOrDefault("min_rx", ""),
        map(row.path("external_ids")).containsKey(MARK),
        "up".equals(map(row.path("bfd_status")).get("state")));
  }

  /** Starts BFD, or changes its interval. */
  void start(Collection<String> interfaces, int intervalMs) throws IOException {
    String interval = String.valueOf(intervalMs);
    Map<String, String> bfd = new TreeMap<>();
    bfd.put("enable", "true");
    bfd.put("min_tx", interval);
    bfd.put("min_rx", interval);
    ArrayNode operations = array();
    for (String uuid : interfaces) {
      ArrayNode mutations = mutate(operations, uuid);
      // What is there already is not overwritten by an insertion.
      delete(mutations, "bfd", bfd.keySet());
      insert(mutations, "bfd", bfd);
      insert(mutations, "external_ids", Map.of(MARK, "true"));
    }
    client.transact(operations);
  }

  /** Ends BFD and leaves no trace of it. */
  void stop(Collection<String> interfaces) throws IOException {
    ArrayNode operations = array();
    for (String uuid : interfaces) {
      ArrayNode mutations = mutate(operations, uuid);
      delete(mutations, "bfd", List.of("enable", "min_rx", "min_tx"));
      delete(mutations, "external_ids", List.of(MARK));
    }
    client.transact(operations);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }

  private static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  private static ObjectNode select(String table, String... columns) {
    ObjectNode select = JsonNodeFactory.instance.objectNode().put("op", "select");
    select.put("table", table).putArray("where");
    ArrayNode names = select.putArray("columns");
    for (String column : columns) {
      names.add(column);
    }
    return select;
  }

  /** Adds an operation on one interface; returns where its mutations go. */
  private static ArrayNode mutate(ArrayNode operations, String uuid) {
    ObjectNode mutate = operations.addObject().put("op", "mutate").put("table", "Interface");
    ArrayNode condition = mutate.putArray("where").addArray().add("_uuid").add("==");
    condition.addArray().add("uuid").add(uuid);
    return mutate.putArray("mutations");
  }

  private static void insert(ArrayNode mutations, String column, Map<String, String> pairs) {
    ArrayNode map = mutations.addArray().add(column).add("insert").addArray().add("map").addArray();
    pairs.forEach((key, value) -> map.addArray().add(key).add(value));
  }

  private static void delete(ArrayNode mutations, String column, Collection<String> keys) {
    ArrayNode set = mutations.addArray().add(column).add("delete").addArray().add("set").addArray();
    keys.forEach(set::add);
  }

  /** The values of {@code ["map", [[key, value], ...]]}. */
  private static Map<String, String> map(JsonNode value) {
    Map<String, String> map = new HashMap<>();
    value.path(1).forEach(pair -> map.put(pair.path(0).asText(), pair.path(1).asText()));
    return map;
  }

  /** Of {@code ["uuid", x]} or {@code ["set", [["uuid", x], ...]]}. */
  static List<String> uuids(JsonNode value) {
    List<String> found = new ArrayList<>();
    if (value.path(0).asText().equals("uuid")) {
      found.add(value.path(1).asText());
    } else {
      value.path(1).forEach(uuid -> found.add(uuid.path(1).asText()));
    }
    return found;
  }
}
