package org.evenweave.sdd.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.evenweave.sdd.protocol.wire.EdgeScheme;

/**
 * What the controller orders of all edges: a scheme, and the idle time that begins a flowlet, for
 * each destination prefix; the longest prefix counts. Immutable.
 *
 * <p>As JSON, valid by {@code edge} in {@code docs/schema/sdd.json}:
 *
 * <pre>
 * {"scheme": "clove-ecn", "gapUs": 250, "reportMs": 1000,
 *  "prefixes": [{"prefix": "10.77.2.0/24", "scheme": "alb", "gapUs": 500}]}
 * </pre>
 */
public final class EdgeOrder {
  private static final int DEFAULT_REPORT_MS = 1_000;

  private final int reportMs;
  private final List<Prefix> prefixes;

  private EdgeOrder(int reportMs, List<Prefix> prefixes) {
    this.reportMs = reportMs;
    this.prefixes = List.copyOf(prefixes);
  }

  /** What flows to some addresses are to do. */
  public static final class Prefix {
    private final int address;
    private final int bits;
    private final EdgeScheme scheme;
    private final long gapNs;

    private Prefix(int address, int bits, EdgeScheme scheme, long gapNs) {
      this.address = address;
      this.bits = bits;
      this.scheme = scheme;
      this.gapNs = gapNs;
    }

    /** 0 to 32. */
    public int bits() {
      return bits;
    }

    public EdgeScheme scheme() {
      return scheme;
    }

    /** 0: as each host's configuration has it. */
    public long gapNs() {
      return gapNs;
    }

    byte[] mappedAddress() {
      return EdgeMessages.mapped(address);
    }

    private String text() {
      return EdgeMessages.text(address) + "/" + bits;
    }
  }

  /**
   * Reads what the schema allows.
   *
   * @throws IllegalArgumentException "field: reason" for what a schema cannot say
   */
  public static EdgeOrder of(JsonNode json) {
    List<Prefix> prefixes = new ArrayList<>();
    Set<String> known = new HashSet<>();
    int index = 0;
    for (JsonNode row : json.path("prefixes")) {
      Prefix prefix = prefix(row, "prefixes[" + index++ + "].prefix");
      if (!known.add(prefix.text())) {
        throw new IllegalArgumentException(
            "prefixes[" + (index - 1) + "].prefix: is there already");
      }
      prefixes.add(prefix);
    }
    if (json.has("scheme")) {
      if (known.contains("0.0.0.0/0")) {
        throw new IllegalArgumentException("scheme: is that of the prefix 0.0.0.0/0 already");
      }
      prefixes.add(new Prefix(0, 0, scheme(json), gapNs(json)));
    }
    return new EdgeOrder(json.path("reportMs").asInt(DEFAULT_REPORT_MS), prefixes);
  }

  private static Prefix prefix(JsonNode row, String path) {
    String[] parts = row.get("prefix").textValue().split("[./]", -1);
    int address = 0;
    boolean good = true;
    for (int i = 0; i < 4; i++) {
      int octet = Integer.parseInt(parts[i]);
      good &= octet <= 255;
      address = (address << 8) | (octet & 0xff);
    }
    int bits = Integer.parseInt(parts[4]);
    if (!good || bits > 32 || (bits < 32 && (address << bits) != 0)) {
      throw new IllegalArgumentException(
          path + ": must be an IPv4 prefix without bits of hosts, as in 10.0.0.0/24");
    }
    return new Prefix(address, bits, scheme(row), gapNs(row));
  }

  private static EdgeScheme scheme(JsonNode json) {
    return EdgeScheme.valueOf(
        json.get("scheme").textValue().toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static long gapNs(JsonNode json) {
    return json.path("gapUs").asLong() * 1_000;
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
    for (Prefix prefix : prefixes) {
      ObjectNode row =
          rows.addObject()
              .put("prefix", prefix.text())
              .put("scheme", prefix.scheme.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      if (prefix.gapNs > 0) {
        row.put("gapUs", prefix.gapNs / 1_000);
      }
    }
    return json;
  }
}
