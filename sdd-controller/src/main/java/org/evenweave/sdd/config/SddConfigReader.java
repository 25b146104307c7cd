package org.evenweave.sdd.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.evenweave.sdd.birkhoff.BirkhoffVonNeumann;
import org.evenweave.sdd.fastpass.FastPass;
import org.evenweave.sdd.protocol.FlowMatch;
import org.evenweave.sdd.protocol.Limits;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.evenweave.sdd.schedule.CircuitNetwork;
import org.evenweave.sdd.schedule.Scheduler;
import org.evenweave.sdd.session.Directory;
import org.evenweave.sdd.session.SharedClock;
import org.evenweave.sdd.solstice.Solstice;
import org.evenweave.sdd.tdma.StridedTdma;

/**
 * Reads a configuration (JSON). Only {@code hosts} must be there; what is not gets the value shown:
 *
 * <pre>
 * {"hosts": ["h0", "h1", "h2", "h3"],  "circuitSwitch": "cs",       (none)
 *  "listen": "127.0.0.1:6650",         "keys": "keys",
 *  "clock": "monotonic",               "taiOffsetSeconds": 37,
 *  "periodNs": 10000000, "nightNs": 50000, "guardNs": 20000, "shortestSlotNs": (period / 40)
 *  "circuitBps": 1000000000,           "packetBps": 100000000,
 *  "loop": "tight",                    "scheduler": "solstice",  "slotNs": (an eighth of the period)
 *  "lostAfterPeriods": 20,             "safePolicy": "open",     "safeRateBps": 0,
 *  "packetFlows": [{"protocol": 6, "sourcePort": 5201}],             (none)
 *  "sharing": {"classes": [...]}}                                    (none: {@link SharingReader})
 * </pre>
 */
public final class SddConfigReader {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final long LONGEST_PERIOD_NS = 10_000_000_000L;
  private static final long SHORTEST_PERIOD_NS = 100_000;

  private SddConfigReader() {}

