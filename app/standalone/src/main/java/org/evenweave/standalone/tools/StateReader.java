package org.evenweave.standalone.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.verification.ForwardingState;
import org.evenweave.wcmp.verification.MultipathRule;

/** Reads a forwarding state that is valid by {@code docs/schema/state.json}. */
final class StateReader {
  private static final int[] ONE = {1};

  /** In a match, between the destination's prefix and the source's. */
  private static final String FROM = " from ";

  private final Fabric fabric;
  private final ForwardingState.Builder state;

  private StateReader(Fabric fabric) {
    this.fabric = fabric;
    this.state = new ForwardingState.Builder(fabric);
  }

  /**
   * @throws BadInputException if it names switches or groups that are not there, or twice of the
   *     same switch, group or match
   */
  static ForwardingState read(Fabric fabric, JsonNode state) {
    StateReader reader = new StateReader(fabric);
    reader.addSwitches(state.get("switches"));
    return reader.state.build();
  }

  private void addSwitches(JsonNode switches) {
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < switches.size(); i++) {
      String path = "state.switches[" + i + "]";
      JsonNode node = switches.get(i);
      int s = InputFields.switchNumber(fabric, path + ".id", node.get("id"));
      requireNew(seen.add(s), path + ".id", node.get("id"));
      Map<Integer, int[][]> groups = groups(path + ".groups", node.path("groups"));
      Set<String> matches = new HashSet<>();
      JsonNode flows = node.get("flows");
      for (int f = 0; f < flows.size(); f++) {
        String flowPath = path + ".flows[" + f + "]";
        JsonNode match = flows.get(f).get("match");
        requireNew(matches.add(match.textValue()), flowPath + ".match", match);
        addFlow(flowPath, s, match.textValue(), flows.get(f).get("action").textValue(), groups);
      }
    }
  }

  private static void requireNew(boolean isNew, String path, JsonNode value) {
    if (!isNew) {
      throw new BadInputException(path, value + " occurs twice");
    }
  }

  /** Ports, each once, and their weights, by group id. */
  private static Map<Integer, int[][]> groups(String path, JsonNode array) {
    Map<Integer, int[][]> groups = new HashMap<>();
    for (int i = 0; i < array.size(); i++) {
      JsonNode node = array.get(i);
      int[][] group = group(path + "[" + i + "]", node);
      JsonNode id = node.get("id");
      requireNew(groups.put(id.intValue(), group) == null, path + "[" + i + "].id", id);
    }
    return groups;
  }

  private static int[][] group(String path, JsonNode node) {
    int[] ports = InputFields.ints(node.get("ports"));
    int[] weights = new int[ports.length];
    Arrays.fill(weights, 1);
    if (node.has("weights")) {
      weights = InputFields.ints(node.get("weights"));
      if (weights.length != ports.length) {
        throw new BadInputException(
            path + ".weights",
            "must have one weight per port, " + ports.length + ", not " + weights.length);
      }
    }
    Map<Integer, Integer> weightOfPort = new TreeMap<>();
    try {
      for (int i = 0; i < ports.length; i++) {
        weightOfPort.merge(ports[i], weights[i], Math::addExact);
      }
    } catch (ArithmeticException e) {
      throw new BadInputException(path + ".weights", "one port's sum to 2^31 or more");
    }
    return new int[][] {
      weightOfPort.keySet().stream().mapToInt(Integer::intValue).toArray(),
      weightOfPort.values().stream().mapToInt(Integer::intValue).toArray()
    };
  }

  private void addFlow(
      String path, int s, String match, String action, Map<Integer, int[][]> groups) {
    if (match.equals("arp")) {
      return;
    }
    int from = match.indexOf(FROM);
    boolean ofPair = from >= 0;
    Ipv4Prefix prefix =
        InputFields.prefix(path + ".match", ofPair ? match.substring(0, from) : match);
    if (ofPair) {
      InputFields.prefix(path + ".match", match.substring(from + FROM.length()));
    }
    if (action.equals("controller") && !ofPair) {
      requireOwn(path + ".action", s, prefix);
      return;
    }
    if (action.equals("controller")) {
      throw new BadInputException(path + ".action", "only routes have a source in their match");
    }
    int target = Integer.parseInt(action.substring(action.indexOf(':') + 1).trim());
    if (!action.contains("group:")) {
      add(s, new MultipathRule(prefix, 0, new int[] {target}, ONE), ofPair);
      return;
    }
    int[][] group = groups.get(target);
    if (group == null) {
      throw new BadInputException(path + ".action", "the switch has no group " + target);
    }
    add(s, new MultipathRule(prefix, target, group[0], group[1]), ofPair);
  }

  private void add(int s, MultipathRule rule, boolean ofPair) {
    if (ofPair) {
      state.addForSource(s, rule);
    } else {
      state.add(s, rule);
    }
  }

  /** Routing between switches is done by the switches: elsewhere the controller drops packets. */
  private void requireOwn(String path, int s, Ipv4Prefix prefix) {
    for (int subnet = 0; subnet < fabric.subnetCount(); subnet++) {
      Ipv4Prefix own = fabric.subnetPrefix(subnet);
      if (fabric.subnetSwitch(subnet) == s
          && own.length() <= prefix.length()
          && own.contains(prefix.address())) {
        return;
      }
    }
    throw new BadInputException(
        path, "the controller takes packets to the switch's own subnets only, not to " + prefix);
  }
}
