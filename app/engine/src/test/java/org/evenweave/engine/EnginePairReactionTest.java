package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeHardware;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.forwarding.TableCompiler;
import org.evenweave.engine.paths.PathCalculator;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.status.EngineView;
import org.evenweave.engine.status.FabricStatus;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/**
 * An event is answered with destinations' groups at once, and with pairs' groups once their flows
 * have been computed, which takes ten seconds here.
 */
class EnginePairReactionTest extends EngineFixture {
  private static final String COMPUTING = "flows between switches are being computed";
  private static final long COMPUTATION_NANOS = 10 * SECOND_NANOS;
  private static final Ipv4Prefix TO_D = Ipv4Prefix.parse("10.0.2.0/24");
  private static final Ipv4Prefix FROM_P = Ipv4Prefix.parse("10.0.0.0/24");
  private final Fabric fabric = Fabrics.sharedBottleneck();

  private void startWithPairs() {
    loop.setBackgroundNanos(COMPUTATION_NANOS);
    start(fabric, 1);
    engine.useRule(WeightRule.PAIR);
    loop.runFor(COMPUTATION_NANOS + SECOND_NANOS);
    assertConverged();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  private FlowRule pairAtT() {
    return network.tables("t").pairMatching(FlowRule.pairToPort(FROM_P, TO_D, 0));
  }

  private void cutFor(String link, long nanos) {
    network.cut(linkNamed(fabric, link));
    loop.runFor(nanos);
  }

  private void assertComputing() {
    FabricStatus status = engine.view().status();
    assertEquals(FabricStatus.State.CONVERGING, status.state());
    assertFalse(status.confirmed());
    assertTrue(status.reasons().contains(COMPUTING), status.toString());
  }

  private long unconfirmedEvents() {
    return engine.events().since(0).stream()
        .filter(event -> event.kind() == Event.Kind.LINK_DOWN && event.confirmedEpochMicros() == 0)
        .count();
  }

  @Test
  void aNewStrategyHasDestinationsGroupsFirst() {
    loop.setBackgroundNanos(COMPUTATION_NANOS);
    start(fabric, 1);
    engine.useRule(WeightRule.PAIR);
    loop.runFor(SECOND_NANOS);
    assertComputing();
    assertNull(pairAtT());
    loop.runFor(COMPUTATION_NANOS);
    assertConverged();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  @Test
  void aFailureIsConfirmedBeforeAnyFlowIsComputed() {
    startWithPairs();
    cutFor("t/5-y/1", SECOND_NANOS);
    assertNull(pairAtT());
    assertArrayEquals(new int[] {4}, network.tables("t").outPorts(TO_D));
    assertEquals(Set.of(), network.lossy());
    assertEquals(0, unconfirmedEvents());
    assertComputing();
    loop.runFor(COMPUTATION_NANOS);
    assertConfirmed();
    assertEquals(FabricStatus.State.DEGRADED, engine.view().status().state());
  }

  /** Without u, p sends all through t, and needs both of t's ports. */
  @Test
  void aPairWhoseGroupStillLeadsNearerKeepsItMeanwhile() {
    startWithPairs();
    cutFor("p/2-u/1", SECOND_NANOS);
    assertComputing();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
    loop.runFor(COMPUTATION_NANOS);
    assertConfirmed();
    assertNull(pairAtT());
  }

  @Test
  void anEventMeanwhileDiscardsWhatIsBeingComputed() {
    startWithPairs();
    cutFor("t/5-y/1", COMPUTATION_NANOS / 2);
    network.heal(linkNamed(fabric, "t/5-y/1"));
    // When the first computation would have ended:
    loop.runFor(COMPUTATION_NANOS * 3 / 4);
    assertComputing();
    assertNull(pairAtT());
    loop.runFor(COMPUTATION_NANOS);
    assertConverged();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  @Test
  void anotherStrategyMeanwhileNeedsNoFlow() {
    startWithPairs();
    cutFor("p/2-u/1", SECOND_NANOS);
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(0, network.tables("t").pairCount());
    loop.runFor(COMPUTATION_NANOS);
    assertEquals(0, network.tables("t").pairCount());
  }

  @Test
  void anotherSwitchInTheConfigurationTakesNoPairOut() {
    startWithPairs();
    FabricBuilder builder = new FabricBuilder();
    builder.addSwitch("new", 1, Fabric.UNLIMITED);
    for (int s = 0; s < fabric.switchCount(); s++) {
      builder.addSwitch(fabric.switchId(s), fabric.stage(s), fabric.tableEntries(s));
    }
    for (int link = 0; link < fabric.linkCount(); link++) {
      builder.addLink(fabric.end(2 * link), fabric.end(2 * link + 1), fabric.capacityBps(2 * link));
    }
    for (int i = 0; i < fabric.subnetCount(); i++) {
      builder.addSubnet(fabric.switchId(fabric.subnetSwitch(i)), fabric.subnetPrefix(i));
    }
    engine.reconfigure(new EngineConfig(builder.build(), Map.of(), WeightRule.PAIR));
    loop.runFor(SECOND_NANOS);
    assertComputing();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
    loop.runFor(COMPUTATION_NANOS);
    assertConfirmed();
    assertEquals(FlowRule.pairToPort(FROM_P, TO_D, 5), pairAtT());
  }

  @Test
  void aRestartedControllerTakesNoPairOutOnlyToPutItBack() {
    startWithPairs();
    int before = network.operations();
    restart();
    loop.runFor(5 * SECOND_NANOS);
    assertComputing();
    loop.runFor(COMPUTATION_NANOS);
    assertConverged();
    assertEquals(before, network.operations());
  }

  @Test
  void aFailureAfterARestartTakesItsNextHopsOutAtOnce() {
    startWithPairs();
    restart();
    loop.runFor(5 * SECOND_NANOS);
    cutFor("t/5-y/1", SECOND_NANOS);
    assertNull(pairAtT());
    assertEquals(Set.of(), network.lossy());
    loop.runFor(COMPUTATION_NANOS);
    assertConfirmed();
  }

  @Test
  void withoutASwitchNoFlowIsWaitedFor() {
    startWithPairs();
    cutFor("p/2-u/1", SECOND_NANOS);
    fabric.switchIds().forEach(network::disconnect);
    loop.runFor(2 * COMPUTATION_NANOS);
    FabricStatus status = engine.view().status();
    assertEquals(FabricStatus.State.DEGRADED, status.state());
    assertFalse(status.reasons().contains(COMPUTING), status.toString());
  }

  private void restart() {
    engine.close();
    network.killController();
    loop.runFor(SECOND_NANOS);
    EngineConfig config = new EngineConfig(fabric, Map.of(), WeightRule.PAIR);
    engine = new Engine(config, network, network.channel(), loop, EngineMemory.NONE);
    engine.start();
    network.connectAll();
  }

  /**
   * The fake network fails the test if a rule closes a loop, or loses what had a way. Flows take
   * from nothing to longer than it is to the next event.
   */
  @Property(tries = 150)
  void afterAnyEventsAllIsAsComputedFromScratch(
      @ForAll @IntRange(min = 2, max = 4) int stages, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric any = Fabrics.staged(random, stages);
    VirtualLoop ownLoop = new VirtualLoop();
    FakeNetwork own =
        seed % 3 == 0 ? new FakeHardware(any, ownLoop, seed) : new FakeNetwork(any, ownLoop, seed);
    EngineConfig config = new EngineConfig(any, Map.of(), WeightRule.PAIR);
    Engine ownEngine = new Engine(config, own, own, ownLoop);
    ownEngine.start();
    own.connectAll();
    ownLoop.runFor(SECOND_NANOS);
    Set<Integer> cut = new TreeSet<>();
    for (int event = 0; any.linkCount() > 0 && event < 12; event++) {
      ownLoop.setBackgroundNanos(random.nextLong(300_000_000));
      int link = random.nextInt(any.linkCount());
      if (cut.remove(link)) {
        own.heal(link);
      } else {
        cut.add(link);
        own.cut(link);
      }
      if (random.nextInt(4) == 0) {
        own.refuseNext(any.switchId(random.nextInt(any.switchCount())), 1);
      }
      ownLoop.runFor(random.nextLong(200_000_000));
    }
    ownLoop.runFor(60 * SECOND_NANOS);
    EngineView view = ownEngine.view();
    assertTrue(view.status().confirmed(), view.status().toString());
    assertEquals(
        TableCompiler.compile(
                PathCalculator.routes(view.snapshot(), WeightRule.PAIR), view.installed(), own)
            .tables(),
        view.installed());
    for (String id : any.switchIds()) {
      assertEquals(view.installed().get(id), own.tables(id));
    }
  }
}
