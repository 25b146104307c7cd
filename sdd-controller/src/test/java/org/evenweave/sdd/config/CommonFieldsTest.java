package org.evenweave.sdd.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What controllers of the same hosts must have in common, by its digest. */
class CommonFieldsTest {
  private static String digest(String json) throws SddConfigException {
    byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return SddConfigReader.read(bytes, Path.of("/")).commonDigest();
  }

  private static String with(String fields) throws SddConfigException {
    return digest("{'hosts': ['a', 'b']" + fields + "}");
  }

  /** The same with other words, or for what each controller has of its own or operators change. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ", 'periodNs': 10000000, 'scheduler': 'solstice', 'circuitClasses': []",
        ", 'listen': '127.0.0.1:9', 'keys': 'other', 'standby': true, 'controllers': ['::1:9']",
        ", 'sharing': {'classes': [{'name': 'w', 'flows': [{}]}]}",
        ", 'triggers': [{'name': 't', 'queue': 'packet', 'when': 'TRUE'}]",
        ", 'addresses': []",
        ", 'packetFlows': [], 'takeOverAfterPeriods': 10"
      })
  void controllersOfTheSameHostsMayDifferInThese(String fields) throws SddConfigException {
    assertEquals(with(""), with(fields));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", 'periodNs': 20000000",
        ", 'nightNs': 1",
        ", 'guardNs': 1",
        ", 'shortestSlotNs': 1",
        ", 'circuitBps': 1",
        ", 'packetBps': 1",
        ", 'clock': 'realtime'",
        ", 'clock': 'tai'",
        ", 'clock': 'tai', 'taiOffsetSeconds': 36",
        ", 'circuitSwitch': 'cs'",
        ", 'loop': 'loose'",
        ", 'scheduler': 'tdma'",
        ", 'scheduler': 'tdma', 'slotNs': 2000",
        ", 'scheduler': 'fastpass'",
        ", 'scheduler': 'fastpass', 'order': 'shortestRemaining'",
        ", 'lostAfterPeriods': 21",
        ", 'takeOverAfterPeriods': 9",
        ", 'safePolicy': 'closed'",
        ", 'safePolicy': 'rate', 'safeRateBps': 9",
        ", 'hybrid': {'packetDelayNs': 0}",
        ", 'hybrid': {'packetDelayNs': 1}",
        ", 'racks': {'hostsPerRack': 1, 'paths': 1}",
        ", 'packetFlows': [{'protocol': 6}]",
        ", 'circuitClasses': [{'name': 'c', 'flows': [{'protocol': 6}]}]",
        ", 'circuitClasses': [{'name': 'c', 'priority': 1, 'flows': [{'protocol': 6}]}]",
        ", 'addresses': [{'host': 'a', 'prefixes': ['10.0.0.1']}]",
        ", 'edge': {'hosts': ['e']}"
      })
  void controllersOfTheSameHostsMustNotDifferInThese(String fields) throws SddConfigException {
    assertNotEquals(with(""), with(fields));
  }

  @Test
  void theOrderOfHostsIsCommonAndThatOfEdgesIsTheOperators() throws SddConfigException {
    assertNotEquals(with(""), digest("{'hosts': ['b', 'a']}"));
    assertEquals(
        with(", 'edge': {'hosts': ['e']}"), with(", 'edge': {'hosts': ['e'], 'scheme': 'alb'}"));
  }
}
