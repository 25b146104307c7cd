package org.evenweave.sdd.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.evenweave.sdd.protocol.wire.EdgeScheme;

/**
 * The controller's order to all edges: a scheme and its parameters for each destination prefix; the
 * longest prefix applies. Immutable.
 *
 * <p>As JSON, valid by {@code edge} in {@code docs/schema/sdd.json}:
 *
 * <pre>
 * {"scheme": "clove-ecn", "gapUs": 250, "reportMs": 1000,
 *  "prefixes": [{"prefix": "10.77.2.0/24", "scheme": "alb", "gapAdaptPercent": 100}]}
 * </pre>
 */
public final class EdgeOrder {
  private static final int DEFAULT_REPORT_MS = 1_000;

  /** For what no other prefix holds, IPv4 or IPv6. */
  private static final IpPrefix ALL = IpPrefix.of("0.0.0.0/0");

  private final int reportMs;
  private final List<Prefix> prefixes;

  private EdgeOrder(int reportMs, List<Prefix> prefixes) {
    this.reportMs = reportMs;
    this.prefixes = List.copyOf(prefixes);
  }

  /** What flows to some addresses are to do. */
  public static final class Prefix {
    private final IpPrefix prefix;
    private final EdgeScheme scheme;
    private final Map<EdgeParameter, Long> parameters = new EnumMap<>(EdgeParameter.class);

    private Prefix(IpPrefix prefix, JsonNode row) {
      this.prefix = prefix;
      this.scheme =
          EdgeScheme.valueOf(
              row.get("scheme").textValue().toUpperCase(Locale.ROOT).replace('-', '_'));
      for (EdgeParameter parameter : EdgeParameter.values()) {
        parameter.in(row).ifPresent(value -> parameters.put(parameter, value));
      }
    }

    public IpPrefix prefix() {
      return prefix;
    }

    public EdgeScheme scheme() {
      return scheme;
    }

    /** In the protocol's unit; {@code otherwise}: as each host's configuration has it. */
    public long parameter(EdgeParameter parameter, long otherwise) {
      return parameters.getOrDefault(parameter, otherwise);
    }

    private void describe(ObjectNode row) {
      row.put("prefix", prefix.toString())
          .put("scheme", scheme.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      parameters.forEach((parameter, value) -> parameter.put(row, value));
    }
  }

  /**
   * Reads what the schema allows.
   *
   * @throws IllegalArgumentException "field: reason" for what a schema cannot say
   */
  public static EdgeOrder of(JsonNode json) {
    List<Prefix> prefixes = new ArrayList<>();
    Set<IpPrefix> known = new HashSet<>();
    for (JsonNode row : json.path("prefixes")) {
      String path = "prefixes[" + prefixes.size() + "].prefix";
      IpPrefix prefix = prefix(row.get("prefix").textValue(), path);
      if (!known.add(prefix)) {
        throw new IllegalArgumentException(path + ": is listed already");
      }
      prefixes.add(new Prefix(prefix, row));
    }
    if (json.has("scheme")) {
      if (known.contains(ALL)) {
        throw new IllegalArgumentException("scheme: is that of the prefix 0.0.0.0/0 already");
      }
      prefixes.add(new Prefix(ALL, json));
    } else {
      refuseParametersOfNoScheme(json);
    }
    return new EdgeOrder(json.path("reportMs").asInt(DEFAULT_REPORT_MS), prefixes);
  }

  private static IpPrefix prefix(String text, String path) {
    try {
      return IpPrefix.of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }

  private static void refuseParametersOfNoScheme(JsonNode json) {
    for (EdgeParameter parameter : EdgeParameter.values()) {
      if (parameter.in(json).isPresent()) {
        throw new IllegalArgumentException(
            parameter.path() + ": is a scheme's, and there is no scheme beside it");
      }
    }
  }

  /** The time between an edge's reports. */
  public int reportMs() {
    return reportMs;
  }

  public List<Prefix> prefixes() {
    return prefixes;
  }

  /** As {@link #of} reads it; the default is the prefix 0.0.0.0/0. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("reportMs", reportMs);
    ArrayNode rows = json.putArray("prefixes");
    prefixes.forEach(prefix -> prefix.describe(rows.addObject()));
    return json;
  }
}
