package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.RestRequest;

/**
 * Lists WCMP groups: what is wanted, what the switch holds by its latest confirmation or reading,
 * what it comes to. Only the packets are read from the switches now.
 */
@Service
@Command(
    scope = "onos",
    name = "wcmp-groups",
    description =
        "Lists WCMP groups as the switches last confirmed them; wcmp-verify reads the switches")
public final class GroupsCommand extends EvenweaveCommand {
  @Argument(name = "device", description = "One switch only (ONOS device id or switch id)")
  @Completion(SwitchCompleter.class)
  String device;

  @Override
  protected JsonNode data() throws Exception {
    SwitchResolver switches = SwitchResolver.here();
    JsonNode data = requestAll("groups", "groups", switches.query(device));
    addCounters(data, request(RestRequest.get("tables?" + switches.query(device))), switches);
    return data;
  }

  /**
   * Adds the device's id, and the packets since the group was added, if the switch could be read.
   *
   * @param tables as the resource of this name has them
   */
  static void addCounters(JsonNode data, JsonNode tables, SwitchResolver switches) {
    Map<String, JsonNode> packets = new HashMap<>();
    for (JsonNode table : tables.get("tables")) {
      for (JsonNode group : table.get("groups")) {
        packets.put(
            table.get("switch").asText() + "/" + group.get("groupId").asInt(),
            group.get("packets"));
      }
    }
    for (JsonNode group : data.get("groups")) {
      String switchId = group.get("switch").asText();
      switches
          .device(switchId)
          .ifPresent(onosDevice -> ((ObjectNode) group).put("device", onosDevice.toString()));
      JsonNode counted = packets.get(switchId + "/" + group.get("groupId").asInt());
      if (counted != null) {
        ((ObjectNode) group).set("packets", counted);
      }
    }
  }

  /** Rows of one group, which differ in the destination or the source, are printed as one. */
  @Override
  protected List<String> lines(JsonNode data) {
    Map<String, Map<Integer, List<JsonNode>>> rows = new LinkedHashMap<>();
    for (JsonNode row : data.get("groups")) {
      rows.computeIfAbsent(row.get("switch").asText(), id -> new LinkedHashMap<>())
          .computeIfAbsent(row.get("groupId").asInt(), id -> new ArrayList<>())
          .add(row);
    }
    List<String> lines = new ArrayList<>();
    lines.add("source=last confirmed or read; wcmp-verify reads the switches now");
    rows.forEach(
        (switchId, groups) -> {
          JsonNode first = groups.values().iterator().next().get(0);
          lines.add(
              new Line(0)
                  .with(first, "device")
                  .with("switch", switchId)
                  .with("groupCount", groups.size())
                  .toString());
          groups.values().forEach(group -> addGroup(lines, group));
        });
    return lines;
  }

  /** As in {@code s1-2}, or {@code s1-0>s1-2} of packets from one switch alone. */
  private static String destination(JsonNode row) {
    String destination = row.get("destination").asText();
    return row.has("source") ? row.get("source").asText() + ">" + destination : destination;
  }

  private static void addGroup(List<String> lines, List<JsonNode> rows) {
    JsonNode group = rows.get(0);
    lines.add(
        new Line(1)
            .withGroupId(group)
            .with(group, "state")
            .with(group, "entries")
            .withRatio(group, "oversubscription")
            .with(group, "spreadsUdp")
            .with(group, "packets")
            .withShare(group, "unusedShare")
            .with(
                "destinations",
                rows.stream().map(GroupsCommand::destination).collect(Collectors.joining(" ")))
            .toString());
    Map<Integer, String> whyLeftOut = new HashMap<>();
    for (JsonNode each : group.path("leftOut")) {
      whyLeftOut.put(each.get("port").asInt(), each.get("why").asText());
    }
    for (JsonNode port : group.get("ports")) {
      Line line =
          new Line(2)
              .with(port, "port")
              .with(port, "via")
              .with(port, "wanted")
              .with(port, "slots")
              .with(port, "installed")
              .withShare(port, "idealShare")
              .withShare(port, "realisedShare");
      String why = whyLeftOut.get(port.get("port").asInt());
      lines.add((why == null ? line : line.with("leftOut", why)).toString());
    }
  }
}
