package org.evenweave.app.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import org.evenweave.app.Logged;
import org.evenweave.app.cluster.FakeStorage;
import org.evenweave.app.cluster.SharedText;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.ConfigUpdate;
import org.evenweave.engine.config.ConfigWriter;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;

class ConfigKeeperTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String REMOVED =
      "ONOS's network configuration apps/org.evenweave.app/fabric was removed: the previous one stays"
          + " in force until another is pushed; to remove all groups and rules, push an empty one"
          + " with \"allowEmpty\": true";

  private final VirtualLoop loop = new VirtualLoop();
  private final FakeNetwork network =
      new FakeNetwork(new FabricBuilder().addSwitch("s1-0", 1, 1024).build(), loop, 1);
  private final Configs onos = new Configs();
  private final FakeStorage storage = new FakeStorage();
  private final ConfigKeeper keeper = keeper();

  private ObjectNode fabric;
  private Engine engine;

  /** ONOS's store of configurations, of which there is one. */
  private static final class Configs extends NetworkConfigServiceAdapter {
    private JsonNode stored;
    private int writes;

    @Override
    @SuppressWarnings("unchecked")
    public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
      return stored == null ? null : (C) FabricConfigTest.config(stored);
    }

    @Override
    public <S, C extends Config<S>> C applyConfig(S subject, Class<C> configClass, JsonNode json) {
      EngineConfig present = FabricConfigTest.config(stored).engineConfig();
      assertTrue(FabricConfigTest.config(() -> present, json).isValid());
      stored = json;
      writes++;
      return getConfig(subject, configClass);
    }
  }

  /** As an instance makes it. */
  private ConfigKeeper keeper() {
    return new ConfigKeeper(
        onos,
        new DefaultApplicationId(7, "org.evenweave.app"),
        new SharedText(storage, "configuration"));
  }

  @BeforeEach
  void startTheEngine() throws Exception {
    fabric = (ObjectNode) FabricConfigTest.read(FabricConfigTest.resource("all-fields.json"));
    onos.stored = fabric;
    engine = new Engine(keeper.configured(), network, network, loop);
  }

  @Test
  void withoutAConfigurationNothingIsKnownBeforehand() {
    onos.stored = null;
    assertEquals(0, keeper.configured().intended().switchCount());
  }

  @Test
  void whatWasInForceStaysWhenTheNetworkConfigurationIsRemoved() {
    assertTrue(keeper.follow(engine));
    int switches = keeper.configured().intended().switchCount();
    assertEquals(List.of(), keeper.problems());
    onos.stored = null;
    assertTrue(keeper.follow(engine));
    assertEquals(switches, engine.configuration().intended().switchCount());
    assertEquals(List.of(REMOVED), keeper.problems());
    // The next leader, or this instance after a restart.
    assertTrue(keeper().isKnown());
    assertEquals(switches, keeper().configured().intended().switchCount());
    assertEquals(List.of(REMOVED), keeper().problems());
  }

  @Test
  void anEmptyConfigurationInPlaceOfTheRemovedOneEndsIt() throws Exception {
    assertTrue(keeper.follow(engine));
    onos.stored = null;
    assertTrue(keeper.follow(engine));
    JsonNode empty = JSON.readTree("{\"allowEmpty\": true}");
    assertTrue(FabricConfigTest.config(keeper::configured, empty).isValid());
    onos.stored = empty;
    assertTrue(keeper.follow(engine));
    assertEquals(0, engine.configuration().intended().switchCount());
    onos.stored = null;
    assertTrue(keeper.follow(engine));
    assertEquals(List.of(), keeper.problems());
  }

  @Test
  void afterAPurgeNothingComesBack() {
    assertTrue(keeper.follow(engine));
    onos.stored = null;
    keeper.forget();
    assertEquals(0, keeper().configured().intended().switchCount());
  }

  @Test
  void whileTheStoreDoesNotAnswerItIsNotKnownThatNothingIsConfigured() {
    assertTrue(keeper.follow(engine));
    onos.stored = null;
    storage.answers = false;
    ConfigKeeper started = keeper();
    assertFalse(started.isKnown());
    storage.answers = true;
    assertTrue(started.isKnown());
    assertEquals(List.of(REMOVED), started.problems());
  }

  @Test
  void aChangedConfigurationReachesTheEngine() {
    fabric.put("strategy", "ecmp").put("maxOversubscription", 1.2);
    assertTrue(keeper.follow(engine));
    assertEquals("ecmp", engine.configuration().weightRule().strategyName());
    assertEquals(new BigDecimal("1.2"), engine.configuration().maxOversubscriptionDecimal());
  }

  @Test
  void aConnectedSwitchThatChangesItsNameNeedsANewEngine() throws Exception {
    engine.start();
    network.connectAll();
    loop.runFor(1_000_000_000L);
    onos.stored = JSON.readTree(fabric.toString().replace("s1-0", "leaf-0"));
    List<String> logged = Logged.during(() -> assertFalse(keeper.follow(engine)));
    assertEquals(
        List.of("INFO the configuration gives switches other names; the engine restarts with them"),
        logged);
  }

  @Test
  void aFabricThatDoesNotFitLeavesTheEngineAsItWas() {
    fabric.remove("excluded");
    ((ObjectNode) fabric.get("switches").get(0)).put("table", 1);
    assertTrue(keeper.follow(engine));
    assertEquals(1024, engine.configuration().intended().tableEntries(0));
  }

  @Test
  void whatIsChangedInTheEngineIsConfigured() {
    WeightRule ecmp = WeightRule.named("ecmp");
    String result =
        keeper.change(
            engine,
            () -> {
              engine.useRule(ecmp);
              return "done";
            });
    assertEquals("done", result);
    assertEquals("ecmp", onos.stored.get("strategy").asText());
    assertEquals(fabric.get("links"), onos.stored.get("links"));
    assertEquals(fabric.get("maxOversubscription"), onos.stored.get("maxOversubscription"));
    assertEquals(ecmp, keeper.configured().weightRule());
  }

  @Test
  void aFabricThatIsEmptiedOnPurposeIsConfiguredAsEmpty() {
    fabric.remove(List.of("links", "subnets", "excluded"));
    String emptied = fabric.put("allowEmpty", true).toString();
    onos.stored = ConfigWriter.write(engine.configuration());
    keeper.change(
        engine, () -> engine.change(present -> ConfigUpdate.replacement(present, emptied)));
    assertEquals(0, keeper.configured().intended().linkCount());
    assertEquals(1, onos.writes);
  }

  @Test
  void whatChangesNothingIsNotWritten() {
    keeper.change(engine, () -> "read");
    assertEquals(0, onos.writes);
  }
}
