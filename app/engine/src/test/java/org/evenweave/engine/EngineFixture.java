package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.engine.port.EngineMemory;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.weights.WeightRule;

/** An engine on a fake network that checks every single table change for loops and losses. */
abstract class EngineFixture {
  /** Those that every runtime has; {@link WeightRule#TRAFFIC} needs a solver. */
  static final List<WeightRule> RULES =
      List.of(
          WeightRule.AUTOMATIC,
          WeightRule.EQUAL,
          WeightRule.EFFECTIVE_CAPACITY,
          WeightRule.MAXIMUM_FLOW,
          WeightRule.PAIR);

  static final long SECOND_NANOS = 1_000_000_000L;
  final VirtualLoop loop = new VirtualLoop();
  FakeNetwork network;
  Engine engine;

  void start(Fabric fabric, long seed) {
    network = new FakeNetwork(fabric, loop, seed);
    startEngine(fabric);
    network.connectAll();
    loop.runFor(SECOND_NANOS);
  }

  void startEngine(Fabric fabric) {
    startEngine(fabric, EngineMemory.NONE);
  }

  void startEngine(Fabric fabric, EngineMemory memory) {
    EngineConfig config = new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY);
    engine = new Engine(config, network, network.channel(), loop, memory);
    engine.start();
  }

  GroupState group(String switchId, String destination) {
    return engine.view().groups().stream()
        .filter(g -> g.switchId().equals(switchId) && g.destinations().contains(destination))
        .findFirst()
        .orElseThrow();
  }

  static int linkNamed(Fabric fabric, String name) {
    for (int link = 0; link < fabric.linkCount(); link++) {
      if (fabric.linkName(link).equals(name)) {
        return link;
      }
    }
    throw new AssertionError("no link " + name);
  }

  void assertConverged() {
    assertConfirmed();
    assertEquals(List.of(), engine.view().status().reasons());
    assertTrue(engine.view().converged());
  }

  /** Something may be missing; what is there is as it should be then. */
  void assertConfirmed() {
    assertEquals("", engine.view().problem());
    assertTrue(engine.view().status().confirmed(), engine.view().status().toString());
    assertEquals(Set.of(), network.lossy());
    engine.view().groups().forEach(g -> assertTrue(g.group().equals(engine.view().held(g))));
  }
}
