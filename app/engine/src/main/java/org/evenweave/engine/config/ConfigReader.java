package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Reads an {@link EngineConfig} from JSON, strictly: {@code docs/schema/configuration.json} comes
 * first, then what a schema cannot say. Every runtime takes its configuration in this form.
 *
 * <pre>
 * {"switches": [...], "links": [...], "subnets": [...],
 *  "strategy": "wcmp",
 *  "maxOversubscription": 1.05,
 *  "leaveOut": "auto", "minNextHops": 2,
 *  "excluded": {"switches": ["s2-1"], "links": ["s1-0/1"]},
 *  "damping": {"enabled": true, "halfLifeSeconds": 10, "suppress": 2000, "reuse": 1000,
 *              "maxHoldDownSeconds": 60},
 *  "lossyLinks": "report",
 *  "bfd": {"enabled": true, "intervalMs": 100, "ovsdb": ["tcp:127.0.0.1:6640"]},
 *  "foreignRules": "report",
 *  "traffic": {"enabled": true, "periodSeconds": 10, "minGainPercent": 5,
 *              "maxChurnPercentPerMinute": 10},
 *  "traceroute": {"enabled": true, "prefix": "100.64.0.0/10", "portBits": 8, "maxPerSecond": 100}}
 * </pre>
 *
 * <p>All fields may be left out. {@code "links"} may be {@code "discovered"}, which is also what
 * leaving it out means: then every link that probes find carries traffic. {@value #ALLOW_EMPTY}
 * matters only where the document takes another's place ({@link ConfigUpdate}).
 */
public final class ConfigReader {
  /** Confirms that a configuration without switches, links or subnets is intended. */
  public static final String ALLOW_EMPTY = "allowEmpty";

  /** What is done about lossy links: they are kept out of traffic, or only reported. */
  static final String EXCLUDE = "exclude";

  static final String REPORT = "report";

  private static final String SCHEMA = "configuration";

  /** Larger ratios than any table needs only cost time. */
  private static final int MAX_DIGITS = 30;

  private final JsonNode root;
  private EngineConfig config;

  private ConfigReader(JsonNode root) {
    this.root = root;
  }

  /** Reads a file; the error for one that cannot be read names it. */
  public static EngineConfig read(Path file) {
    return parse(TextFile.read(file));
  }

  /**
   * Reads JSON text.
   *
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  public static EngineConfig parse(String text) {
    return ofValid(CheckedJson.parse(SCHEMA, SCHEMA, text));
  }

  /** Reads a JSON value, as {@link #parse} does. */
  public static EngineConfig of(JsonNode root) {
    CheckedJson.check(SCHEMA, SCHEMA, root);
    return ofValid(root);
  }

  /** Reads a JSON value that is valid by the schema. */
  static EngineConfig ofValid(JsonNode root) {
    return new ConfigReader(root).read();
  }

  private EngineConfig read() {
    config = FabricReader.configOf(root);
    if (!root.path("links").isArray()) {
      config = config.withLinksDiscovered();
    }
    if (root.has("strategy")) {
      config = config.withWeightRule(WeightRule.named(root.get("strategy").textValue()));
    }
    if (root.has("maxOversubscription")) {
      readMaxOversubscription(root.get("maxOversubscription"));
    }
    config = config.withLeaveOut(LeaveOutReader.read(root, LeaveOut.AUTO));
    readExcluded();
    if (root.has("damping")) {
      config = config.withDamping(DampingReader.read(root.get("damping")));
    }
    config = config.withLossyLinksExcluded(EXCLUDE.equals(root.path("lossyLinks").textValue()));
    if (root.has("bfd")) {
      config = config.withBfd(readBfd(root.get("bfd")));
    }
    if (root.has("foreignRules")) {
      config =
          config.withForeignRules(ForeignRulePolicy.named(root.get("foreignRules").textValue()));
    }
    if (root.has("traffic")) {
      config = config.withTraffic(readTraffic(root.get("traffic")));
    }
    config =
        config.withTraceroute(TracerouteReader.read(root.path("traceroute"), config.intended()));
    return config.requireCountable();
  }

  private static TrafficConfig readTraffic(JsonNode node) {
    TrafficConfig ifLeftOut = TrafficConfig.DEFAULT;
    return new TrafficConfig(
        node.path("enabled").asBoolean(ifLeftOut.enabled()),
        node.path("periodSeconds").asInt(ifLeftOut.periodSeconds()),
        node.path("minGainPercent").asInt(ifLeftOut.minGainPercent()),
        node.path("maxChurnPercentPerMinute").asInt(ifLeftOut.maxChurnPercentPerMinute()));
  }

  private BfdConfig readBfd(JsonNode node) {
    List<String> servers = new ArrayList<>();
    node.path("ovsdb").forEach(server -> servers.add(server.textValue()));
    boolean isEnabled = node.path("enabled").asBoolean(BfdConfig.OFF.enabled());
    int intervalMs = node.path("intervalMs").asInt(BfdConfig.OFF.intervalMs());
    if (isEnabled && config.linksDiscovered()) {
      throw new FabricException("bfd", "needs links in the configuration, not discovered ones");
    }
    try {
      return new BfdConfig(isEnabled, intervalMs, servers);
    } catch (IllegalArgumentException e) {
      throw new FabricException("bfd", e.getMessage());
    }
  }

  private void readMaxOversubscription(JsonNode node) {
    // Jackson makes a double, infinite, of a decimal that is beyond all doubles.
    BigDecimal limit = node.isDouble() ? null : node.decimalValue();
    if (limit == null
        || limit.precision() > MAX_DIGITS
        || Math.abs((long) limit.scale()) > MAX_DIGITS) {
      throw new FabricException(
          "maxOversubscription",
          "must be a decimal number of at least 1 and at most " + MAX_DIGITS + " digits");
    }
    config = config.withMaxOversubscription(limit);
  }

  private void readExcluded() {
    Set<String> switches = new TreeSet<>();
    Set<SwitchPort> links = new TreeSet<>();
    Fabric fabric = config.intended();
    JsonNode excluded = root.path("excluded");
    for (int i = 0; i < excluded.path("switches").size(); i++) {
      String path = "excluded.switches[" + i + "]";
      String id = excluded.get("switches").get(i).textValue();
      requireSwitch(path, fabric, id);
      requireNew(path, switches.add(id));
    }
    for (int i = 0; i < excluded.path("links").size(); i++) {
      String path = "excluded.links[" + i + "]";
      SwitchPort end = SwitchPort.parse(excluded.get("links").get(i).textValue());
      FabricReader.requireNotReserved(path, end);
      requireSwitch(path, fabric, end.switchId());
      requireNew(path, links.add(end));
    }
    config = config.withExcluded(switches, links);
  }

  /** A switch that is in no file is named by its datapath id. */
  private static void requireSwitch(String path, Fabric fabric, String id) {
    if (fabric.indexOf(id) < 0 && !id.matches("of:[0-9a-f]{16}")) {
      throw new FabricException(
          path, "no switch \"" + id + "\" in switches, nor is it of: and 16 hex digits");
    }
  }

  private static void requireNew(String path, boolean isNew) {
    if (!isNew) {
      throw new FabricException(path, "occurs twice");
    }
  }
}
