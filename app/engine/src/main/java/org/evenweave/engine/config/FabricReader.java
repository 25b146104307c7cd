package org.evenweave.engine.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Reads a fabric from JSON, strictly: a field that is missing, unknown, of the wrong type or out of
 * range is a {@link FabricException} with the field's path.
 *
 * <pre>
 * {"switches": [{"id": "s1-0", "dpid": "0000000000000001", "stage": 1, "table": 1024}, ...],
 *  "links":    [{"a": "s1-0/1", "b": "s2-0/1", "bps": 10000000000}, ...],
 *  "subnets":  [{"switch": "s1-0", "prefix": "10.0.0.0/24"}, ...]}
 * </pre>
 *
 * <p>{@code dpid} (the OpenFlow datapath id, 16 hex digits) and {@code table} (multipath table
 * entries) may be left out.
 */
public final class FabricReader {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true))
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final FabricBuilder builder = new FabricBuilder();
  private final Map<Long, String> switchIdOfDatapath = new HashMap<>();

  private FabricReader() {}

  /** The JSON value that a text is; {@code path} names it in the error for one that is not. */
  static JsonNode tree(String path, String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new FabricException(path, "is not JSON: " + where(e));
    }
  }

  /** Reads JSON text. */
  public static EngineConfig parse(String text) {
    return configOf(tree("fabric", text));
  }

  /** Reads a fabric, with the datapath ids that only a configuration needs. */
  static EngineConfig configOf(JsonNode root) {
    return new FabricReader().config(root);
  }

  /** Reads a fabric that is part of a larger JSON value. */
  public static Fabric fabricOf(JsonNode root) {
    return new FabricReader().config(root).intended();
  }

  /** Jackson's message without its own, longer way to say where. */
  private static String where(JsonProcessingException e) {
    String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at .*", "");
    JsonLocation location = e.getLocation();
    return location == null
        ? problem
        : problem + " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private EngineConfig config(JsonNode root) {
    requireObject("fabric", root, Set.of("switches", "links", "subnets"));
    JsonNode switches = requireArray("switches", root.get("switches"));
    for (int i = 0; i < switches.size(); i++) {
      addSwitch("switches[" + i + "]", switches.get(i));
    }
    JsonNode links = requireArray("links", root.get("links"));
    for (int i = 0; i < links.size(); i++) {
      addLink("links[" + i + "]", links.get(i));
    }
    JsonNode subnets = root.get("subnets");
    for (int i = 0; subnets != null && i < requireArray("subnets", subnets).size(); i++) {
      addSubnet("subnets[" + i + "]", subnets.get(i));
    }
    return new EngineConfig(builder.build(), switchIdOfDatapath, WeightRule.EFFECTIVE_CAPACITY);
  }

  private void addSwitch(String path, JsonNode node) {
    requireObject(path, node, Set.of("id", "dpid", "stage", "table"));
    String id = text(path + ".id", node.get("id"));
    int stage = (int) integer(path + ".stage", node.get("stage"), Integer.MAX_VALUE);
    int table =
        node.has("table")
            ? (int) integer(path + ".table", node.get("table"), Integer.MAX_VALUE)
            : Fabric.UNLIMITED;
    builder.addSwitch(id, stage, table);
    if (node.has("dpid")) {
      String dpid = text(path + ".dpid", node.get("dpid"));
      if (!dpid.matches("[0-9a-fA-F]{16}")) {
        throw new FabricException(path + ".dpid", "must be 16 hex digits, not \"" + dpid + "\"");
      }
      String other = switchIdOfDatapath.putIfAbsent(Long.parseUnsignedLong(dpid, 16), id);
      if (other != null) {
        throw new FabricException(path + ".dpid", dpid + " is the dpid of \"" + other + "\" too");
      }
    }
  }

  private void addLink(String path, JsonNode node) {
    requireObject(path, node, Set.of("a", "b", "bps"));
    builder.addLink(
        text(path + ".a", node.get("a")),
        text(path + ".b", node.get("b")),
        integer(path + ".bps", node.get("bps"), Long.MAX_VALUE));
  }

  private void addSubnet(String path, JsonNode node) {
    requireObject(path, node, Set.of("switch", "prefix"));
    String switchId = text(path + ".switch", node.get("switch"));
    String prefix = text(path + ".prefix", node.get("prefix"));
    try {
      builder.addSubnet(switchId, Ipv4Prefix.parse(prefix));
    } catch (FabricException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new FabricException(path + ".prefix", e.getMessage());
    }
  }

  static void requireObject(String path, JsonNode node, Set<String> known) {
    if (node == null || !node.isObject()) {
      throw new FabricException(path, "must be an object with the fields " + sorted(known));
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new FabricException(
            path + "." + name, "unknown field; the fields here are " + sorted(known));
      }
    }
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", new TreeSet<>(names));
  }

  static JsonNode requireArray(String path, JsonNode node) {
    if (node == null || !node.isArray()) {
      throw new FabricException(path, "must be an array");
    }
    return node;
  }

  static String text(String path, JsonNode node) {
    if (node == null || !node.isTextual()) {
      throw new FabricException(path, node == null ? "is missing" : "must be a string");
    }
    return node.textValue();
  }

  private static long integer(String path, JsonNode node, long max) {
    if (node == null || !node.isIntegralNumber()) {
      throw new FabricException(path, node == null ? "is missing" : "must be a whole number");
    }
    if (!node.canConvertToLong() || node.longValue() > max) {
      throw new FabricException(path, "must be at most " + max + ", not " + node.asText());
    }
    if (node.longValue() < Integer.MIN_VALUE) {
      throw new FabricException(path, "must be positive, not " + node.asText());
    }
    return node.longValue();
  }
}
