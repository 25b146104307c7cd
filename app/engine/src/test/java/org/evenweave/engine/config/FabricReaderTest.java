package org.evenweave.engine.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.realisation.SwitchTarget;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricReaderTest {
  private static final String GOOD =
      "{\"switches\":[{\"id\":\"a\",\"dpid\":\"00000000000000a1\",\"stage\":1,\"table\":512},"
          + "{\"id\":\"b\",\"stage\":2}],"
          + "\"links\":[{\"a\":\"a/1\",\"b\":\"b/1\",\"bps\":10000000000}],"
          + "\"subnets\":[{\"switch\":\"a\",\"prefix\":\"10.0.0.0/24\"}]}";

  @Test
  void readsAFabric() {
    EngineConfig config = ConfigReader.parse(GOOD);
    assertEquals("2 switches, 1 links, 1 subnets", config.intended().toString());
    assertEquals(512, config.intended().tableEntries(0));
    assertNull(config.intended().target(0));
    assertEquals("a", config.switchIdOf(0xa1));
    assertEquals("of:00000000000000a2", config.switchIdOf(0xa2));
  }

  @Test
  void aTargetIsReadAndWritten() {
    for (String name : new String[] {"ovs", "replicated", "native"}) {
      String text = GOOD.replace("\"stage\":1", "\"stage\":1,\"target\":\"" + name + "\"");
      EngineConfig config = ConfigReader.parse(text);
      assertEquals(SwitchTarget.named(name), config.intended().target(0));
      assertEquals(name, ConfigWriter.write(config).at("/switches/0/target").textValue());
    }
  }

  @Test
  void limitsAreReadAndWritten() {
    String limits =
        "{\"entries\":512,\"groupEntries\":256,\"groups\":16,\"rules\":900,"
            + "\"maxWeight\":127,\"maxTotalWeight\":1024}";
    String text = GOOD.replace("\"table\":512", "\"limits\":" + limits);
    EngineConfig config = ConfigReader.parse(text);
    assertEquals(
        "entries 512, groupEntries 256, groups 16, rules 900, maxWeight 127, maxTotalWeight 1024",
        config.intended().limits(0).toString());
    assertEquals(limits, ConfigWriter.write(config).at("/switches/0/limits").toString());
    assertEquals(
        config.intended().limits(0),
        ConfigReader.parse(ConfigWriter.write(config).toString()).intended().limits(0));
    // Entries alone go by the name that files have always had.
    assertEquals(512, ConfigWriter.write(ConfigReader.parse(GOOD)).at("/switches/0/table").asInt());
  }

  @Test
  void aSwitchMergesItsRulesIfItIsSaid() {
    assertEquals(Set.of(), ConfigReader.parse(GOOD).aggregating());
    String text = GOOD.replace("\"stage\":1", "\"stage\":1,\"aggregate\":true");
    EngineConfig config = ConfigReader.parse(text);
    assertEquals(Set.of(config.intended().switchId(0)), config.aggregating());
    assertTrue(ConfigWriter.write(config).at("/switches/0/aggregate").booleanValue());
    assertEquals(config.aggregating(), config.withWeightRule(WeightRule.EQUAL).aggregating());
  }

  /** One fault each: what is replaced in the good text, by what, and how the error must begin. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"stage\":1 | \"stage\":\"1\" | switches[0].stage: must be a whole number",
        "\"stage\":1 | \"stage\":1.5 | switches[0].stage: must be a whole number",
        "\"stage\":1 | \"stage\":0 | switches[0].stage: must be a whole number from 1 to"
            + " 2147483647, not 0",
        "\"stage\":1 | \"stage\":3000000000 | switches[0].stage: must be a whole number from 1 to"
            + " 2147483647, not 3000000000",
        "\"stage\":1, | `` | switches[0].stage: is missing",
        "\"stage\":1 | \"stage\":1,\"colour\":3 | switches[0].colour: unknown field",
        "\"table\":512 | \"table\":512,\"limits\":{\"entries\":512} | switches[0].limits.entries:"
            + " is given as switches[0].table too",
        "\"table\":512 | \"limits\":{\"groups\":0} | switches[0].limits.groups: must be a whole"
            + " number from 1",
        "\"table\":512 | \"limits\":{\"buckets\":1} | switches[0].limits.buckets: unknown field",
        "\"table\":512 | \"table\":-1 | switches[0].table: must be a whole number from 1 to"
            + " 2147483647, not -1",
        "\"stage\":1 | \"stage\":1,\"target\":\"asic\" | switches[0].target: must be \"ovs\","
            + " \"ovs-large\", \"replicated\" or \"native\"",
        "\"stage\":1 | \"stage\":1,\"aggregate\":1 | switches[0].aggregate: must be true or false",
        "00000000000000a1 | a1 | switches[0].dpid: must be 16 hex digits",
        "\"id\":\"b\" | \"id\":\"b\",\"dpid\":\"00000000000000a1\" | switches[1].dpid:"
            + " 00000000000000a1",
        "\"id\":\"b\" | \"id\":7 | switches[1].id: must be 1 to 255 letters, digits",
        "\"b\":\"b/1\" | \"b\":\"c/1\" | links[0].b: no switch \"c\" in switches",
        "10000000000 | -10 | links[0].bps: must be a positive whole number of bits per second below"
            + " 2^63, not -10",
        "10000000000 | -99999999999 | links[0].bps: must be a positive whole number",
        "10000000000 | 1e400 | links[0].bps: must be a positive whole number",
        "10000000000 | 99999999999999999999 | links[0].bps: must be a positive whole number",
        "10.0.0.0/24 | 10.0.0.1/24 | subnets[0].prefix: 10.0.0.1/24 has host bits set",
        "10.0.0.0/24 | ten | subnets[0].prefix: must be an IPv4 prefix without leading zeros, as in"
            + " \"10.0.0.0/24\", not \"ten\"",
        "10.0.0.0/24 | 010.0.0.0/24 | subnets[0].prefix: must be an IPv4 prefix without leading"
            + " zeros",
        "10.0.0.0/24 | 10.0.0.0/08 | subnets[0].prefix: must be an IPv4 prefix without leading"
            + " zeros",
        "10.0.0.0/24 | 0.0.0.0/0 | subnets[0].prefix: 0.0.0.0/0 is every address",
        "10.0.0.0/24 | 0.1.0.0/16 | subnets[0].prefix: 0.1.0.0/16 holds addresses of no host:"
            + " 0.0.0.0/8",
        "10.0.0.0/24 | 127.0.0.0/8 | subnets[0].prefix: 127.0.0.0/8 holds addresses of no host",
        "10.0.0.0/24 | 64.0.0.0/2 | subnets[0].prefix: 64.0.0.0/2 holds addresses of no host:"
            + " 127.0.0.0/8 is loopback",
        "10.0.0.0/24 | 239.1.0.0/16 | subnets[0].prefix: 239.1.0.0/16 holds addresses of no host:"
            + " 224.0.0.0/4 is multicast",
        "10.0.0.0/24 | 255.255.255.255/32 | subnets[0].prefix: 255.255.255.255/32 holds addresses",
        "10.0.0.0/24 | 240.0.0.0/4 | subnets[0].prefix: 240.0.0.0/4 holds addresses of no host:"
            + " 255.255.255.255/32",
        "10.0.0.0/24 | 250.1.2.0/24 | subnets[0].prefix: 250.1.2.0/24 holds addresses of no host:"
            + " 240.0.0.0/4 is reserved",
        "10.0.0.0/24 | 10.0.0.7/32 | subnets[0].prefix: 10.0.0.7/32 has a single address, which is"
            + " its gateway's",
        "0/24\"} | 0/24\"},{\"switch\":\"b\",\"prefix\":\"10.0.0.0/24\"} | subnets[1].prefix:"
            + " 10.0.0.0/24 is the prefix of subnets[0] too",
        "0/24\"} | 0/24\"},{\"switch\":\"b\",\"prefix\":\"10.0.0.0/8\"} | subnets[1].prefix:"
            + " 10.0.0.0/8 overlaps 10.0.0.0/24 of subnets[0]",
        "0/24\"} | 0/24\"},{\"switch\":\"a\",\"prefix\":\"10.0.0.128/25\"} | subnets[1].prefix:"
            + " 10.0.0.128/25 overlaps 10.0.0.0/24 of subnets[0]",
        "\"id\":\"b\" | \"id\":\"b\\u0007\" | switches[1].id: must be 1 to 255 letters, digits",
        "\"id\":\"b\" | \"id\":\"b\\n\" | switches[1].id: must be 1 to 255 letters, digits",
        "\"id\":\"b\" | \"id\":\"..\" | switches[1].id: must be 1 to 255 letters, digits",
        "\"id\":\"b\" | \"id\":\"é\" | switches[1].id: must be 1 to 255 letters, digits",
        "\"id\":\"b\" | \"id\":\"\" | switches[1].id: must be 1 to 255 letters, digits",
        "\"id\":\"b\" | \"id\":\"of:00000000000000a1\" | switches[1].id: \"of:00000000000000a1\" is"
            + " the name of another",
        "\"id\":\"b\" | \"id\":\"of:00000000000000a2\",\"dpid\":\"00000000000000a3\" |"
            + " switches[1].id: \"of:00000000000000a2\" is",
        "\"id\":\"b\" | \"id\":\"b\",\"dpid\":\"0000000000000000\" | switches[1].dpid: must not be"
            + " 0",
        "\"id\":\"b\" | \"id\":\"of:0000000000000000\" | switches[1].id: must not be 0",
        "\"b\":\"b/1\" | \"b\":\"b/0\" | links[0].b: must be switch/port with a port from 1",
        "\"b\":\"b/1\" | \"b\":\"b/01\" | links[0].b: must be switch/port with a port from 1",
        "\"b\":\"b/1\" | \"b\":\"b/65534\" | links[0].b: must not be one of the ports 65280 to"
            + " 65535",
        "\"a\":\"a/1\" | \"a\":\"a/65280\" | links[0].a: must not be one of the ports 65280 to"
            + " 65535",
        "\"b\":\"b/1\" | \"b\":\"b/4294967040\" | links[0].b: must be switch/port with a port from"
            + " 1",
        "\"switch\":\"a\" | \"switch\":\"z\" | subnets[0].switch: no switch \"z\"",
        "\"links\" | \"link\" | link: unknown field; the fields here are ",
        "[{\"switch\" | [7,{\"switch\" | subnets[0]: must be an object",
        "}]} | }]}} | configuration: is not JSON",
        "\"switches\":[ | \"switches\":{ | configuration: is not JSON",
        "\"stage\":1 | \"stage\":1,\"stage\":1 | configuration: is not JSON: Duplicate field",
      })
  void namesTheFieldThatIsWrong(String good, String bad, String start) {
    assertTrue(GOOD.contains(good), good);
    String broken =
        GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad == null ? "" : bad));
    String message =
        assertThrows(FabricException.class, () -> ConfigReader.parse(broken)).getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void anIdMayHave255Characters() {
    String longest = "b".repeat(255);
    ConfigReader.parse(
        GOOD.replace("\"id\":\"b\"", "\"id\":\"" + longest + "\"").replace("b/1", longest + "/1"));
    assertThrows(
        FabricException.class,
        () -> ConfigReader.parse(GOOD.replace("\"id\":\"b\"", "\"id\":\"b" + longest + "\"")));
  }

  @Test
  void moreRoutesThanTheLimitAreRefusedBeforeTheyAreComputed() {
    ObjectNode fabric = JsonNodeFactory.instance.objectNode();
    ArrayNode switches = fabric.putArray("switches");
    fabric.putArray("links");
    ArrayNode subnets = fabric.putArray("subnets");
    for (int i = 0; i < 7072; i++) {
      switches.addObject().put("id", "s" + i).put("stage", 1);
      subnets
          .addObject()
          .put("switch", "s" + i)
          .put("prefix", "10." + i / 256 + "." + i % 256 + ".0/24");
    }
    String message =
        assertThrows(FabricException.class, () -> ConfigReader.of(fabric)).getMessage();
    assertTrue(
        message.startsWith(
            "subnets: are under 7072 switches; times the 7072 switches that must be at most"
                + " 50000000"),
        message);
    subnets.remove(0);
    subnets.remove(0);
    assertEquals(7072, ConfigReader.of(fabric).intended().switchCount());
  }

  /** What is in the array is not looked at: all of it is wrong. */
  @ParameterizedTest
  @CsvSource({"switches, 20000", "links, 500000", "subnets, 50000"})
  void moreThanTheLimitIsRefusedBeforeItIsLookedAt(String field, int limit) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    ObjectNode fabric = json.objectNode();
    ArrayNode tooMany = fabric.putArray(field);
    for (int i = 0; i <= limit; i++) {
      tooMany.addNull();
    }
    assertEquals(
        field + ": must be an array of at most " + limit + " " + field + ", not " + (limit + 1),
        assertThrows(FabricException.class, () -> ConfigReader.of(fabric)).getMessage());
  }

  @Property
  void onlyTheDeclaredErrorEscapesWhateverTheText(
      @ForAll @IntRange(max = 400) int from,
      @ForAll @IntRange(max = 40) int length,
      @ForAll @StringLength(max = 20) String replacement) {
    int start = Math.min(from, GOOD.length());
    String mutated =
        GOOD.substring(0, start)
            + replacement
            + GOOD.substring(Math.min(start + length, GOOD.length()));
    try {
      assertTrue(ConfigReader.parse(mutated).intended().switchCount() >= 0);
    } catch (FabricException e) {
      assertTrue(e.getMessage().startsWith(e.path()));
    }
  }
}