  /**
   * Reads a file; paths in it are relative to its folder.
   *
   * @throws SddConfigException if it cannot be read or meant; names the field
   */
  public static SddConfig read(Path file) throws SddConfigException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new SddConfigException(file.toString(), "cannot be read");
    }
    return read(bytes, file.toAbsolutePath().getParent());
  }

  /**
   * Reads a document that is no file.
   *
   * @param json in UTF-8
   * @param folder what paths are relative to
   * @throws SddConfigException if it cannot be meant; names the field
   */
  public static SddConfig read(byte[] json, Path folder) throws SddConfigException {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new SddConfigException(
          "line " + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
          e.getOriginalMessage());
    } catch (IOException e) {
      throw new SddConfigException("configuration", "is no JSON");
    }
    ConfigFields fields = new ConfigFields(root, "");
    SddConfig config = new SddConfig();
    config.listen = address(fields);
    config.keys = folder.resolve(fields.text("keys", "keys"));
    config.directory = directory(fields);
    config.clock = clock(fields);
    long periodNs = fields.number("periodNs", SHORTEST_PERIOD_NS, LONGEST_PERIOD_NS, 10_000_000);
    config.nightNs = fields.number("nightNs", 0, periodNs / 4, 50_000);
    config.guardNs = fields.number("guardNs", 0, periodNs / 8, 20_000);
    config.shortestSlotNs = fields.number("shortestSlotNs", 1, periodNs / 2, periodNs / 40);
    config.packetBps = fields.number("packetBps", 0, Limits.MAX_RATE_BPS, 100_000_000);
    config.network =
        new CircuitNetwork(
            config.directory.count(),
            fields.number("circuitBps", 1, Limits.MAX_RATE_BPS / 100, 1_000_000_000),
            0,
            config.nightNs + 2 * config.guardNs,
            periodNs);
    config.loop =
        SddConfig.Loop.valueOf(
            fields.oneOf("loop", "tight", List.of("tight", "loose")).toUpperCase(Locale.ROOT));
    config.scheduler = scheduler(fields, config);
    config.lostAfterPeriods = (int) fields.number("lostAfterPeriods", 2, 1_000_000, 20);
    config.safePolicy =
        SafePolicy.valueOf(
            fields
                .oneOf("safePolicy", "open", List.of("open", "closed", "rate"))
                .toUpperCase(Locale.ROOT));
    long leastRate = config.safePolicy == SafePolicy.RATE ? 1 : 0;
    config.safeRateBps = fields.number("safeRateBps", leastRate, Limits.MAX_RATE_BPS, 0);
    if (config.safeRateBps < leastRate) {
      throw fields.error("safeRateBps", "is needed with safePolicy rate");
    }
    for (ConfigFields flow : fields.objects("packetFlows")) {
      config.packetFlows.add(flow(flow));
    }
    if (fields.has("sharing")) {
      config.sharing = new SharingReader(config.packetFlows).read(fields.object("sharing"));
    }
    fields.noOthers();
    return config;
  }

  private static InetSocketAddress address(ConfigFields fields) throws SddConfigException {
    String text = fields.text("listen", "127.0.0.1:6650");
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
      throw fields.error("listen", "\"" + text + "\" is not an address like 127.0.0.1:6650");
    }
    InetSocketAddress address =
        new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port));
    if (address.isUnresolved()) {
      throw fields.error("listen", "no address is known for \"" + text + "\"");
    }
    return address;
  }

  private static Directory directory(ConfigFields fields) throws SddConfigException {
    List<String> hosts = fields.texts("hosts");
    String circuitSwitch = fields.text("circuitSwitch", null);
    try {
      return new Directory(hosts, circuitSwitch);
    } catch (IllegalArgumentException e) {
      // The message begins with the field's name.
      throw new SddConfigException(
          e.getMessage().substring(0, e.getMessage().indexOf(':')),
          e.getMessage().substring(e.getMessage().indexOf(':') + 2));
    }
  }

  private static SharedClock clock(ConfigFields fields) throws SddConfigException {
    int taiOffset = (int) fields.number("taiOffsetSeconds", 0, 1_000, 37);
    switch (fields.oneOf("clock", "monotonic", List.of("monotonic", "realtime", "tai"))) {
      case "tai":
        return SharedClock.tai(taiOffset);
      case "realtime":
        return SharedClock.realtime();
      default:
        return SharedClock.monotonic();
    }
  }

  private static Scheduler scheduler(ConfigFields fields, SddConfig config)
      throws SddConfigException {
    CircuitNetwork network = config.network;
    config.schedulerName =
        fields.oneOf("scheduler", "solstice", List.of("solstice", "tdma", "birkhoff", "fastpass"));
    long slotNs = fields.number("slotNs", 1_000, network.weekNs(), network.weekNs() / 8);
    try {
      switch (config.schedulerName) {
        case "tdma":
          return new StridedTdma(network, slotNs);
        case "birkhoff":
          return new BirkhoffVonNeumann(network);
        case "fastpass":
          return new FastPass(network, slotNs);
        default:
          return new Solstice(network);
      }
    } catch (IllegalArgumentException e) {
      throw fields.error(
          "scheduler", config.schedulerName + " cannot plan this: " + e.getMessage());
    }
  }

  static FlowMatch flow(ConfigFields fields) throws SddConfigException {
    FlowMatch match = FlowMatch.all();
    if (fields.has("protocol")) {
      match = match.protocol((int) fields.number("protocol", 0, 255, 0));
    }
    if (fields.has("sourcePort")) {
      match = match.sourcePort((int) fields.number("sourcePort", 0, 65_535, 0));
    }
    if (fields.has("destinationPort")) {
      match = match.destinationPort((int) fields.number("destinationPort", 0, 65_535, 0));
    }
    fields.noOthers();
    return match;
  }
}
