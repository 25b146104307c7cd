package org.evenweave.engine.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.LeaveOut;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.reduction.Ratio;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
  private static final String GOOD =
      "{\"switches\":[{\"id\":\"a\",\"dpid\":\"00000000000000a1\",\"stage\":1,\"table\":512},"
          + "{\"id\":\"b\",\"stage\":2}],"
          + "\"links\":[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}],"
          + "\"subnets\":[{\"switch\":\"a\",\"prefix\":\"10.0.0.0/24\"}],"
          + "\"strategy\":\"ecmp\",\"maxOversubscription\":1.050,"
          + "\"leaveOut\":\"auto\",\"minNextHops\":3,"
          + "\"excluded\":{\"switches\":[\"b\"],\"links\":[\"a/1\",\"of:00000000000000ff/3\"]},"
          + "\"damping\":{\"enabled\":false,\"halfLifeSeconds\":15,\"suppress\":3000,"
          + "\"reuse\":750,\"maxHoldDownSeconds\":90},"
          + "\"lossyLinks\":\"exclude\","
          + "\"bfd\":{\"enabled\":true,\"intervalMs\":50,\"ovsdb\":[\"tcp:127.0.0.1:6640\"]},"
          + "\"foreignRules\":\"remove\","
          + "\"traffic\":{\"enabled\":true,\"periodSeconds\":5,"
          + "\"minGainPercent\":8,\"maxChurnPercentPerMinute\":20},"
          + "\"traceroute\":{\"enabled\":true,\"prefix\":\"10.200.0.0/16\","
          + "\"portBits\":6,\"maxPerSecond\":30}}";

  @Test
  void readsEveryFieldExactlyAndWritesItBack() {
    EngineConfig config = ConfigReader.parse(GOOD);
    assertEquals(WeightRule.EQUAL, config.weightRule());
    assertEquals(Ratio.of(105, 100), config.maxOversubscription());
    assertEquals(LeaveOut.auto(3), config.leaveOut());
    assertEquals(Set.of("b"), config.excludedSwitches());
    assertEquals(
        Set.of(new SwitchPort("a", 1), new SwitchPort("of:00000000000000ff", 3)),
        config.excludedLinks());
    assertEquals(new DampingConfig(false, 15, 3000, 750, 90), config.damping());
    assertEquals(ForeignRulePolicy.REMOVE, config.foreignRules());
    assertTrue(config.excludesLossyLinks());
    assertEquals(new BfdConfig(true, 50, List.of("tcp:127.0.0.1:6640")), config.bfd());
    assertEquals(new TrafficConfig(true, 5, 8, 20), config.traffic());
    assertEquals(
        new TracerouteConfig(true, Ipv4Prefix.parse("10.200.0.0/16"), 6, 30), config.traceroute());
    assertEquals(GOOD, ConfigWriter.write(config).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        "CN=s1 id:1234-5"
      })
  void aSwitchMayHaveACertificateOfItsOwn(String certificate) {
    String text =
        GOOD.replace("\"table\":512", "\"table\":512,\"certificate\":\"" + certificate + "\"");
    EngineConfig config = ConfigReader.parse(text);
    assertEquals(certificate, config.switchCertificates().get("a").toString());
    assertEquals(text, ConfigWriter.write(config).toString());
    String hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    assertTrue(config.switchCertificates().get("a").isThatOf(hex, "s1 id:1234-5"));
    assertFalse(config.switchCertificates().get("a").isThatOf(hex.replace('0', '1'), "s1"));
    String colons = text.replace(hex, hex.toUpperCase(Locale.ROOT).replaceAll("(..)(?=.)", "$1:"));
    assertEquals(text, ConfigWriter.write(ConfigReader.parse(colons)).toString());
    String wrong = text.replace("sha256:00", "sha256:0").replace("CN=", "cn=");
    String problem =
        assertThrows(FabricException.class, () -> ConfigReader.parse(wrong)).getMessage();
    assertTrue(problem.startsWith("switches[0].certificate: must be sha256: and 64"), problem);
  }

  @Test
  void aSwitchMayLeavePortsOutOrNotWhateverTheFabricDoes() {
    assertEquals(LeaveOut.AUTO, ConfigReader.parse("{}").leaveOut());
    String text = GOOD.replace("\"table\":512", "\"table\":512,\"leaveOut\":\"never\"");
    EngineConfig config = ConfigReader.parse(text);
    assertEquals(LeaveOut.NEVER, config.intended().leaveOut(0));
    assertNull(config.intended().leaveOut(1));
    assertEquals(text, ConfigWriter.write(config).toString());
    String one = text.replace("\"never\"", "\"auto\",\"minNextHops\":1");
    assertEquals(LeaveOut.auto(1), ConfigReader.parse(one).intended().leaveOut(0));
    assertEquals(one, ConfigWriter.write(ConfigReader.parse(one)).toString());
    // Without a number of its own it is that of the fabric.
    String ofFabric = text.replace("\"never\"", "\"auto\"");
    assertEquals(LeaveOut.auto(3), ConfigReader.parse(ofFabric).intended().leaveOut(0));
    for (String wrong : List.of("0", "1.5", "\"2\"")) {
      FabricException error =
          assertThrows(
              FabricException.class, () -> ConfigReader.parse("{\"minNextHops\":" + wrong + "}"));
      assertEquals(
          "minNextHops: must be a whole number from 1 to 2147483647, not " + wrong,
          error.getMessage());
    }
  }

  @Test
  void aLinksMtuIsThatOfBothItsEndsAndThatOfEthernetIfLeftOut() {
    String text = GOOD.replace("10000000000}", "10000000000,\"mtu\":9000}");
    EngineConfig config = ConfigReader.parse(text);
    assertEquals(9000, config.mtuOf(new SwitchPort("a", 1)));
    assertEquals(9000, config.mtuOf(new SwitchPort("b", 1)));
    assertEquals(text, ConfigWriter.write(config).toString());
    assertEquals(1500, ConfigReader.parse(GOOD).mtuOf(new SwitchPort("a", 1)));
    for (String wrong : List.of("575", "65001", "1500.5", "\"1500\"")) {
      FabricException error =
          assertThrows(
              FabricException.class, () -> ConfigReader.parse(text.replace("9000", wrong)));
      assertEquals(
          "links[0].mtu: must be a whole number of bytes from 576 to 65000, not " + wrong,
          error.getMessage());
    }
  }

  @Test
  void whatIsDoneAboutLossyLinksIsReportOrExclude() {
    assertFalse(ConfigReader.parse(GOOD.replace("\"exclude\"", "\"report\"")).excludesLossyLinks());
    FabricException error =
        assertThrows(
            FabricException.class,
            () -> ConfigReader.parse(GOOD.replace("\"exclude\"", "\"ignore\"")));
    assertEquals(
        "lossyLinks: must be \"report\" or \"exclude\", not \"ignore\"", error.getMessage());
  }

  @Test
  void linksAreDiscoveredWhereTheFileSaysSoOrNamesNone() {
    assertFalse(ConfigReader.parse(GOOD).linksDiscovered());
    assertFalse(ConfigReader.parse("{\"links\":[]}").linksDiscovered());
    assertTrue(ConfigReader.parse("{\"switches\":[]}").linksDiscovered());
    EngineConfig config = ConfigReader.parse("{\"links\":\"discovered\"}");
    assertTrue(config.linksDiscovered());
    assertTrue(config.withWeightRule(WeightRule.EQUAL).linksDiscovered());
    assertEquals("discovered", ConfigWriter.write(config).get("links").asText());
  }

  @Test
  void everythingMayBeLeftOut() {
    EngineConfig config = ConfigReader.parse("{}");
    assertEquals(0, config.intended().switchCount());
    assertEquals(WeightRule.AUTOMATIC, config.weightRule());
    assertEquals(Ratio.ONE, config.maxOversubscription());
    assertEquals(DampingConfig.DEFAULT, config.damping());
    assertEquals(DampingConfig.DEFAULT, ConfigReader.parse("{\"damping\":{}}").damping());
    assertEquals(BfdConfig.OFF, config.bfd());
    assertEquals(ForeignRulePolicy.REPORT, config.foreignRules());
    EngineConfig again = ConfigReader.parse(ConfigWriter.write(config).toString());
    assertTrue(new ConfigChange(config, again).isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"stage\":1 | \"stage\":0 | switches[0].stage: must be a whole number from 1 to 2147483647",
        "\"strategy\" | \"tactic\" | tactic: unknown field; the fields here are ",
        "\"ecmp\" | \"best\" | strategy: must be \"auto\", \"wcmp\", \"maxflow\", \"pair\", \"traffic\" or \"ecmp\", not \"best\"",
        "\"ecmp\" | 7 | strategy: must be \"auto\", \"wcmp\", \"maxflow\", \"pair\", \"traffic\" or \"ecmp\", not 7",
        "1.050 | 0.99 | maxOversubscription: must be a decimal number of at least 1",
        "1.050 | \"1\" | maxOversubscription: must be a decimal number",
        "1.050 | 1e999 | maxOversubscription: must be a decimal number",
        "1.050 | null | maxOversubscription: must be a decimal number",
        "[\"b\"] | [\"c\"] | excluded.switches[0]: no switch \"c\" in switches",
        "[\"b\"] | [\"b\",\"b\"] | excluded.switches[1]: occurs twice",
        "[\"b\"] | \"b\" | excluded.switches: must be an array",
        "[\"b\"] | [7] | excluded.switches[0]: must be 1 to 255 letters, digits",
        "\"a/1\",\"of | \"a\",\"of | excluded.links[0]: must be switch/port with a port from 1, as in \"s1-0/1\"",
        "\"a/1\",\"of | \"z/1\",\"of | excluded.links[0]: no switch \"z\" in switches",
        "[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}] | \"any\" | links: must be an array of links",
        "[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}] | 7 | links: must be an array",
        "\"excluded\":{ | \"excluded\":{\"hosts\":[], | excluded.hosts: unknown field",
        "false,\"half | 0,\"half | damping.enabled: must be true or false",
        ":15, | :0, | damping.halfLifeSeconds: must be a whole number from 1 to 86400",
        ":15, | :1.5, | damping.halfLifeSeconds: must be a whole number from 1 to 86400",
        ":90 | :\"90\" | damping.maxHoldDownSeconds: must be a whole number from 1 to 86400",
        ":3000 | :750 | damping: suppress must be greater than reuse, 750",
        ":90 | :29 | damping: no penalty can reach suppress",
        "\"reuse\" | \"reUse\" | damping.reUse: unknown field",
        "true,\"inter | 1,\"inter | bfd.enabled: must be true or false",
        "\"remove\" | true | foreignRules: must be \"report\" or \"remove\"",
        ":50, | :9, | bfd.intervalMs: must be a whole number from 10 to 10000",
        "[\"tcp:127.0.0.1:6640\"] | [] | bfd: ovsdb must name the switches' OVSDB servers",
        "tcp:127.0.0.1:6640 | tcp:6640 | bfd.ovsdb[0]: must be an OVSDB server such as tcp:",
        "[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}] | \"discovered\" | bfd: needs links",
        ":8, | :91, | traffic.minGainPercent: must be a whole number from 0 to 90",
        "10.200.0.0/16 | 10.0.0.0/8 | traceroute.prefix: 10.0.0.0/8 overlaps 10.0.0.0/24 of subnets[0]",
        "10.200.0.0/16 | 10.200.0.0 | traceroute.prefix: must be an IPv4 prefix",
        "10.200.0.0/16 | 10.200.0.1/16 | traceroute.prefix: 10.200.0.1/16 has host bits set",
        "10.200.0.0/16 | 224.0.0.0/8 | traceroute.prefix: 224.0.0.0/8 holds addresses of no host",
        "10.200.0.0/16 | 10.200.0.0/27 | traceroute.prefix: 10.200.0.0/27 leaves no 6 bits for",
        ":6, | :0, | traceroute.portBits: must be a whole number from 1 to 24",
        ":30} | :1001} | traceroute.maxPerSecond: must be a whole number from 1 to 1000",
        ":20} | :0} | traffic.maxChurnPercentPerMinute: must be a whole number from 1 to 100",
        "}],\"links\" | }]],\"links\" | configuration: is not JSON",
      })
  void namesTheFieldThatIsWrong(String good, String bad, String start) {
    assertTrue(GOOD.contains(good), good);
    String broken = GOOD.replaceFirst(Pattern.quote(good), bad);
    String message =
        assertThrows(FabricException.class, () -> ConfigReader.parse(broken)).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void weightsCannotFollowTrafficThatMergedRulesCount() {
    String merging = "{\"switches\":[{\"id\":\"a\",\"stage\":1,\"aggregate\":true}],\"strategy\":";
    assertEquals(
        WeightRule.MAXIMUM_FLOW, ConfigReader.parse(merging + "\"maxflow\"}").weightRule());
    assertEquals(
        "strategy: \"traffic\" needs traffic counts for each prefix, and a merges their rules;"
            + " leave \"aggregate\" out or take another strategy",
        assertThrows(FabricException.class, () -> ConfigReader.parse(merging + "\"traffic\"}"))
            .getMessage());
  }

  @Test
  void saysWhichFileIsMissing() {
    String message =
        assertThrows(FabricException.class, () -> ConfigReader.read(Path.of("no-such.json")))
            .getMessage();
    assertEquals("no-such.json: no such file", message);
  }

  @Property
  void onlyTheDeclaredErrorEscapesWhateverTheText(
      @ForAll @IntRange(max = 650) int from,
      @ForAll @IntRange(max = 40) int length,
      @ForAll @StringLength(max = 20) String replacement) {
    int start = Math.min(from, GOOD.length());
    String mutated =
        GOOD.substring(0, start)
            + replacement
            + GOOD.substring(Math.min(start + length, GOOD.length()));
    try {
      assertTrue(ConfigReader.parse(mutated).maxOversubscription().compareTo(Ratio.ONE) >= 0);
    } catch (FabricException e) {
      assertTrue(e.getMessage().startsWith(e.path()));
    }
  }
}
