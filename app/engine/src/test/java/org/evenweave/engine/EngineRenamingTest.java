package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.evenweave.engine.config.ConfigReader;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.FabricException;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names that switches get, lose and change while the engine runs. */
class EngineRenamingTest extends EngineFixture {
  private static final String UNNAMED = "of:0000000000000009";
  private static final String SWAPPED =
      "switches: the switch with dpid 0000000000000004 is in use as \"s2-0\","
          + " and would become \"s2-1\"";

  private Fabric present;

  @BeforeEach
  void connectTheFabricAndOneSwitchMore() {
    Fabric fabric = Fabrics.figure32();
    FabricBuilder builder = new FabricBuilder();
    Map<Long, String> names = new HashMap<>();
    for (int s = 0; s < fabric.switchCount(); s++) {
      builder.addSwitch(fabric.switchId(s), fabric.stage(s), Fabric.UNLIMITED);
      names.put(1L + s, fabric.switchId(s));
    }
    builder.addSwitch(UNNAMED, 1, Fabric.UNLIMITED);
    for (int link = 0; link < fabric.linkCount(); link++) {
      builder.addLink(fabric.end(2 * link), fabric.end(2 * link + 1), fabric.capacityBps(2 * link));
    }
    present = builder.build();
    network = new FakeNetwork(present, loop, 31);
    EngineConfig config = new EngineConfig(fabric, names, WeightRule.EFFECTIVE_CAPACITY);
    engine = new Engine(config, network, network, loop);
    engine.start();
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertTrue(engine.view().converged(), engine.view().problem());
    assertEquals(List.of(), network.reconnects());
  }

  private ObjectNode json() {
    return ConfigWriter.write(engine.configuration());
  }

  private void addSwitch(ObjectNode json, String id, String dpid) {
    ((ArrayNode) json.get("switches")).addObject().put("id", id).put("dpid", dpid).put("stage", 1);
  }

  @Test
  void aSwitchIsAddedBeforeItConnects() {
    ObjectNode json = json();
    addSwitch(json, "s1-9", "000000000000000a");
    engine.reconfigure(ConfigReader.of(json));
    loop.runFor(SECOND_NANOS);
    assertEquals("s1-9", engine.configuration().switchIdOf(10));
    assertEquals(List.of(), network.reconnects());
  }

