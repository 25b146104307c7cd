package org.evenweave.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Hashtable;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.cfg.ComponentConfigAdapter;

@SuppressWarnings("JdkObsolete") // OSGi hands over a Dictionary
class TunablesTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Map<String, String> putBack = new TreeMap<>();
  private final Tunables tunables =
      new Tunables(
          new ComponentConfigAdapter() {
            @Override
            public void setProperty(String component, String name, String value) {
              assertEquals("org.evenweave.app.config.Tunables", component);
              putBack.put(name, value);
            }
          });

  private void set(String name, String value) {
    tunables.read(new Hashtable<>(Map.of(name, value)));
  }

  @Test
  void withoutPropertiesTheDefaultsHold() {
    tunables.read(new Hashtable<>());
    assertEquals(30 * SECOND_NANOS, tunables.auditIntervalNanos());
    assertEquals(5 * SECOND_NANOS, tunables.confirmationTimeoutNanos());
    assertEquals(SECOND_NANOS, tunables.linkProbeNanos());
  }

  @Test
  void eachIsSetByItself() {
    set("auditIntervalSeconds", "10");
    set("confirmationTimeoutMillis", "2000");
    set("linkProbeMillis", "200");
    assertEquals(SECOND_NANOS / 5, tunables.linkProbeNanos());
    assertEquals(10 * SECOND_NANOS, tunables.auditIntervalNanos());
    assertEquals(2 * SECOND_NANOS, tunables.confirmationTimeoutNanos());
  }

  @Test
  void placesAreGivenUnlessTheOperatorWantsNone() {
    tunables.read(new Hashtable<>());
    assertTrue(tunables.placesDevices());
    set("placeDevices", "false");
    assertFalse(tunables.placesDevices());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "3600"})
  void theEndsOfTheRangeAreIn(String seconds) {
    set("auditIntervalSeconds", seconds);
    assertEquals(Long.parseLong(seconds) * SECOND_NANOS, tunables.auditIntervalNanos());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "3601", "ten", "", "1.5"})
  void outOfRangeTheOneBeforeStaysAndIsPutBack(String seconds) {
    set("auditIntervalSeconds", "10");
    set("auditIntervalSeconds", seconds);
    assertEquals(10 * SECOND_NANOS, tunables.auditIntervalNanos());
    assertEquals(Map.of("auditIntervalSeconds", "10"), putBack);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1499", "60001"})
  void aTimeoutThatLeavesNoChanceOrNoEndIsRefused(String millis) {
    set("confirmationTimeoutMillis", millis);
    assertEquals(5 * SECOND_NANOS, tunables.confirmationTimeoutNanos());
  }

  /** ONOS reads names, types and defaults from a file of its own. */
  @Test
  void theDefinitionsForOnosAreTheComponents() throws IOException {
    Map<String, String> defined = new TreeMap<>();
    try (InputStream file = Tunables.class.getResourceAsStream("Tunables.cfgdef")) {
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\\|"))
          .forEach(fields -> defined.put(fields[0] + ":" + fields[1], fields[2]));
    }
    assertEquals(
        Map.of(
            "auditIntervalSeconds:INTEGER", "30",
            "confirmationTimeoutMillis:INTEGER", "5000",
            "linkProbeMillis:INTEGER", "1000",
            "placeDevices:BOOLEAN", "true"),
        defined);
  }
}
