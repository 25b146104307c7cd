package org.evenweave.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.evenweave.app.rest.Question;
import org.evenweave.app.southbound.GroupPackets;
import org.onosproject.net.group.GroupService;

/** Lists WCMP groups: what is wanted, what is installed, what it comes to. */
@Service
@Command(
    scope = "onos",
    name = "wcmp-groups",
    description = "Lists WCMP groups with their ports' weights wanted, slots installed and shares")
public final class GroupsCommand extends EvenweaveCommand {
  @Argument(name = "device", description = "of one switch only (ONOS device id or switch id)")
  @Completion(SwitchCompleter.class)
  String device;

  @Override
  protected JsonNode data() throws Exception {
    Switches switches = Switches.here();
    JsonNode data = ask(Question.get("groups" + switches.query(device)));
    addOnosView(data, switches, new GroupPackets(get(GroupService.class)));
    return data;
  }

  /** Adds what ONOS, not the engine, knows: the device's id and packets. */
  static void addOnosView(JsonNode data, Switches switches, GroupPackets packets) {
    for (JsonNode group : data.get("groups")) {
      switches
          .device(group.get("switch").asText())
          .ifPresent(
              device -> {
                ((ObjectNode) group).put("device", device.toString());
                packets
                    .of(device, group.get("groupId").asInt())
                    .ifPresent(count -> ((ObjectNode) group).put("packets", count));
              });
    }
  }

  @Override
  protected List<String> lines(JsonNode data) {
    Map<String, List<JsonNode>> bySwitch = new LinkedHashMap<>();
    for (JsonNode group : data.get("groups")) {
      bySwitch.computeIfAbsent(group.get("switch").asText(), id -> new ArrayList<>()).add(group);
    }
    List<String> lines = new ArrayList<>();
    bySwitch.forEach(
        (switchId, groups) -> {
          lines.add(
              new Line(0)
                  .with(groups.get(0), "device")
                  .with("switch", switchId)
                  .with("groupCount", groups.size())
                  .toString());
          groups.forEach(group -> addGroup(lines, group));
        });
    return lines;
  }

  private static void addGroup(List<String> lines, JsonNode group) {
    lines.add(
        new Line(1)
            .with("id", group.get("groupId").asText())
            .with(group, "destination")
            .with(group, "state")
            .with(group, "entries")
            .withRatio(group, "oversubscription")
            .with(group, "spreadsUdp")
            .with(group, "packets")
            .toString());
    for (JsonNode port : group.get("ports")) {
      lines.add(
          new Line(2)
              .with(port, "port")
              .with(port, "via")
              .with(port, "wanted")
              .with(port, "installed")
              .withShare(port, "idealShare")
              .withShare(port, "realisedShare")
              .toString());
    }
  }
}
