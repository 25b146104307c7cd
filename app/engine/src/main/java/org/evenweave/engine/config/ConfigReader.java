package org.evenweave.engine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;

/**
 * Reads an {@link EngineConfig} from JSON, as strictly as {@link FabricReader} reads the fabric
 * that is part of it; every runtime takes its configuration in this form.
 *
 * <pre>
 * {"switches": [...], "links": [...], "subnets": [...],
 *  "strategy": "wcmp",
 *  "maxOversubscription": 1.05,
 *  "excluded": {"switches": ["s2-1"], "links": ["s1-0/1"]},
 *  "damping": {"enabled": true, "halfLifeSeconds": 10, "suppress": 2000, "reuse": 1000,
 *              "maxHoldDownSeconds": 60}}
 * </pre>
 *
 * <p>All fields may be left out. {@code "links"} may be {@code "discovered"}, which is also what
 * leaving it out means: then every link that probes find carries traffic. {@value #ALLOW_EMPTY}
 * matters only where the document takes another's place ({@link ConfigUpdate}).
 */
public final class ConfigReader {
  /** Confirms that a configuration without switches, links or subnets is intended. */
  public static final String ALLOW_EMPTY = "allowEmpty";

  static final Set<String> EXCLUDED_FIELDS = Set.of("switches", "links");

  static final Set<String> FIELDS =
      Set.of(
          "switches",
          "links",
          "subnets",
          "strategy",
          "maxOversubscription",
          "excluded",
          "damping",
          ALLOW_EMPTY);

  private static final String DISCOVERED = "discovered";

  /** Larger ratios than any table needs only cost time. */
  private static final int MAX_DIGITS = 30;

  private final JsonNode root;
  private EngineConfig config;

  private ConfigReader(JsonNode root) {
    this.root = root;
  }

  /** Reads a file; the error for one that cannot be read names it. */
  public static EngineConfig read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new FabricException(file.toString(), "no such file");
    } catch (IOException e) {
      throw new FabricException(file.toString(), "cannot be read: " + e.getMessage());
    }
  }

  /**
   * Reads JSON text.
   *
   * @throws FabricException with the path of the field that is wrong, and what would be right
   */
  public static EngineConfig parse(String text) {
    return new ConfigReader(FabricReader.tree("configuration", text)).read();
  }

  /** Reads a JSON value. */
  public static EngineConfig of(JsonNode root) {
    return new ConfigReader(root).read();
  }

  private EngineConfig read() {
    FabricReader.requireObject("configuration", root, FIELDS);
    ObjectNode fabric = ((ObjectNode) root).objectNode();
    for (String field : new String[] {"switches", "links", "subnets"}) {
      fabric.set(field, root.has(field) ? root.get(field) : fabric.arrayNode());
    }
    if (root.has(ALLOW_EMPTY) && !root.get(ALLOW_EMPTY).isBoolean()) {
      throw new FabricException(ALLOW_EMPTY, "must be true or false");
    }
    boolean linksDiscovered = !root.has("links") || root.get("links").isTextual();
    if (linksDiscovered) {
      requireDiscovered(root.get("links"));
      fabric.set("links", fabric.arrayNode());
    }
    config = FabricReader.configOf(fabric);
    config = linksDiscovered ? config.withLinksDiscovered() : config;
    readStrategy();
    readMaxOversubscription();
    readExcluded();
    if (root.has("damping")) {
      config = config.withDamping(DampingReader.read(root.get("damping")));
    }
    return config;
  }

  private static void requireDiscovered(JsonNode links) {
    if (links != null && !links.textValue().equals(DISCOVERED)) {
      throw new FabricException(
          "links",
          "must be an array of links or \"" + DISCOVERED + "\", not \"" + links.textValue() + "\"");
    }
  }

  private void readStrategy() {
    if (root.has("strategy")) {
      String name = FabricReader.text("strategy", root.get("strategy"));
      try {
        config = config.withWeightRule(WeightRule.named(name));
      } catch (IllegalArgumentException e) {
        throw new FabricException(
            "strategy", "must be " + WeightRule.strategyNames() + ", not \"" + name + "\"");
      }
    }
  }

  private void readMaxOversubscription() {
    JsonNode node = root.get("maxOversubscription");
    if (node == null) {
      return;
    }
    boolean isDecimal = node.isBigDecimal() || node.isIntegralNumber();
    if (!isDecimal
        || node.decimalValue().compareTo(BigDecimal.ONE) < 0
        || node.decimalValue().precision() > MAX_DIGITS
        || Math.abs((long) node.decimalValue().scale()) > MAX_DIGITS) {
      throw new FabricException(
          "maxOversubscription",
          "must be a decimal number of at least 1 and at most " + MAX_DIGITS + " digits");
    }
    config = config.withMaxOversubscription(node.decimalValue());
  }

  private void readExcluded() {
    JsonNode excluded = root.get("excluded");
    if (excluded == null) {
      return;
    }
    FabricReader.requireObject("excluded", excluded, EXCLUDED_FIELDS);
    Set<String> switches = new TreeSet<>();
    Set<SwitchPort> links = new TreeSet<>();
    Fabric fabric = config.intended();
    for (int i = 0; i < size("excluded.switches", excluded.get("switches")); i++) {
      String path = "excluded.switches[" + i + "]";
      String id = FabricReader.text(path, excluded.get("switches").get(i));
      requireSwitch(path, fabric, id);
      requireNew(path, switches.add(id));
    }
    for (int i = 0; i < size("excluded.links", excluded.get("links")); i++) {
      String path = "excluded.links[" + i + "]";
      SwitchPort end = linkEnd(path, FabricReader.text(path, excluded.get("links").get(i)));
      FabricReader.requireNotReserved(path, end);
      requireSwitch(path, fabric, end.switchId());
      requireNew(path, links.add(end));
    }
    config = config.withExcluded(switches, links);
  }

  private static SwitchPort linkEnd(String path, String text) {
    try {
      return SwitchPort.parse(text);
    } catch (IllegalArgumentException e) {
      throw new FabricException(
          path, "must be one end of a link, as in \"s1-0/1\", not \"" + text + "\"");
    }
  }

  private static int size(String path, JsonNode array) {
    return array == null ? 0 : FabricReader.requireArray(path, array).size();
  }

  /** A switch that is in no file goes by its datapath id. */
  private static void requireSwitch(String path, Fabric fabric, String id) {
    if (fabric.indexOf(id) < 0 && !id.matches("of:[0-9a-f]{16}")) {
      throw new FabricException(
          path, "no switch \"" + id + "\" in switches, nor is it of: and 16 hex digits");
    }
  }

  private static void requireNew(String path, boolean isNew) {
    if (!isNew) {
      throw new FabricException(path, "is there twice");
    }
  }
}
