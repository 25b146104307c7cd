package org.evenweave.sdd.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.evenweave.schema.FileProblem;
import org.evenweave.schema.InputSchema;
import org.evenweave.schema.Violation;
import org.evenweave.sdd.protocol.EdgeOrder;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.SharedClock;
import org.evenweave.sdd.tdma.StridedTdma;

/**
 * Reads a configuration (JSON): {@code docs/schema/sdd.json} comes first, then what a schema cannot
 * say. Only {@code hosts} must be there; what is not gets the value shown:
 *
 * <pre>
 * {"hosts": ["h0", "h1", "h2", "h3"],  "circuitSwitch": "cs",       (none)
 *  "listen": "127.0.0.1:6650",         "keys": "keys",         "standby": false,
 *  "controllers": ["127.0.0.1:6650"], (none)   "clock": "monotonic",   "taiOffsetSeconds": 37,
 *  "periodNs": 10000000, "nightNs": 50000 (at most period / 4), "guardNs": 20000 (period / 8),
 *  "shortestSlotNs": (period / 40),
 *  "circuitBps": 1000000000,           "packetBps": 100000000,
 *  "loop": "tight",  "scheduler": "solstice",  "slotNs": (an eighth),  "order": (the scheduler's)
 *  "lostAfterPeriods": 20,             "takeOverAfterPeriods": (half of it, at least 2),
 *  "safePolicy": "open",               "safeRateBps": 0,
 *  "hybrid": {"packetDelayNs": 500000, "bps": 50000000},             (none; half of packetBps)
 *  "racks": {"hostsPerRack": 4, "paths": 2}, "packetFlows": [{"protocol": 6}],         (none)
 *  "circuitClasses": [{"name": "shuffle", "priority": 0, "coflow": false, "weight": 1,
 *                      "flows": [...]}],                                               (none)
 *  "sharing": {"classes": [...]}, "triggers": [...], (none: {@link SharingReader}, TriggerReader)
 *  "edge": {"hosts": ["e0", "e1"], "scheme": "clove-ecn"},            (none: {@link EdgeOrder})
 *  "addresses": [{"host": "h1", "prefixes": ["10.0.1.0/24"]}]}                         (none)
 * </pre>
 */
public final class SddConfigReader {
  static final int TAI_OFFSET_SECONDS = 37;

  /** Ten thousand hosts with classes of their own take a tenth of this. */
  private static final int MAX_BYTES = 1 << 26;

  private final JsonNode root;

  /**
   * @param root valid by the schema
   */
  private SddConfigReader(JsonNode root) {
    this.root = root;
  }

