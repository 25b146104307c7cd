package org.evenweave.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads which controller is a switch's master from the tables Bridge and Controller of Open
 * vSwitch's database (ovs-vswitchd.conf.db). Open vSwitch updates them every 5 s. Controllers that
 * connect to a port that the switch listens on are not in them one by one.
 */
public final class MasterTable {
  /** What a switch has as its master if none of its controllers is one. */
  public static final String NONE = "";

  private MasterTable() {}

  /**
   * Reads the masters of all switches of a server; waits for its answer, 3 s at most.
   *
   * @param server as in {@code tcp:127.0.0.1:6640}
   * @param tls opens the connection
   * @return by datapath id, as in {@code tcp:10.0.0.9:6653}, or {@link #NONE}
   */
  public static Map<Long, String> read(String server, OvsdbTls tls) throws IOException {
    JsonNode results;
    try (OvsdbClient client = new OvsdbClient(server, tls)) {
      ArrayNode operations = JsonNodeFactory.instance.arrayNode();
      select(operations, "Controller", "_uuid", "target", "role", "is_connected");
      select(operations, "Bridge", "datapath_id", "controller");
      results = client.transact(operations);
    }
    Map<String, String> targetOfMaster = new HashMap<>();
    for (JsonNode row : results.path(0).path("rows")) {
      if (row.path("is_connected").asBoolean() && row.path("role").asText().equals("master")) {
        targetOfMaster.put(row.path("_uuid").path(1).asText(), row.path("target").asText());
      }
    }
    Map<Long, String> masters = new HashMap<>();
    for (JsonNode row : results.path(1).path("rows")) {
      String datapath = row.path("datapath_id").asText();
      if (datapath.matches("[0-9a-f]{16}")) {
        String master = NONE;
        for (String uuid : BfdDatabase.uuids(row.path("controller"))) {
          master = targetOfMaster.getOrDefault(uuid, master);
        }
        masters.put(Long.parseUnsignedLong(datapath, 16), master);
      }
    }
    return masters;
  }

  private static void select(ArrayNode operations, String table, String... columns) {
    ObjectNode select = operations.addObject().put("op", "select").put("table", table);
    select.putArray("where");
    ArrayNode names = select.putArray("columns");
    for (String column : columns) {
      names.add(column);
    }
  }
}
