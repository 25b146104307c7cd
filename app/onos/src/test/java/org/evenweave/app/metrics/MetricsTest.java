package org.evenweave.app.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.TrafficConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeCounters;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.runtime.PlanTimes;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;
import org.onlab.metrics.MetricsManager;

/** With ONOS's own metrics, which need no ONOS. */
class MetricsTest {
  private static final Set<String> NAMES =
      Set.of(
          "evenweave.audit.drifts",
          "evenweave.audit.repairs",
          "evenweave.changes.confirmations",
          "evenweave.changes.givenUp",
          "evenweave.changes.pending",
          "evenweave.changes.refused",
          "evenweave.changes.unreadable",
          "evenweave.fabric.dampedLinks",
          "evenweave.fabric.dampings",
          "evenweave.fabric.degraded",
          "evenweave.fabric.missingLinks",
          "evenweave.fabric.missingSwitches",
          "evenweave.plans.refused",
          "evenweave.plans.unsafe",
          "evenweave.traffic.measuredBps");

  private final MetricsManager onos = new MetricsManager();
  private final PendingChanges pending = new PendingChanges();
  private Optional<Engine> engine = Optional.empty();

  @Test
  void allFiguresAreThereFromTheStartAndGoneAtTheEnd() {
    Metrics metrics = new Metrics(onos, pending, () -> engine);
    assertEquals(NAMES, onos.getMetrics().keySet());
    metrics.close();
    assertEquals(Set.of(), onos.getMetrics().keySet());
  }

  @Test
  void whatAnEarlierLifeLeftBehindIsReplaced() {
    new Metrics(onos, new PendingChanges(), () -> engine);
    new Metrics(onos, pending, () -> engine);
    assertSame(pending.refused(), onos.getMetrics().get("evenweave.changes.refused"));
  }

  @Test
  void countersAreThoseOfTheChangesAndNoCopies() {
    new Metrics(onos, pending, () -> engine);
    pending.givenUp().inc(2);
    assertEquals(2, ((Counter) onos.getMetrics().get("evenweave.changes.givenUp")).getCount());
    assertEquals(0, ((Counter) onos.getMetrics().get("evenweave.changes.refused")).getCount());
  }

  @Test
  void theEnginesFiguresAreZeroUntilThereIsOneAndThenItsOwn() {
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeNetwork(EngineConfig.empty().intended(), loop, 1);
    new Metrics(onos, pending, () -> engine);
    assertEquals(0L, gauge("evenweave.audit.drifts"));
    engine = Optional.of(new Engine(EngineConfig.empty(), network, network, loop));
    engine.get().events().add(Event.Kind.DRIFT, "s1-0", 1);
    engine.get().events().confirm(1, 2, 1, 0, PlanTimes.NONE);
    engine.get().events().add(Event.Kind.DRIFT, "s1-1", 3);
    engine.get().events().add(Event.Kind.REFUSED, "s1-1", 4);
    assertEquals(2L, gauge("evenweave.audit.drifts"));
    assertEquals(1L, gauge("evenweave.audit.repairs"));
    assertEquals(1L, gauge("evenweave.plans.refused"));
  }

  @Test
  void whatIsConfiguredAndMissingIsCounted() {
    EngineConfig config =
        new EngineConfig(
            new FabricBuilder().addSwitch("s1-0", 1, 64).addSwitch("s1-1", 1, 64).build(),
            Map.of(),
            WeightRule.EFFECTIVE_CAPACITY);
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeNetwork(config.intended(), loop, 1);
    new Metrics(onos, pending, () -> engine);
    assertEquals(0, gauge("evenweave.fabric.missingSwitches"));
    engine = Optional.of(new Engine(config, network, network, loop));
    engine.get().start();
    network.connect("s1-1");
    loop.runFor(20_000_000_000L);
    assertEquals(1, gauge("evenweave.fabric.missingSwitches"));
    assertEquals(0, gauge("evenweave.fabric.missingLinks"));
    assertEquals(1, gauge("evenweave.fabric.degraded"));
    assertEquals(0, gauge("evenweave.fabric.dampedLinks"));
  }

  @Test
  void whatHostsSendIsShownWhileItIsMeasured() {
    Ipv4Prefix to = Ipv4Prefix.parse("10.0.1.0/24");
    Fabric fabric =
        new FabricBuilder()
            .addSwitch("s1-0", 1, 64)
            .addSwitch("s1-1", 1, 64)
            .addLink("s1-0/1", "s1-1/1", 10_000_000_000L)
            .addSubnet("s1-0", Ipv4Prefix.parse("10.0.0.0/24"))
            .addSubnet("s1-1", to)
            .build();
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeNetwork(fabric, loop, 1);
    FakeCounters counters = new FakeCounters(fabric, network, loop);
    EngineConfig config = new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY);
    new Metrics(onos, pending, () -> engine);
    engine = Optional.of(new Engine(config, network, counters, loop));
    engine.get().start();
    network.connectAll();
    counters.send("s1-0", to, 1_000);
    loop.runFor(60_000_000_000L);
    assertEquals(0L, gauge("evenweave.traffic.measuredBps"));
    engine.get().change(now -> now.withTraffic(new TrafficConfig(true, 10, 5, 10)));
    loop.runFor(300_000_000_000L);
    assertEquals(8_000, (Long) gauge("evenweave.traffic.measuredBps"), 80);
  }

  private Object gauge(String name) {
    return ((Gauge<?>) onos.getMetrics().get(name)).getValue();
  }
}
