package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.forwarding.CannotFitException;
import org.evenweave.engine.forwarding.GroupState;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.topology.FatTree;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

/** Changes of the configuration while the engine runs. */
class EngineConfigurationTest extends EngineFixture {
  @Test
  void theStrategyChangesEveryGroupAndBack() {
    start(Fabrics.figure32(), 9);
    engine.useRule(WeightRule.EQUAL);
    assertFalse(engine.view().converged());
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(64, group("s1-0", "s1-2").slotCount(0));
    engine.useRule(WeightRule.EFFECTIVE_CAPACITY);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(43, group("s1-0", "s1-2").slotCount(0));
  }

  @Test
  void anExcludedSwitchIsDrainedAndTakenBackWithoutALoss() {
    Fabric fabric = FatTree.of(4, 10_000_000_000L);
    start(fabric, 16);
    EngineConfig config = engine.configuration();
    engine.reconfigure(
        config.withExcluded(Set.of("agg-0-0", "core-3"), Set.of(new SwitchPort("edge-3-1", 1))));
    assertFalse(engine.view().converged());
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(Map.of(), network.tables("agg-0-0").flows());
    assertEquals(Map.of(), network.tables("core-3").flows());
    for (GroupState group : engine.view().groups()) {
      for (int i = 0; i < group.memberCount(); i++) {
        assertFalse(Set.of("agg-0-0", "core-3").contains(group.via(i)));
      }
    }
    // Excluded is not gone.
    assertEquals(20, engine.view().snapshot().switchIds().size());
    assertEquals(32, engine.view().snapshot().linkCount());
    engine.reconfigure(config);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(16, engine.view().groups().size());
    List<String> subjects =
        engine.events().since(0).stream()
            .filter(e -> e.kind() == Event.Kind.CONFIGURATION)
            .map(Event::subject)
            .collect(Collectors.toList());
    assertEquals(
        "excluded {\"switches\":[\"agg-0-0\",\"core-3\"],\"links\":[\"edge-3-1/1\"]}",
        subjects.get(0));
    assertEquals(2, subjects.size());
  }

  @Test
  void aLimitOnTheOversubscriptionTakesFewerEntries() {
    start(Fabrics.figure32(), 17);
    assertEquals(256, group("s1-0", "s1-2").entries());
    engine.reconfigure(engine.configuration().withMaxOversubscription(new BigDecimal("1.125")));
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(16, group("s1-0", "s1-2").entries());
    assertEquals(1.125, group("s1-0", "s1-2").oversubscription());
  }

  @Test
  void prefixesCapacitiesAndTablesChangeWhileRunning() {
    start(Fabrics.figure32(), 18);
    EngineConfig before = engine.configuration();
    ObjectNode json = ConfigWriter.write(before);
    ((ArrayNode) json.get("subnets"))
        .addObject()
        .put("switch", "s1-0")
        .put("prefix", "10.9.0.0/24");
    ((ObjectNode) json.get("switches").get(0)).put("table", 64);
    engine.reconfigure(ConfigReader.of(json));
    loop.runFor(SECOND_NANOS);
    assertTrue(engine.view().converged(), engine.view().problem());
    assertTrue(network.tables("s1-1").flows().containsKey("10.9.0.0/24"));
    assertEquals(64, group("s1-0", "s1-2").entries());
    int operations = network.operations();
    engine.reconfigure(engine.configuration());
    loop.runFor(SECOND_NANOS);
    assertEquals(operations, network.operations());
    engine.reconfigure(before);
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertFalse(network.tables("s1-1").flows().containsKey("10.9.0.0/24"));
    assertEquals(256, group("s1-0", "s1-2").entries());
  }

  @Test
  void aConfigurationThatCannotFitChangesNothing() {
    start(Fabrics.figure32(), 19);
    EngineConfig before = engine.configuration();
    ObjectNode json = ConfigWriter.write(before);
    ((ObjectNode) json.get("switches").get(0)).put("table", 15);
    assertThrows(CannotFitException.class, () -> engine.reconfigure(ConfigReader.of(json)));
    assertEquals(before, engine.configuration());
    assertConverged();
  }

  @Test
  void groupsThatCannotFitAreRefusedBeforeAnythingStarts() {
    FabricBuilder builder = new FabricBuilder().addSwitch("a", 1, 15).addSwitch("b", 1, 64);
    builder.addLink("a/1", "b/1", 10).addLink("a/2", "b/2", 10);
    builder.addSubnet("b", Ipv4Prefix.parse("10.0.0.0/24"));
    network = new FakeNetwork(builder.build(), loop, 10);
    String message =
        assertThrows(CannotFitException.class, () -> startEngine(builder.build())).getMessage();
    assertEquals(
        "a: its 1 group needs at least 16 multipath table entries, and its table has 15", message);
  }
}
