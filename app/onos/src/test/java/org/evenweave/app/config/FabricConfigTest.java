package org.evenweave.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.evenweave.app.Logged;
import org.evenweave.app.cluster.FakeStorage;
import org.evenweave.app.cluster.SharedText;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.InvalidFieldException;

/** Each file in faults/ is one mistake, with the field and the reason the operator reads. */
class FabricConfigTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

  static FabricConfig config(JsonNode fabric) {
    return config(EngineConfig::empty, fabric);
  }

  static FabricConfig config(Supplier<EngineConfig> present, JsonNode fabric) {
    return config(
        present, new Refusals(new SharedText(new FakeStorage(), "refusal"), CLOCK), fabric);
  }

  private static FabricConfig config(
      Supplier<EngineConfig> present, Refusals refusals, JsonNode fabric) {
    FabricConfig config = new FabricConfig(present, () -> false, refusals);
    config.init(APPLICATION, FabricConfig.KEY, fabric, JSON, changed -> {});
    return config;
  }

  static JsonNode read(Path file) {
    try {
      return JSON.readTree(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path resource(String name) throws URISyntaxException {
    return Path.of(FabricConfigTest.class.getResource(name).toURI());
  }

  @Test
  void everyFieldReachesTheEngine() throws Exception {
    FabricConfig config = config(read(resource("all-fields.json")));
    assertTrue(config.isValid());
    EngineConfig engine = config.engineConfig();
    assertEquals("s1-0", engine.switchIdOf(1));
    assertEquals(1024, engine.intended().tableEntries(engine.intended().indexOf("s1-0")));
    assertEquals(10_000_000_000L, engine.intended().capacityBps(0));
    assertEquals("10.0.1.0/24", engine.intended().subnetPrefix(1).toString());
    assertEquals(WeightRule.EFFECTIVE_CAPACITY, engine.weightRule());
    assertEquals(new BigDecimal("1.05"), engine.maxOversubscriptionDecimal());
    assertEquals(Set.of("s2-1"), engine.excludedSwitches());
    assertEquals(Set.of(new SwitchPort("s1-0", 1)), engine.excludedLinks());
  }

  @Test
  void theLastRefusalIsKnownOnAllInstancesUntilAConfigurationIsAccepted() throws Exception {
    FakeStorage storage = new FakeStorage();
    Refusals here = new Refusals(new SharedText(storage, "refusal"), CLOCK);
    JsonNode faulty = JSON.readTree("{\"colour\": \"red\"}");
    assertThrows(
        InvalidFieldException.class, () -> config(EngineConfig::empty, here, faulty).isValid());
    Refusals there = new Refusals(new SharedText(storage, "refusal"), CLOCK);
    assertEquals("colour", there.last().orElseThrow().field());
    assertEquals(CLOCK.instant(), there.last().orElseThrow().at());
    assertTrue(config(EngineConfig::empty, there, JSON.readTree("{}")).isValid());
    assertEquals(Optional.empty(), there.last());
  }

  @Test
  void nothingIsObligatory() throws Exception {
    FabricConfig config = config(JSON.readTree("{}"));
    assertTrue(config.isValid());
    assertEquals(0, config.engineConfig().intended().switchCount());
  }

  @Test
  void oneFieldDoesNotEmptyTheFabricUnlessItSaysSo() throws Exception {
    EngineConfig present = config(read(resource("all-fields.json"))).engineConfig();
    FabricConfig partial = config(() -> present, JSON.readTree("{\"strategy\":\"ecmp\"}"));
    List<String> warnings =
        Logged.alarms(
            () ->
                assertEquals(
                    "switches",
                    assertThrows(InvalidFieldException.class, partial::isValid).field()));
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(
        warnings
            .get(0)
            .contains("the previous configuration stays in force: switches: the new configuration"),
        warnings::toString);
    assertTrue(
        config(() -> present, JSON.readTree("{\"strategy\":\"ecmp\",\"allowEmpty\":true}"))
            .isValid());
  }

  @TestFactory
  List<DynamicTest> aFaultIsRefusedWithItsFieldAndReason() throws Exception {
    try (Stream<Path> files = Files.list(resource("faults"))) {
      return files
          .sorted()
          .map(
              file ->
                  DynamicTest.dynamicTest(
                      file.getFileName().toString(), () -> assertRefused(read(file))))
          .collect(Collectors.toList());
    }
  }

  private static void assertRefused(JsonNode fault) {
    FabricConfig config = config(fault.get("fabric"));
    List<String> warnings =
        Logged.alarms(
            () -> {
              InvalidFieldException e = assertThrows(InvalidFieldException.class, config::isValid);
              assertEquals(fault.get("field").asText(), e.field());
              assertEquals(fault.get("reason").asText(), e.reason());
            });
    assertEquals(
        List.of(
            "WARN apps/org.evenweave.app/fabric refused, the previous configuration stays in force: "
                + fault.get("field").asText()
                + ": "
                + fault.get("reason").asText()),
        warnings);
  }
}