  /**
   * Reads a file; paths in it are relative to its folder.
   *
   * @throws SddConfigException if it cannot be read or meant; names the field
   */
  public static SddConfig read(Path file) throws SddConfigException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      throw new SddConfigException(file.toString(), "cannot be read: " + FileProblem.of(e));
    }
    if (bytes.length > MAX_BYTES) {
      throw new SddConfigException(
          file.toString(),
          "is longer than " + (MAX_BYTES >> 20) + " MiB, the limit of a configuration");
    }
    return read(bytes, file.toAbsolutePath().getParent());
  }

  /**
   * Reads a document that is no file.
   *
   * @param json in UTF-8
   * @param folder what paths are relative to
   * @throws SddConfigException if it is invalid; names the field
   */
  public static SddConfig read(byte[] json, Path folder) throws SddConfigException {
    JsonNode root;
    try {
      root = StrictJson.read(json);
    } catch (JsonProcessingException e) {
      throw new SddConfigException(
          "line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
          e.getOriginalMessage());
    } catch (IOException e) {
      throw new SddConfigException("configuration", "is not JSON");
    }
    Optional<Violation> violation = InputSchema.named("sdd").violation(root);
    if (violation.isPresent()) {
      throw new SddConfigException(
          violation.get().path("configuration"), violation.get().problem());
    }
    return new SddConfigReader(root).config(folder);
  }

  private SddConfig config(Path folder) throws SddConfigException {
    UnusedFields.refuse(root);
    SddConfig config = new SddConfig();
    config.listen = address("listen", text("listen", "127.0.0.1:6650"));
    for (JsonNode other : root.path("controllers")) {
      String field = "controllers[" + config.controllers.size() + "]";
      InetSocketAddress address = address(field, other.textValue());
      if (config.controllers.contains(address)) {
        throw new SddConfigException(field, "\"" + other.textValue() + "\" occurs twice");
      }
      config.controllers.add(address);
    }
    config.keys = folder.resolve(text("keys", "keys"));
    config.standby = root.path("standby").asBoolean();
    config.directory = directory();
    config.clock = clock();
    long periodNs = number("periodNs", 10_000_000);
    config.nightNs = number("nightNs", 50_000, periodNs / 4);
    config.guardNs = number("guardNs", 20_000, periodNs / 8);
    config.shortestSlotNs = number("shortestSlotNs", periodNs / 40, periodNs / 2);
    config.packetBps = number("packetBps", 100_000_000);
    hybrid(config, periodNs);
    config.network =
        new CircuitNetwork(
            config.directory.count(),
            number("circuitBps", 1_000_000_000),
            config.hybridBps,
            config.nightNs + 2 * config.guardNs,
            periodNs);
    racks(config);
    config.loop = SddConfig.Loop.valueOf(text("loop", "tight").toUpperCase(Locale.ROOT));
    config.scheduler = scheduler(config);
    lost(config);
    config.safePolicy = SafePolicy.valueOf(text("safePolicy", "open").toUpperCase(Locale.ROOT));
    config.safeRateBps = number("safeRateBps", 0);
    if (config.safePolicy == SafePolicy.RATE && config.safeRateBps == 0) {
      throw new SddConfigException("safeRateBps", "is needed with safePolicy rate");
    }
    for (JsonNode flow : root.path("packetFlows")) {
      String at = "packetFlows[" + config.packetFlows.size() + "]";
      FlowMatch match = FlowReader.flow(flow, at);
      if (config.packetFlows.contains(match)) {
        throw new SddConfigException(at, "occurs twice");
      }
      config.packetFlows.add(match);
    }
    List<FlowMatch> taken = new ArrayList<>(config.packetFlows);
    config.circuitClasses.addAll(CircuitClassReader.read(root.path("circuitClasses"), taken));
    config.sharing =
        root.has("sharing")
            ? new SharingReader(config.directory, taken, "sharing.").read(root.get("sharing"))
            : SharingConfig.NONE;
    config.triggers =
        root.has("triggers")
            ? triggers(root.get("triggers"), config, config.sharing)
            : TriggersConfig.NONE;
    if (root.has("edge")) {
      config.edgeHosts.addAll(ClientNames.of(root.get("edge").path("hosts"), "edge.hosts"));
      config.edgeAddresses.putAll(
          AddressReader.edges(root.get("edge").path("addresses"), config.edgeHosts));
    }
    config.edgeOrder = edgeOrder(root.path("edge"), "edge.");
    config.commonDigest = CommonFields.of(config, root);
    return config;
  }

  private void lost(SddConfig config) throws SddConfigException {
    int periods = (int) number("lostAfterPeriods", 20);
    int takeOver = (int) number("takeOverAfterPeriods", Math.max(2, periods / 2));
    if (takeOver > periods) {
      throw new SddConfigException(
          "takeOverAfterPeriods",
          "must be at most lostAfterPeriods, " + periods + ", not " + takeOver);
    }
    config.lostAfterPeriods = periods;
    config.takeOverAfterPeriods = takeOver;
  }

  private void racks(SddConfig config) throws SddConfigException {
    JsonNode racks = root.path("racks");
    config.hostsPerRack = racks.path("hostsPerRack").asInt();
    config.paths = racks.path("paths").asInt();
    racks.path("switches").forEach(name -> config.rackSwitches.add(name.textValue()));
    racks.path("cores").forEach(name -> config.coreSwitches.add(name.textValue()));
    if (racks.has("switches") || racks.has("cores")) {
      int count = (config.directory.count() + config.hostsPerRack - 1) / config.hostsPerRack;
      requireSwitches("racks.switches", config.rackSwitches, count, "rack");
      requireSwitches("racks.cores", config.coreSwitches, config.paths, "path");
    }
  }

  private static void requireSwitches(String field, List<String> names, int count, String each)
      throws SddConfigException {
    if (names.size() != count || new HashSet<>(names).size() != count) {
      throw new SddConfigException(
          field, "must be " + count + " switches, another one for each " + each);
    }
  }

  /** What waits for circuits gets its part of what each host may send through the packet switch. */
  private void hybrid(SddConfig config, long periodNs) throws SddConfigException {
    JsonNode hybrid = root.get("hybrid");
    if (hybrid == null) {
      return;
    }
    config.packetDelayNs = hybrid.get("packetDelayNs").asLong();
    if (config.packetDelayNs > periodNs / 4) {
      throw new SddConfigException(
          "hybrid.packetDelayNs",
          "must be at most " + periodNs / 4 + " with this periodNs, not " + config.packetDelayNs);
    }
    long packetBps = config.packetBps;
    config.hybridBps = hybrid.path("bps").asLong(packetBps / 2);
    if (packetBps == 0 && !hybrid.has("bps")) {
      throw new SddConfigException("hybrid.bps", "is needed where packetBps is 0");
    }
    if (packetBps > 0 && (config.hybridBps == 0 || config.hybridBps >= packetBps)) {
      throw new SddConfigException(
          "hybrid.bps",
          "must leave some of packetBps, " + packetBps + ", to both, not be " + config.hybridBps);
    }
    if (packetBps > 0) {
      config.packetBps = packetBps - config.hybridBps;
    }
  }

  /**
   * Reads an order to all edges: {@code edge} without its hosts and their addresses.
   *
   * @throws SddConfigException if it is invalid; names the field
   */
  public static EdgeOrder readEdgeOrder(JsonNode order) throws SddConfigException {
    for (String field : List.of("hosts", "addresses")) {
      if (order.has(field)) {
        throw new SddConfigException.FormException(field, "are the configuration's");
      }
    }
    requireValid("edge", order, "order");
    return edgeOrder(order, "");
  }

  /**
   * Reads other classes for a configuration that counts already: {@code sharing} by itself.
   *
   * @throws SddConfigException if it is invalid; names the field
   */
  public static SharingConfig readSharing(JsonNode sharing, SddConfig config)
      throws SddConfigException {
    requireValid("sharing", sharing, "sharing");
    List<FlowMatch> taken = new ArrayList<>(config.packetFlows());
    config.circuitClasses().forEach(each -> taken.addAll(each.flows()));
    return new SharingReader(config.directory(), taken, "").read(sharing);
  }

  /**
   * Reads other triggers for a configuration that counts already: {@code triggers} by itself.
   *
   * @param sharing the traffic classes that count now
   * @throws SddConfigException if it is invalid; names the field
   */
  public static TriggersConfig readTriggers(
      JsonNode triggers, SddConfig config, SharingConfig sharing) throws SddConfigException {
    requireValid("triggers", triggers, "triggers");
    return triggers(triggers, config, sharing);
  }

  private static TriggersConfig triggers(JsonNode rows, SddConfig config, SharingConfig sharing)
      throws SddConfigException {
    boolean byDemand = !(config.scheduler instanceof StridedTdma);
    return new TriggerReader(config.directory, sharing, byDemand, "triggers").read(rows);
  }

  /** Holds one field's value to the schema; errors have paths within the value. */
  private static void requireValid(String field, JsonNode value, String name)
      throws SddConfigException {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.putArray("hosts").add("any");
    document.set(field, value);
    Optional<Violation> violation = InputSchema.named("sdd").violation(document);
    if (violation.isPresent()) {
      String path = violation.get().path(name);
      throw new SddConfigException.FormException(
          path.startsWith(field + ".") ? path.substring(field.length() + 1) : path,
          violation.get().problem());
    }
  }

  private static EdgeOrder edgeOrder(JsonNode order, String path) throws SddConfigException {
    try {
      return EdgeOrder.of(order);
    } catch (IllegalArgumentException e) {
      // The message begins with the field's path.
      int colon = e.getMessage().indexOf(':');
      throw new SddConfigException(
          path + e.getMessage().substring(0, colon), e.getMessage().substring(colon + 2));
    }
  }

  private String text(String field, String otherwise) {
    return root.path(field).asText(otherwise);
  }

  private long number(String field, long otherwise) {
    return root.path(field).asLong(otherwise);
  }

  /** A number that the period bounds, too, even where it is not given. */
  private long number(String field, long otherwise, long most) throws SddConfigException {
    long value = number(field, Math.min(otherwise, most));
    if (value > most) {
      throw new SddConfigException(
          field, "must be at most " + most + " with this periodNs, not " + value);
    }
    return value;
  }

  private static InetSocketAddress address(String field, String text) throws SddConfigException {
    int colon = text.lastIndexOf(':');
    int port = Integer.parseInt(text.substring(colon + 1));
    if (port > 65_535) {
      throw new SddConfigException(field, "must have a port of at most 65535, not " + port);
    }
    InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), port);
    if (address.isUnresolved()) {
      throw new SddConfigException(field, "no address is known for \"" + text + "\"");
    }
    return address;
  }

  private Directory directory() throws SddConfigException {
    List<String> hosts = ClientNames.of(root.get("hosts"), "hosts");
    String circuitSwitch = ClientNames.of(text("circuitSwitch", null), "circuitSwitch");
    try {
      return new Directory(
          hosts,
          circuitSwitch,
          root.path("circuitClasses").size(),
          AddressReader.read(root.path("addresses"), hosts));
    } catch (IllegalArgumentException e) {
      // The message begins with the field's name.
      throw new SddConfigException(
          e.getMessage().substring(0, e.getMessage().indexOf(':')),
          e.getMessage().substring(e.getMessage().indexOf(':') + 2));
    }
  }

  private SharedClock clock() {
    switch (text("clock", "monotonic")) {
      case "tai":
        return SharedClock.tai((int) number("taiOffsetSeconds", TAI_OFFSET_SECONDS));
      case "realtime":
        return SharedClock.realtime();
      default:
        return SharedClock.monotonic();
    }
  }

  private Scheduler scheduler(SddConfig config) throws SddConfigException {
    CircuitNetwork network = config.network;
    config.schedulerName = text("scheduler", "solstice");
    if (config.schedulerName.equals("fastpass")) {
      config.orderName = text("order", "leastRecentlyServed");
    }
    config.slotNs = number("slotNs", network.weekNs() / 8, network.weekNs());
    try {
      return Schedulers.named(config.schedulerName, config.orderName, network, config.slotNs);
    } catch (IllegalArgumentException e) {
      throw new SddConfigException(
          "scheduler", config.schedulerName + " cannot plan this: " + e.getMessage());
    }
  }
}
