package org.evenweave.app.sdd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.evenweave.sdd.config.SddConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.InvalidFieldException;

class SddNetworkConfigTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ApplicationId APPLICATION = new DefaultApplicationId(7, "org.evenweave.app");

  static SddNetworkConfig config(String json) {
    SddNetworkConfig config = new SddNetworkConfig();
    try {
      config.init(APPLICATION, SddNetworkConfig.KEY, JSON.readTree(json), JSON, changed -> {});
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return config;
  }

  @Test
  void theDocumentIsTheControllersOwn() throws Exception {
    SddNetworkConfig config =
        config(
            "{\"hosts\":[\"a\",\"b\"],\"listen\":\"127.0.0.1:7000\",\"keys\":\"/keys\","
                + "\"instance\":\"10.99.0.2\"}");
    assertTrue(config.isValid());
    assertEquals(List.of("a", "b"), config.hosts());
    assertEquals(Optional.of(NodeId.nodeId("10.99.0.2")), config.instance());
    SddConfig read = SddNetworkConfig.read(config.document());
    assertEquals(7000, read.listen().getPort());
    assertEquals(Path.of("/keys"), read.keys());
  }

  @Test
  void keysAreNextToOnossOtherConfiguration() throws Exception {
    SddNetworkConfig config = config("{\"hosts\":[\"a\"]}");
    assertTrue(config.isValid());
    assertEquals(Optional.empty(), config.instance());
    // ONOS runs in $ONOS_HOME/apache-karaf-VERSION.
    Path home = Path.of("").toAbsolutePath().getParent();
    assertEquals(home.resolve("config/keys"), SddNetworkConfig.read(config.document()).keys());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | hosts | is missing",
        "{\"hosts\":[\"a\"],\"packetFlows\":[{},{\"port\":1}]} | packetFlows[1].port | unknown"
            + " field; the fields here are destinationPort, protocol, source, sourcePort",
        "{\"hosts\":[\"a\"],\"periodNs\":1} | periodNs | must be a whole number from 100000 to"
            + " 10000000000, not 1",
        "{\"hosts\":[\"a\"],\"circuitSwitch\":\"a\"} | circuitSwitch | \"a\" is invalid, or is a"
            + " host's name",
        "{\"hosts\":[\"a\"],\"triggers\":[{\"name\":\"b\",\"queue\":\"class:c\",\"when\":\"TRUE\"}]} |"
            + " triggers[0].queue | there is no class \"c\" in sharing",
        "{\"hosts\":[\"a\"],\"circuitClasses\":[{\"name\":\"b\"}]} | circuitClasses[0].flows | is"
            + " missing",
        "{\"hosts\":[\"a\"],\"controllers\":[\"10.99.0.1:6650\"]} | controllers | are the"
            + " cluster's instances here: leave it out",
        "{\"hosts\":[\"a\"],\"instance\":\"\"} | instance | must be the id of an instance of ONOS,"
            + " not \"\"",
        "{\"hosts\":[\"a\"],\"instance\":1} | instance | must be the id of an instance of ONOS, not"
            + " 1",
        "{\"hosts\":[\"a\"],\"instance\":null} | instance | must be the id of an instance of ONOS,"
            + " not null"
      })
  void aFaultIsRefusedWithItsFieldAndReason(String json, String field, String reason) {
    InvalidFieldException e =
        assertThrows(InvalidFieldException.class, () -> config(json).isValid());
    assertEquals(field, e.field());
    assertEquals(reason, e.reason());
  }
}
