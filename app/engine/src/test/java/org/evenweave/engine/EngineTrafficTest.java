package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.demand.SwitchDemand;
import org.evenweave.engine.fake.FakeCounters;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.rest.TrafficResource;
import org.evenweave.engine.shares.UsedLinks;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** The traffic matrix as switches count it. */
class EngineTrafficTest extends EngineFixture {
  private static final long PERIOD = 10 * SECOND_NANOS;
  private static final Ipv4Prefix FIRST = Ipv4Prefix.parse("10.0.0.0/24");
  private static final Ipv4Prefix SECOND = Ipv4Prefix.parse("10.0.1.0/24");
  private static final Ipv4Prefix THIRD = Ipv4Prefix.parse("10.0.2.0/24");

  private FakeCounters counters;

  private void start(Fabric fabric, TrafficConfig traffic) {
    network = new FakeNetwork(fabric, loop, 1);
    counters = new FakeCounters(fabric, network, loop);
    EngineConfig config =
        new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY).withTraffic(traffic);
    engine = new Engine(config, network, counters, loop);
    engine.start();
    network.connectAll();
    loop.runFor(2 * SECOND_NANOS);
    assertConverged();
  }

  private void startMeasuring() {
    start(Fabrics.figure32(), new TrafficConfig(true, 10, 5, 10));
    counters.send("s1-0", SECOND, 1_000);
    counters.send("s1-0", THIRD, 500);
    loop.runFor(30 * PERIOD);
  }

  private SwitchDemand demandOf(String from) {
    return engine.traffic().meter().demands().stream()
        .filter(d -> d.switchId().equals(from))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void nothingIsAskedUnlessConfigured() {
    start(Fabrics.figure32(), TrafficConfig.DEFAULT);
    loop.runFor(10 * PERIOD);
    assertEquals(0, counters.requests());
    assertTrue(engine.traffic().meter().demands().isEmpty());
  }

  @Test
  void whatSwitchesSendToEachPrefixIsMeasured() throws Exception {
    startMeasuring();
    assertEquals(8_000, demandOf("s1-0").bps().get(SECOND), 80);
    assertEquals(4_000, demandOf("s1-0").bps().get(THIRD), 40);
    assertEquals(Map.of(FIRST, 0.0, THIRD, 0.0), demandOf("s1-1").bps());
    JsonNode json = new ObjectMapper().readTree(new TrafficResource(engine).traffic());
    assertEquals(10, json.get("periodSeconds").intValue());
    assertEquals(60, json.get("timeConstantSeconds").intValue());
    assertEquals(3, json.get("switches").size());
    assertEquals(2, json.get("demands").size());
    JsonNode first = json.get("demands").get(0);
    assertEquals("s1-0", first.get("from").textValue());
    assertEquals("10.0.1.0/24", first.get("to").textValue());
    assertEquals(8_000, first.get("bps").intValue(), 80);
  }

  /** s1-1 has one way up, s1-0 two of which it takes each for half. */
  @Test
  void whatTrafficUsesOfLinksFollowsItsRoutes() {
    Fabric fabric = Fabrics.clos(new int[][] {{1, 1}, {0, 1}, {1, 1}});
    start(fabric, new TrafficConfig(true, 10, 5, 10));
    counters.send("s1-1", THIRD, 1_000_000);
    loop.runFor(30 * PERIOD);
    double alone = 8e6 / fabric.capacityBps(0);
    assertEquals(alone, used("s1-1", "s2-1"), 0.01 * alone);
    assertEquals(alone, used("s2-1", "s1-2"), 0.01 * alone);
    assertEquals(0, used("s2-1", "s1-1"));
    assertEquals(0, used("s2-0", "s1-2"));
    counters.send("s1-0", THIRD, 1_000_000);
    loop.runFor(30 * PERIOD);
    assertEquals(alone / 2, used("s2-0", "s1-2"), 0.02 * alone);
    assertEquals(1.5 * alone, used("s2-1", "s1-2"), 0.02 * alone);
  }

  @Test
  void nothingIsToldOfALinkThatIsDown() {
    Fabric fabric = Fabrics.clos(new int[][] {{1, 1}, {1, 1}});
    start(fabric, new TrafficConfig(true, 10, 5, 10));
    counters.send("s1-0", SECOND, 1_000);
    loop.runFor(30 * PERIOD);
    assertTrue(used("s1-0", "s2-0") > 0);
    network.cut(fabric.outArc(fabric.indexOf("s1-0"), 0) / 2);
    loop.runFor(2 * PERIOD);
    Map<String, Map<String, Double>> used =
        UsedLinks.of(engine.view(), engine.traffic().meter().demands());
    assertFalse(used.get("s2-0").containsKey("s1-0"), used.toString());
    assertFalse(used.get("s1-0").containsKey("s2-0"), used.toString());
    assertTrue(used.get("s2-0").containsKey("s1-1"), used.toString());
  }

  private double used(String from, String to) {
    return UsedLinks.of(engine.view(), engine.traffic().meter().demands()).get(from).get(to);
  }

  @Test
  void withoutMeasurementNothingIsKnownOfLinks() {
    start(Fabrics.figure32(), TrafficConfig.DEFAULT);
    loop.runFor(10 * PERIOD);
    assertTrue(UsedLinks.of(engine.view(), engine.traffic().meter().demands()).isEmpty());
  }

  /** It is asked once, and keeps its rate, which gets older. */
  @Test
  void aSwitchThatDoesNotAnswerKeepsItsRate() {
    startMeasuring();
    counters.leaveUnanswered("s1-0");
    int before = counters.requests();
    double bps = demandOf("s1-0").totalBps();
    loop.runFor(10 * PERIOD);
    assertEquals(bps, demandOf("s1-0").totalBps());
    assertTrue(engine.traffic().meter().ageNanos(demandOf("s1-0")) >= 9 * PERIOD);
    assertEquals(before + 1 + 2 * 10, counters.requests());
  }

  @Test
  void aSwitchThatIsGoneIsNotAskedAndKeepsItsRate() {
    startMeasuring();
    network.disconnect("s1-0");
    double bps = demandOf("s1-0").totalBps();
    loop.runFor(3 * PERIOD);
    assertEquals(bps, demandOf("s1-0").totalBps());
    network.connect("s1-0");
    loop.runFor(3 * PERIOD);
    assertTrue(engine.traffic().meter().ageNanos(demandOf("s1-0")) <= PERIOD);
  }

  @Test
  void measuringEndsAndBeginsByConfiguration() {
    startMeasuring();
    engine.change(config -> config.withTraffic(TrafficConfig.DEFAULT));
    loop.runFor(PERIOD);
    int before = counters.requests();
    loop.runFor(5 * PERIOD);
    assertEquals(List.of(), engine.traffic().meter().demands());
    assertEquals(before, counters.requests());
    engine.change(config -> config.withTraffic(new TrafficConfig(true, 1, 5, 10)));
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(8_000, demandOf("s1-0").bps().get(SECOND), 80);
  }

  /**
   * A ring of four switches with hosts: what s1-0 sends to the opposite one passes s1-1 and s1-3,
   * and what s1-1 sends to s1-3 passes s1-0 and s1-2.
   */
  @Test
  void whatASwitchPassesOnIsNotItsDemand() {
    FabricBuilder builder = new FabricBuilder();
    for (int i = 0; i < 4; i++) {
      builder.addSwitch("s1-" + i, 1, Fabric.UNLIMITED);
      builder.addSubnet("s1-" + i, Ipv4Prefix.of(10 << 24 | i << 8, 24));
    }
    for (int i = 0; i < 4; i++) {
      builder.addLink("s1-" + i + "/1", "s1-" + (i + 1) % 4 + "/2", 10_000_000_000L);
    }
    start(builder.build(), new TrafficConfig(true, 10, 5, 10));
    counters.send("s1-0", THIRD, 1_000);
    counters.send("s1-1", THIRD, 100);
    counters.send("s1-1", Ipv4Prefix.parse("10.0.3.0/24"), 2_000);
    loop.runFor(60 * PERIOD);
    assertEquals(8_000, demandOf("s1-0").bps().get(THIRD), 1);
    assertEquals(800, demandOf("s1-1").bps().get(THIRD), 1);
    assertEquals(0, demandOf("s1-3").totalBps(), 1);
    assertEquals(0, demandOf("s1-2").totalBps(), 1);
    assertEquals(8_000, demandOf("s1-0").totalBps(), 1);
    assertEquals(16_800, demandOf("s1-1").totalBps(), 2);
  }
}
