package org.evenweave.sdd.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.evenweave.schema.InputSchema;
import org.evenweave.sdd.demand.Observed;
import org.evenweave.sdd.fastpass.SmallestCoflow;
import org.evenweave.sdd.fastpass.WeightedShares;
import org.evenweave.sdd.protocol.wire.Clock;
import org.evenweave.sdd.protocol.wire.SafePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SddConfigReaderTest {
  private static SddConfig read(String json) throws SddConfigException {
    return SddConfigReader.read(json.getBytes(StandardCharsets.UTF_8), Path.of("/etc/sdd"));
  }

  @Test
  void hostsAloneAreEnough() throws SddConfigException {
    SddConfig config = read("{\"hosts\": [\"a\", \"b\"]}");
    assertTrue(config.listen().getAddress().isLoopbackAddress());
    assertEquals(Path.of("/etc/sdd/keys"), config.keys());
    assertEquals(Clock.MONOTONIC, config.clock().kind());
    assertEquals(SddConfig.Loop.TIGHT, config.loop());
    assertEquals("solstice", config.schedulerName());
    assertEquals(10_000_000, config.network().weekNs());
    assertEquals(SafePolicy.OPEN, config.safePolicy());
  }

  @Test
  void theExamplesOfItsSchemaCanBeMeant() throws Exception {
    JsonNode schema =
        new ObjectMapper().readTree(InputSchema.class.getResourceAsStream("sdd.json"));
    assertTrue(schema.get("examples").size() > 0);
    for (JsonNode example : schema.get("examples")) {
      assertEquals(example.get("hosts").size(), read(example.toString()).network().hosts());
    }
  }

  @Test
  void everySchedulerCanBeNamed() throws SddConfigException {
    for (String name : new String[] {"solstice", "tdma", "birkhoff", "fastpass"}) {
      SddConfig config = read("{\"hosts\": [\"a\", \"b\"], \"scheduler\": \"" + name + "\"}");
      assertEquals(2, config.scheduler().network().hosts());
    }
  }

  @Test
  void fastPassServesTheLeastRecentlyServedUnlessTheShortestIsAskedFor() throws SddConfigException {
    String hosts = "{\"hosts\": [\"a\", \"b\"], \"scheduler\": \"fastpass\"";
    assertEquals("leastRecentlyServed", read(hosts + "}").orderName());
    assertEquals(
        "shortestRemaining", read(hosts + ", \"order\": \"shortestRemaining\"}").orderName());
    assertTrue(
        read(hosts + ", \"order\": \"smallestCoflow\"}").scheduler() instanceof SmallestCoflow);
    assertNull(read("{\"hosts\": [\"a\", \"b\"]}").orderName());
  }

  @Test
  void classesHaveTheSharesThatAreWritten() throws SddConfigException {
    SddConfig config =
        read(
            ("{'hosts': ['a', 'b'], 'scheduler': 'fastpass', 'order': 'weightedShares',"
                    + " 'circuitClasses': [{'name': 'x', 'weight': 65535, 'flows': [{'protocol': 6}]},"
                    + " {'name': 'y', 'flows': [{'protocol': 17}]}]}")
                .replace('\'', '"'));
    assertTrue(config.scheduler() instanceof WeightedShares);
    Observed seen = config.nothingObserved();
    assertEquals(List.of(1, 65_535, 1), List.of(seen.weight(0), seen.weight(1), seen.weight(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | hosts: is missing",
        "{\"hosts\": []} | hosts: must be an array of 1 to 1024 names, not []",
        "[] | configuration: must be an object, not []",
        "{\"hosts\": [\"a\", \"a\"]} | hosts[1]: \"a\" occurs twice",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"a\", \"b\", \"a\"]}} | edge.hosts[2]: \"a\" occurs"
            + " twice",
        "{\"hosts\": [\"a\"], \"controllers\": [\"10.0.0.1:1\", \"10.0.0.1:2\", \"10.0.0.1:1\"]} |"
            + " controllers[2]: \"10.0.0.1:1\" occurs twice",
        "{\"hosts\": [\"a\", \"controller\"]} | hosts[1]: must not be \"controller\", which is the"
            + " controller's name in certificates",
        "{\"hosts\": [\"a\"], \"circuitSwitch\": \"controller\"} | circuitSwitch: must not be"
            + " \"controller\", which is the controller's name in certificates",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\", \"controller\"]}} | edge.hosts[1]: must"
            + " not be \"controller\", which is the controller's name in certificates",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\"], \"addresses\": [{\"host\": \"a\","
            + " \"address\": \"192.0.2.1\"}]}} | edge.addresses[0].host: \"a\" is not in"
            + " edge.hosts, or is listed twice",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\"], \"addresses\": [{\"host\": \"e\","
            + " \"address\": \"127.0.0.1\"}]}} | edge.addresses[0].address: must be an address of"
            + " a host, not \"127.0.0.1\"",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\", \"f\"], \"addresses\": [{\"host\":"
            + " \"e\", \"address\": \"192.0.2.1\"}, {\"host\": \"f\", \"address\":"
            + " \"192.0.2.1\"}]}} | edge.addresses[1].address: 192.0.2.1 is listed already",
        "{\"hosts\": [\"a\"], \"keys\": \"a\\u0000b\"} | keys: must be a path, not \"a\\u0000b\"",
        "{\"hosts\": [\"a\"], \"addresses\": [{\"host\": \"b\", \"prefixes\": [\"10.0.0.1\"]}]} |"
            + " addresses[0].host: \"b\" is not in hosts, or is listed twice",
        "{\"hosts\": [\"a\"], \"addresses\": [{\"host\": \"a\", \"prefixes\": [\"10.0.0.1/24\"]}]}"
            + " | addresses[0].prefixes[0]: must be an address of a host, or a prefix without bits of"
            + " hosts, not \"10.0.0.1/24\"",
        "{\"hosts\": [\"a\", \"b\"], \"addresses\": [{\"host\": \"a\", \"prefixes\":"
            + " [\"10.0.1.0/24\"]}, {\"host\": \"b\", \"prefixes\": [\"10.0.1.9\"]}]} |"
            + " addresses[1].prefixes[0]: 10.0.1.9/32 is a's, too",
        "{\"hosts\": [7]} | hosts[0]: must be a name of 1 to 63 letters, digits and . _ -, not 7",
        "{\"hosts\": [\"a\"], \"slot\": 1} | slot: unknown field; the fields here are addresses, circuitBps,"
            + " circuitClasses, circuitSwitch, clock, controllers, edge, guardNs, hosts, hybrid, keys, listen,"
            + " loop, lostAfterPeriods, nightNs, order, packetBps, packetFlows, periodNs,"
            + " racks, safePolicy, safeRateBps, scheduler, sharing, shortestSlotNs, slotNs, standby,"
            + " taiOffsetSeconds, takeOverAfterPeriods, triggers",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"flows\": [{}]}]} |"
            + " circuitClasses[0].flows[0]: has a queue already",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"flows\": [{\"protocol\": 6}]},"
            + " {\"name\": \"c\", \"flows\": [{\"protocol\": 7}]}]} |"
            + " circuitClasses[1].name: \"c\" occurs twice",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"flows\": [{\"protocol\": 6}]}],"
            + " \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{\"protocol\": 6}]}]}} |"
            + " sharing.classes[0].flows[0]: has a queue already",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"priority\": 8,"
            + " \"flows\": []}]} | circuitClasses[0].priority: must be a whole number from 0 to 7,"
            + " not 8",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\"], \"prefixes\": [{\"prefix\": \"10.0.0.1/24\", \"scheme\":"
            + " \"alb\"}]}} | edge.prefixes[0].prefix: must be a prefix without bits of hosts, as"
            + " in 10.0.0.0/24 or 2001:db8::/64",
        "{\"hosts\": [\"a\"], \"edge\": {\"hosts\": [\"e\"], \"intflow\": {\"delayUs\": 9}}} | edge.intflow.delayUs: is a"
            + " scheme's, and there is no scheme beside it",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"flows\": []}]} |"
            + " circuitClasses[0].flows: are needed",
        "{\"hosts\": [\"a\"], \"circuitClasses\": [{\"name\": \"c\", \"flows\": [{\"protocol\": 1,"
            + " \"sourcePort\": 7}]}]} | circuitClasses[0].flows[0].sourcePort: protocol 1 has no"
            + " ports; 6, 17, 33, 132 and 136 have",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"protocol\": 132, \"destinationPort\": 80},"
            + " {\"protocol\": 1, \"destinationPort\": 80}]} | packetFlows[1].destinationPort:"
            + " protocol 1 has no ports; 6, 17, 33, 132 and 136 have",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"protocol\": 6}, {\"protocol\": 17},"
            + " {\"protocol\": 6}]} | packetFlows[2]: occurs twice",
        "{\"hosts\": [\"a\", \"b\"], \"scheduler\": \"tdma\", \"slotNs\": 10000000} | scheduler: tdma"
            + " cannot plan this: slotNs: must be 1 to 9910000 to fit a week with its night, not"
            + " 10000000",
        "{\"hosts\": [\"a\", \"b\"], \"scheduler\": \"fastpass\", \"slotNs\": 10000000} | scheduler:"
            + " fastpass cannot plan this: slotNs: must be 8 to 9910000 to carry a byte and fit a"
            + " week with its night, not 10000000",
        "{\"hosts\": [\"a\", \"b\"], \"scheduler\": \"fastpass\", \"order\": \"smallestCoflow\","
            + " \"circuitBps\": 1000000, \"slotNs\": 7999} | scheduler: fastpass cannot plan this:"
            + " slotNs: must be 8000 to 9910000 to carry a byte and fit a week with its night, not"
            + " 7999",
        "{\"hosts\": [\"a\"], \"circuitSwitch\": \"a\"} | circuitSwitch: \"a\" is invalid, or is a"
            + " host's name",
        "{\"hosts\": [\"a\"], \"listen\": \"x\"} | listen: must be an address like"
            + " 127.0.0.1:6650, not \"x\"",
        "{\"hosts\": [\"a\"], \"periodNs\": 1.5} | periodNs: must be a whole number from 100000 to"
            + " 10000000000, not 1.5",
        "{\"hosts\": [\"a\"], \"nightNs\": 2500001} | nightNs: must be at most 2500000 with this"
            + " periodNs, not 2500001",
        "{\"hosts\": [\"a\"], \"hybrid\": true} | hybrid: must be an object, not true",
        "{\"hosts\": [\"a\"], \"hybrid\": {}} | hybrid.packetDelayNs: is missing",
        "{\"hosts\": [\"a\"], \"hybrid\": {\"packetDelayNs\": 2500001}} | hybrid.packetDelayNs:"
            + " must be at most 2500000 with this periodNs, not 2500001",
        "{\"hosts\": [\"a\"], \"hybrid\": {\"packetDelayNs\": 1, \"bps\": 100000000}} |"
            + " hybrid.bps: must leave some of packetBps, 100000000, to both, not be 100000000",
        "{\"hosts\": [\"a\"], \"packetBps\": 1, \"hybrid\": {\"packetDelayNs\": 1}} | hybrid.bps:"
            + " must leave some of packetBps, 1, to both, not be 0",
        "{\"hosts\": [\"a\"], \"packetBps\": 0, \"hybrid\": {\"packetDelayNs\": 1}} | hybrid.bps:"
            + " is needed where packetBps is 0",
        "{\"hosts\": [\"a\"], \"listen\": \"::1:65536\"} | listen: must have a port of at most"
            + " 65535, not 65536",
        "{\"hosts\": [\"a\"], \"controllers\": [\"::1:1\", \"::1:65536\"]} |"
            + " controllers[1]: must have a port of at most 65535, not 65536",
        "{\"hosts\": [\"a\"], \"loop\": \"x\"} | loop: must be \"tight\" or \"loose\", not \"x\"",
        "{\"hosts\": [\"a\"], \"order\": \"x\"} | order: must be \"leastRecentlyServed\","
            + " \"shortestRemaining\", \"smallestCoflow\" or \"weightedShares\", not \"x\"",
        "{\"hosts\": [\"a\"], \"takeOverAfterPeriods\": 1} | takeOverAfterPeriods: must be a whole"
            + " number from 2 to 1000000, not 1",
        "{\"hosts\": [\"a\"], \"takeOverAfterPeriods\": 21} | takeOverAfterPeriods: must be at most"
            + " lostAfterPeriods, 20, not 21",
        "{\"hosts\": [\"a\"], \"safePolicy\": \"rate\"} | safeRateBps: is needed with safePolicy"
            + " rate",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"port\": 1}]} | packetFlows[0].port: unknown"
            + " field; the fields here are destinationPort, protocol, source, sourcePort",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"sourcePort\": 65536}]} |"
            + " packetFlows[0].sourcePort: must be a whole number from 0 to 65535, not 65536",
        "{\"hosts\": [\"a\"], \"sharing\": 1} | sharing: must be an object, not 1",
        "{\"hosts\": [\"a\"], \"sharing\": {}} | sharing.classes: is missing",
        "{\"hosts\": [\"a\"], \"sharing\": {\"method\": \"x\"}} | sharing.method: must be \"tree\""
            + " or \"rcp\", not \"x\"",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\"}]}} |"
            + " sharing.classes[0].flows: are needed",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"in\": \"w\"}]}} |"
            + " sharing.classes[0].in: there is no class \"w\" before this one",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{}]},"
            + " {\"name\": \"v\", \"flows\": [{}]}]}} | sharing.classes[1].flows[0]: has a queue"
            + " already",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{}]},"
            + " {\"name\": \"v\", \"in\": \"w\", \"flows\": [{\"protocol\": 6}]}]}} |"
            + " sharing.classes[0].flows: are for a class without others in it",
        "{\"hosts\": [\"a\"], \"sharing\": {\"capacityBps\": 9, \"classes\": [{\"name\": \"w\","
            + " \"guaranteedBps\": 10, \"flows\": [{}]}]}} | sharing.classes[0].guaranteedBps:"
            + " guarantees of 10 bit/s exceed the limit of 9 bit/s",
        "{\"hosts\": [\"a\"], \"sharing\": {\"capacityBps\": 9, \"classes\": [{\"name\": \"w\","
            + " \"guaranteedBps\": 5, \"flows\": [{}]}, {\"name\": \"v\", \"guaranteedBps\": 5,"
            + " \"flows\": [{\"protocol\": 6}]}]}} | sharing.capacityBps: guarantees of 10"
            + " bit/s exceed the limit of 9 bit/s",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"guaranteedBps\": 5,"
            + " \"flows\": [{}]}], \"overrides\": [{\"hosts\": [\"a\"], \"capacityBps\": 4}]}} |"
            + " sharing.overrides[0]: class \"w\": guarantees of 5 bit/s exceed the limit"
            + " of 4 bit/s",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{}]}],"
            + " \"overrides\": [{\"hosts\": [\"b\"]}]}} | sharing.overrides[0].hosts: there is no host"
            + " \"b\"",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{}]}],"
            + " \"overrides\": [{\"hosts\": [\"a\"], \"classes\": [{\"name\": \"v\"}]}]}} |"
            + " sharing.overrides[0].classes[0].name: there is no class \"v\"",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"w\", \"flows\": [{}]}],"
            + " \"overrides\": [{\"hosts\": [\"a\"], \"classes\": [{\"name\": \"w\", \"weight\": 2},"
            + " {\"name\": \"w\", \"weight\": 3}]}]}} | sharing.overrides[0].classes[1].name: \"w\" occurs"
            + " twice",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"x\", \"flows\": [{}]},"
            + " {\"name\": \"y\", \"weight\": 60000, \"flows\": [{\"protocol\": 6}]}], \"overrides\":"
            + " [{\"hosts\": [\"a\"], \"classes\": [{\"name\": \"x\", \"weight\": 60000}]}]}} |"
            + " sharing.overrides[0]: class \"y\": weight is more than 65535 with its siblings'",
        "{\"hosts\": [\"a\"], \"sharing\": {\"classes\": [{\"name\": \"x\", \"weight\": 60000, \"flows\":"
            + " [{}]}, {\"name\": \"y\", \"weight\": 60000, \"flows\": [{\"protocol\": 6}]}]}} |"
            + " sharing.classes[1].weight: is more than 65535 with its siblings'",
        "{\"hosts\": [\"a\"], \"hosts\": [\"b\"]} | line 1: the field \"hosts\" occurs twice",
        "{\"hosts\": [\"a\"]} {} | line 1: there is text after the document",
        "{\"hosts\": [\"a\"]}} | line 1: there is text after the document",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"source\": \"host.example\"}]} |"
            + " packetFlows[0].source: must be an address or a prefix, as in 10.0.0.0/24, not"
            + " \"host.example\"",
        "{\"hosts\": [\"a\"], \"packetFlows\": [{\"source\": \"10.0.0.1/24\"}]} |"
            + " packetFlows[0].source: must be an address, or a prefix without bits of hosts, not"
            + " \"10.0.0.1/24\""
      })
  void whatCannotBeMeantNamesItsField(String json, String message) {
    assertEquals(message, assertThrows(SddConfigException.class, () -> read(json)).getMessage());
  }

  /** A default is within the limits that hold for what is written. */
  @Test
  void defaultsFitTheShortestPeriod() throws SddConfigException {
    SddConfig shortest = read("{\"hosts\": [\"a\", \"b\"], \"periodNs\": 100000}");
    assertEquals(25_000, shortest.nightNs());
    assertEquals(12_500, shortest.guardNs());
    assertEquals(2_500, shortest.shortestSlotNs());
    SddConfig longer = read("{\"hosts\": [\"a\", \"b\"], \"periodNs\": 200000}");
    assertEquals(50_000, longer.nightNs());
    assertEquals(20_000, longer.guardNs());
  }

  /** What others make useless is refused, instead of ignored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'order': 'smallestCoflow' | order: is for scheduler fastpass, not solstice",
        "'order': 'shortestRemaining', 'scheduler': 'birkhoff' | order: is for scheduler fastpass,"
            + " not birkhoff",
        "'slotNs': 1000000 | slotNs: is for scheduler tdma or fastpass, not solstice",
        "'slotNs': 1000000, 'scheduler': 'birkhoff' | slotNs: is for scheduler tdma or fastpass,"
            + " not birkhoff",
        "'shortestSlotNs': 1000, 'scheduler': 'tdma' | shortestSlotNs: is not for scheduler tdma,"
            + " which has all slots equal",
        "'taiOffsetSeconds': 37 | taiOffsetSeconds: is for clock tai, not monotonic",
        "'taiOffsetSeconds': 37, 'clock': 'realtime' | taiOffsetSeconds: is for clock tai, not"
            + " realtime",
        "'safeRateBps': 9 | safeRateBps: is for safePolicy rate, not open",
        "'safeRateBps': 9, 'safePolicy': 'closed' | safeRateBps: is for safePolicy rate, not closed",
        "'circuitClasses': [{'name': 'c', 'flows': [{'protocol': 6}]}, {'name': 'd', 'coflow': true,"
            + " 'flows': [{'protocol': 7}]}], 'scheduler': 'fastpass' | circuitClasses[1].coflow: is"
            + " for scheduler fastpass with order smallestCoflow",
        "'circuitClasses': [{'name': 'c', 'coflow': true, 'flows': [{'protocol': 6}]}], 'scheduler':"
            + " 'fastpass', 'order': 'weightedShares' | circuitClasses[0].coflow: is for scheduler"
            + " fastpass with order smallestCoflow",
        "'circuitClasses': [{'name': 'c', 'weight': 1, 'flows': [{'protocol': 6}]}], 'scheduler':"
            + " 'fastpass', 'order': 'smallestCoflow' | circuitClasses[0].weight: is for scheduler"
            + " fastpass with order weightedShares",
        "'circuitClasses': [{'name': 'c', 'weight': 2, 'flows': [{'protocol': 6}]}] |"
            + " circuitClasses[0].weight: is for scheduler fastpass with order weightedShares",
        "'racks': {'hostsPerRack': 2, 'paths': 1} | racks.hostsPerRack: must be less than the number"
            + " of hosts, 2, or no circuit has a path",
        "'racks': {'hostsPerRack': 1, 'paths': 2, 'switches': ['l0', 'l1']} | racks.cores: must be 2"
            + " switches, another one for each path",
        "'racks': {'hostsPerRack': 1, 'paths': 1, 'switches': ['l', 'l'], 'cores': ['s']} |"
            + " racks.switches: must be 2 switches, another one for each rack",
        "'edge': {'scheme': 'alb'} | edge.hosts: are required: without them no edge can connect",
        "'sharing': {'method': 'rcp', 'classes': [{'name': 'w', 'weight': 2, 'flows': [{}]}]} |"
            + " sharing.classes[0].weight: is for method tree, not rcp",
        "'sharing': {'method': 'rcp', 'classes': [{'name': 't', 'ceilingBps': 9}, {'name': 'w',"
            + " 'in': 't', 'flows': [{}]}]} | sharing.classes[0].ceilingBps: of a class with others"
            + " in it is for method tree, not rcp",
        "'sharing': {'method': 'rcp', 'classes': [{'name': 'w', 'flows': [{}]}], 'overrides':"
            + " [{'hosts': ['a'], 'classes': [{'name': 'w', 'ceilingBps': 9}, {'name': 'w',"
            + " 'weight': 2}]}]} | sharing.overrides[0].classes[1].weight: is for method tree, not"
            + " rcp",
        "'sharing': {'method': 'rcp', 'classes': [{'name': 't'}, {'name': 'w', 'in': 't', 'flows':"
            + " [{}]}]}, 'triggers': [{'name': 'x', 'queue': 'packet', 'when': 'TRUE', 'actions':"
            + " [{'action': 'ceiling', 'queue': 'class:t', 'ceilingBps': 9}]}] |"
            + " triggers[0].actions[0].queue: a ceiling for a class with others in it needs method"
            + " tree, not rcp"
      })
  void whatWouldBeIgnoredIsRefused(String fields, String message) {
    String json = ("{'hosts': ['a', 'b'], " + fields + "}").replace('\'', '"');
    assertEquals(message, assertThrows(SddConfigException.class, () -> read(json)).getMessage());
  }

  @Test
  void whatCountsForClassesWithFlowsIsTakenByBothMethods() throws SddConfigException {
    for (String method : new String[] {"tree", "rcp"}) {
      String sharing =
          "{'hosts': ['a', 'b'], 'sharing': {'method': 'METHOD', 'classes': [{'name': 't'}, {'name':"
              + " 'w', 'in': 't', 'guaranteedBps': 1, 'ceilingBps': 9, 'flows': [{}]}]}}";
      SddConfig config = read(sharing.replace("METHOD", method).replace('\'', '"'));
      assertEquals(9, config.sharing().classes().get(1).ceilingBps());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 20, 10",
    "'\"lostAfterPeriods\": 7', 7, 3",
    "'\"lostAfterPeriods\": 2', 2, 2",
    "'\"takeOverAfterPeriods\": 2', 20, 2",
    "'\"takeOverAfterPeriods\": 4, \"lostAfterPeriods\": 4', 4, 4"
  })
  void anotherTakesOverBeforeHostsFallBack(String fields, int lostAfter, int takeOverAfter)
      throws SddConfigException {
    SddConfig config = read("{\"hosts\": [\"a\"]" + (fields.isEmpty() ? "" : ", " + fields) + "}");
    assertEquals(lostAfter, config.lostAfterPeriods());
    assertEquals(takeOverAfter, config.takeOverAfterPeriods());
  }

  @Test
  void whatWaitsForCircuitsGetsItsPartOfThePacketSwitch() throws SddConfigException {
    String json = "{\"hosts\": [\"a\", \"b\"]%s}";
    SddConfig without = read(String.format(Locale.ROOT, json, ""));
    assertEquals(0, without.hybridBps());
    assertNull(without.packetPlan());
    SddConfig half = read(String.format(Locale.ROOT, json, ", \"hybrid\": {\"packetDelayNs\": 9}"));
    assertEquals(50_000_000, half.hybridBps());
    assertEquals(50_000_000, half.packetBps());
    assertEquals(50_000_000, half.network().packetBps());
    assertEquals(9, half.packetDelayNs());
    SddConfig unlimited =
        read(
            String.format(
                Locale.ROOT,
                json,
                ", \"packetBps\": 0, \"hybrid\": {\"packetDelayNs\": 9, \"bps\": 7}"));
    assertEquals(7, unlimited.hybridBps());
    assertEquals(0, unlimited.packetBps());
  }
}