  @Test
  void aSwitchThatIsConnectedWithoutANameConnectsAgainToGetOne() {
    ObjectNode json = json();
    addSwitch(json, "s1-9", "0000000000000009");
    engine.reconfigure(ConfigReader.of(json));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(UNNAMED), network.reconnects());
    // One whose connection was accepted before the change, and is reported after it.
    network.disconnect(UNNAMED);
    network.connect(UNNAMED);
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(UNNAMED, UNNAMED), network.reconnects());
  }

  @Test
  void aSwitchThatIsTakenOutConnectsAgainWithoutItsName() {
    takeOutSpine();
    assertEquals(List.of("s2-1"), network.reconnects());
  }

  private void takeOutSpine() {
    FabricBuilder fabric = new FabricBuilder();
    Fabric before = engine.configuration().intended();
    Map<Long, String> names = new HashMap<>(engine.configuration().switchIdOfDatapath());
    names.values().remove("s2-1");
    names.values().forEach(id -> fabric.addSwitch(id, before.stage(before.indexOf(id)), 1024));
    engine.reconfigure(new EngineConfig(fabric.build(), names, WeightRule.EFFECTIVE_CAPACITY));
    loop.runFor(SECOND_NANOS);
  }

  @Test
  void aSwitchThatIsTakenOutWhileItIsDisconnectedIsForgotten() {
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertTrue(known().contains("s2-1"));
    takeOutSpine();
    assertEquals(List.of(), network.reconnects());
    assertFalse(known().contains("s2-1"));
  }

  @Test
  void aSwitchThatIsConnectedKeepsItsName() {
    assertRefused(swapped(), SWAPPED);
    assertEquals("s2-0", engine.configuration().switchIdOf(4));
  }

  /** It forwards as before, and would be missing under both names. */
  @Test
  void aSwitchThatHasOnlyLostItsConnectionKeepsItsName() {
    network.disconnect("s2-0");
    network.disconnect("s2-1");
    loop.runFor(SECOND_NANOS);
    assertRefused(swapped(), SWAPPED);
    network.connect("s2-0");
    assertRefused(swapped(), SWAPPED);
  }

  /** What is known of one is not taken for the other, which has its name now. */
  @Test
  void switchesWithoutPowerAreRenamed() {
    cutOffSpines();
    assertTrue(known().containsAll(Set.of("s2-0", "s2-1")));
    engine.reconfigure(ConfigReader.parse(swapped()));
    loop.runFor(SECOND_NANOS);
    assertFalse(known().contains("s2-0"));
    assertFalse(known().contains("s2-1"));
    assertEquals(List.of(), network.reconnects());
    assertEquals("s2-1", engine.configuration().switchIdOf(4));
    assertEquals("s2-0", engine.configuration().switchIdOf(5));
  }

  /** They get the old names when the engine has not noticed yet that they are there. */
  @Test
  void switchesThatConnectWhileTheyAreRenamedConnectAgain() {
    cutOffSpines();
    network.connect("s2-0");
    network.connect("s2-1");
    engine.reconfigure(ConfigReader.parse(swapped()));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of("s2-0", "s2-1"), network.reconnects());
  }

  /** A datapath id is a name as good as any where the fabric has it. */
  @Test
  void aSwitchThatCarriesTrafficUnderItsDatapathIdKeepsThat() {
    FabricBuilder fabric = new FabricBuilder();
    fabric.addSwitch(FIRST, 1, Fabric.UNLIMITED).addSwitch(SECOND, 2, Fabric.UNLIMITED);
    fabric.addLink(new SwitchPort(FIRST, 1), new SwitchPort(SECOND, 1), 10);
    fabric.addSubnet(FIRST, Ipv4Prefix.parse("10.0.0.0/24"));
    fabric.addSubnet(SECOND, Ipv4Prefix.parse("10.0.1.0/24"));
    start(fabric.build(), 33);
    String named =
        json()
            .toString()
            .replace("\"id\":\"" + FIRST, "\"dpid\":\"0000000000000001\",\"id\":\"a")
            .replace(FIRST, "a");
    assertRefused(
        named, "the switch with dpid 0000000000000001 is in use as \"" + FIRST + "\", and would");
  }

  /** Its name is another's from now on. */
  @Test
  void aSwitchThatIsReplacedConnectsAgainWithoutItsName() {
    String replaced = json().toString().replace("0000000000000005", "000000000000000b");
    engine.reconfigure(ConfigReader.parse(replaced));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of("s2-1"), network.reconnects());
  }

  @Test
  void switchesThatLoseTheirNamesAreListedOnce() {
    connectOneLinkUnderTwoNames();
    network.connect("a");
    network.connect("b");
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(1, engine.view().snapshot().linkCount());
    engine.reconfigure(EngineConfig.empty());
    reconnect(Map.of("a", FIRST, "b", SECOND));
    assertEquals(Set.of(FIRST, SECOND), Set.copyOf(known()));
    assertEquals(1, engine.view().snapshot().linkCount());
    assertEquals(2, known().size(), known().toString());
  }

  @Test
  void linksOfSwitchesThatGetTheirNamesAreNotUnexpected() {
    connectOneLinkUnderTwoNames();
    EngineConfig named = engine.configuration();
    engine.reconfigure(EngineConfig.empty());
    network.connect(FIRST);
    network.connect(SECOND);
    loop.runFor(10 * SECOND_NANOS);
    assertEquals(1, engine.view().snapshot().linkCount());
    engine.reconfigure(named);
    loop.runFor(SECOND_NANOS);
    reconnect(Map.of(FIRST, "a", SECOND, "b"));
    assertEquals(Set.of("a", "b"), Set.copyOf(known()));
    assertEquals(1, engine.view().snapshot().linkCount());
    assertEquals(
        0,
        engine.events().since(0).stream()
            .filter(event -> event.kind() == Event.Kind.UNEXPECTED_LINK)
            .count());
  }

  private static final String FIRST = "of:0000000000000001";
  private static final String SECOND = "of:0000000000000002";

  /** Two switches that may connect under their names, or under their datapath ids. */
  private void connectOneLinkUnderTwoNames() {
    FabricBuilder named = new FabricBuilder();
    FabricBuilder present = new FabricBuilder();
    for (FabricBuilder fabric : List.of(named, present)) {
      fabric.addSwitch("a", 1, Fabric.UNLIMITED).addSwitch("b", 2, Fabric.UNLIMITED);
      fabric.addLink(new SwitchPort("a", 1), new SwitchPort("b", 1), 10);
    }
    present.addSwitch(FIRST, 1, Fabric.UNLIMITED).addSwitch(SECOND, 2, Fabric.UNLIMITED);
    present.addLink(new SwitchPort(FIRST, 1), new SwitchPort(SECOND, 1), 10);
    network = new FakeNetwork(present.build(), loop, 32);
    Map<Long, String> names = Map.of(1L, "a", 2L, "b");
    engine =
        new Engine(
            new EngineConfig(named.build(), names, WeightRule.EFFECTIVE_CAPACITY),
            network,
            network,
            loop);
    engine.start();
  }

  private void reconnect(Map<String, String> names) {
    loop.runFor(SECOND_NANOS);
    assertEquals(names.keySet(), Set.copyOf(network.reconnects()));
    names.forEach(
        (before, after) -> {
          network.disconnect(before);
          network.connect(after);
        });
    loop.runFor(10 * SECOND_NANOS);
  }

  private List<String> known() {
    return List.copyOf(engine.view().snapshot().forwardingIds());
  }

  private String swapped() {
    return json()
        .toString()
        .replace("s2-0\",\"dpid", "x\",\"dpid")
        .replace("s2-1\",\"dpid", "s2-0\",\"dpid")
        .replace("x\",\"dpid", "s2-1\",\"dpid");
  }

  private void assertRefused(String text, String reason) {
    EngineConfig before = engine.configuration();
    EngineConfig renaming = ConfigReader.parse(text);
    String message =
        assertThrows(FabricException.class, () -> engine.reconfigure(renaming)).getMessage();
    assertTrue(message.contains(reason), message);
    assertTrue(message.endsWith("; restart to rename it"), message);
    assertEquals(before, engine.configuration());
  }

  /** Both spines lose their power: the ports that lead to them go down. */
  private void cutOffSpines() {
    for (String id : List.of("s2-0", "s2-1")) {
      network.disconnect(id);
      for (int link : present.linksAt(present.indexOf(id))) {
        network.cut(link);
      }
    }
    loop.runFor(SECOND_NANOS);
  }
}
