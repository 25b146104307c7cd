package org.evenweave.engine.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
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
 * entries) may be left out. What an id may be {@link FabricBuilder} says, what a prefix {@link
 * HostPrefixes}.
 */
public final class FabricReader {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setNodeFactory(JsonNodeFactory.withExactBigDecimals(true))
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * More of anything is refused before it is parsed. A fat-tree of 64-port switches has 5,120
   * switches and 131,072 links; the largest that is benchmarked, for 100,000 servers, 6,845 and
   * 202,612.
   */
  static final int MAX_SWITCHES = 20_000;

  static final int MAX_LINKS = 500_000;

  static final int MAX_SUBNETS = 50_000;

  /**
   * Switches times switches with subnets: each of these has a route at each of those. The fabric
   * for 100,000 servers has 18,741,610.
   */
  static final long MAX_ROUTES = 50_000_000;

  /** Links times switches with subnets: the work of finding the routes; 554,751,656 there. */
  static final long MAX_LINK_VISITS = 1_000_000_000;

  /** OFPP_MAX of OpenFlow 1.0, whose 16-bit port numbers Open vSwitch has in every version. */
  private static final int FIRST_RESERVED_PORT = 0xff00;

  private static final int LAST_RESERVED_PORT = 0xffff;

  private static final JsonNode NONE = JSON.createArrayNode();

  private final FabricBuilder builder = new FabricBuilder();
  private final HostPrefixes prefixes = new HostPrefixes();
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
    JsonNode switches = requireArray("switches", root.get("switches"), MAX_SWITCHES);
    JsonNode links = requireArray("links", root.get("links"), MAX_LINKS);
    JsonNode subnets =
        root.has("subnets") ? requireArray("subnets", root.get("subnets"), MAX_SUBNETS) : NONE;
    for (int i = 0; i < switches.size(); i++) {
      addSwitch("switches[" + i + "]", switches.get(i));
    }
    requireUnnamedKept(switches);
    for (int i = 0; i < links.size(); i++) {
      addLink("links[" + i + "]", links.get(i));
    }
    for (int i = 0; i < subnets.size(); i++) {
      addSubnet("subnets[" + i + "]", subnets.get(i));
    }
    Fabric fabric = builder.build();
    requireWork(fabric);
    return new EngineConfig(fabric, switchIdOfDatapath, WeightRule.EFFECTIVE_CAPACITY);
  }

  private static void requireWork(Fabric fabric) {
    BitSet withSubnets = new BitSet();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      withSubnets.set(fabric.subnetSwitch(i));
    }
    long destinations = withSubnets.cardinality();
    if (destinations * fabric.switchCount() > MAX_ROUTES
        || destinations * fabric.linkCount() > MAX_LINK_VISITS) {
      throw new FabricException(
          "subnets",
          "are under "
              + destinations
              + " switches; times the "
              + fabric.switchCount()
              + " switches that must be at most "
              + MAX_ROUTES
              + ", and times the "
              + fabric.linkCount()
              + " links at most "
              + MAX_LINK_VISITS);
    }
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

  /** A switch without a name goes by its datapath id, which no other may be called. */
  private void requireUnnamedKept(JsonNode switches) {
    for (int i = 0; i < switches.size(); i++) {
      String id = switches.get(i).get("id").textValue();
      if (EngineConfig.isUnnamed(id)) {
        long datapath = Long.parseUnsignedLong(id.substring("of:".length()), 16);
        String owner = switchIdOfDatapath.get(datapath);
        if (owner == null ? switches.get(i).has("dpid") : !owner.equals(id)) {
          throw new FabricException(
              "switches[" + i + "].id", "\"" + id + "\" is the name of another switch's dpid");
        }
      }
    }
  }

  private void addLink(String path, JsonNode node) {
    requireObject(path, node, Set.of("a", "b", "bps"));
    SwitchPort a = end(path + ".a", node.get("a"));
    SwitchPort b = end(path + ".b", node.get("b"));
    builder.addLink(a, b, integer(path + ".bps", node.get("bps"), Long.MAX_VALUE));
  }

  private static SwitchPort end(String path, JsonNode node) {
    String text = text(path, node);
    SwitchPort end;
    try {
      end = SwitchPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new FabricException(path, e.getMessage());
    }
    requireNotReserved(path, end);
    return end;
  }

  static void requireNotReserved(String path, SwitchPort end) {
    if (end.number() >= FIRST_RESERVED_PORT && end.number() <= LAST_RESERVED_PORT) {
      throw new FabricException(
          path,
          "must not be one of the ports "
              + FIRST_RESERVED_PORT
              + " to "
              + LAST_RESERVED_PORT
              + ", which OpenFlow reserves");
    }
  }

  private void addSubnet(String path, JsonNode node) {
    requireObject(path, node, Set.of("switch", "prefix"));
    String switchId = text(path + ".switch", node.get("switch"));
    String prefix = text(path + ".prefix", node.get("prefix"));
    Ipv4Prefix parsed;
    try {
      parsed = Ipv4Prefix.parse(prefix);
    } catch (IllegalArgumentException e) {
      throw new FabricException(path + ".prefix", e.getMessage());
    }
    prefixes.add(path + ".prefix", parsed);
    builder.addSubnet(switchId, parsed);
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

  private static JsonNode requireArray(String path, JsonNode node, int maxSize) {
    if (requireArray(path, node).size() > maxSize) {
      throw new FabricException(
          path, "must be at most " + maxSize + " " + path + ", not " + node.size());
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
