package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.evenweave.app.api.EvenweaveService;
import org.evenweave.app.cluster.FakeStorage;
import org.evenweave.app.cluster.SharedText;
import org.evenweave.app.config.ConfigKeeper;
import org.evenweave.app.config.FabricConfig;
import org.evenweave.app.removal.Purge;
import org.evenweave.app.sdd.SddService;
import org.evenweave.app.southbound.PendingChanges;
import org.evenweave.app.southbound.SwitchCounters;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.sdd.loop.FakeCircuitNetwork;
import org.evenweave.sdd.loop.SddController;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;

/** Two instances that talk by bytes, as those of a cluster do. */
class ClusterRestProxyTest {
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final NodeId TWO = NodeId.nodeId("two");
  private static final NodeId GONE = NodeId.nodeId("three");

  @TempDir static Path temporary;

  private final Map<NodeId, Function<byte[], CompletableFuture<byte[]>>> wires = new HashMap<>();
  private final Map<String, Integer> configured = new HashMap<>();
  private final Instance one = new Instance(ONE);
  private final Instance two = new Instance(TWO);
  private NodeId leader = ONE;
  private boolean sddConfigured = true;
  private NodeId sddPlace = TWO;
  private NodeId sddStandby;

  @AfterEach
  void stop() {
    one.rest.deactivate();
    two.rest.deactivate();
  }

  private final class Instance implements EvenweaveService {
    private final NodeId id;
    private final ClusterRestProxy rest;
    private final Sdd sdd = new Sdd();
    private Engine engine;

    Instance(NodeId id) {
      this.id = id;
      rest = new ClusterRestProxy(this, sdd, new Cluster(id), new WireFormat(id));
      rest.activate();
    }

    void startEngine() {
      VirtualLoop loop = new VirtualLoop();
      FakeNetwork network = new FakeNetwork(new FabricBuilder().build(), loop, 1);
      engine = new Engine(EngineConfig.empty(), network, network, loop);
    }

    @Override
    public Optional<Engine> engine() {
      return Optional.ofNullable(engine);
    }

    @Override
    public Optional<NodeId> leader() {
      return Optional.ofNullable(leader);
    }

    @Override
    public PendingChanges pending() {
      return new PendingChanges();
    }

    @Override
    public CompletableFuture<SwitchCounters> counters(String switchId) {
      return CompletableFuture.failedFuture(new SouthboundException(switchId, "is far away"));
    }

    @Override
    public CompletableFuture<Purge.Result> purge() {
      engine = null;
      return CompletableFuture.completedFuture(
          new Purge.Result(6, 5, 48, Map.of("s2-1", "is not connected"), Map.of()));
    }

    @Override
    public ConfigKeeper configuration() {
      return new ConfigKeeper(
          new NetworkConfigServiceAdapter() {
            @Override
            public <S, C extends Config<S>> C applyConfig(
                S subject, Class<C> type, com.fasterxml.jackson.databind.JsonNode json) {
              configured.merge(type == FabricConfig.class ? id.id() : "other", 1, Integer::sum);
              return null;
            }
          },
          new DefaultApplicationId(7, "org.evenweave.app"),
          new SharedText(new FakeStorage(), "configuration"));
    }
  }

  /** Knows what every instance of the cluster knows, and has a controller where one runs. */
  private final class Sdd implements SddService {
    private SddController controller;

    @Override
    public boolean configured() {
      return sddConfigured;
    }

    @Override
    public Optional<NodeId> instance() {
      return Optional.ofNullable(sddPlace);
    }

    @Override
    public Optional<NodeId> standby() {
      return Optional.ofNullable(sddStandby);
    }

    @Override
    public Optional<SddController> controller() {
      return Optional.ofNullable(controller);
    }

    @Override
    public String problem() {
      return "/keys/ca.pem does not exist or cannot be read";
    }

    @Override
    public void topologyChanged(SortedMap<String, Map<Integer, Integer>> shares) {
      throw new AssertionError("REST does not tell of the topology");
    }

    @Override
    public void useFabric(Supplier<Map<String, Map<String, Double>>> links) {
      throw new AssertionError("REST does not tell of the fabric");
    }
  }

  private static final class Cluster extends ClusterServiceAdapter {
    private final NodeId id;

    Cluster(NodeId id) {
      this.id = id;
    }

    @Override
    public ControllerNode getLocalNode() {
      return node(id);
    }

    @Override
    public Set<ControllerNode> getNodes() {
      return Set.of(node(ONE), node(TWO), node(GONE));
    }

    private static ControllerNode node(NodeId id) {
      return new DefaultControllerNode(id, "127.0.0.1");
    }
  }

  private final class WireFormat extends ClusterCommunicationServiceAdapter {
    private final NodeId id;

    WireFormat(NodeId id) {
      this.id = id;
    }

    @Override
    public <M, R> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Function<M, R> handler,
        Function<R, byte[]> encoder,
        Executor executor) {
      wires.put(
          id,
          bytes ->
              CompletableFuture.supplyAsync(
                  () -> encoder.apply(handler.apply(decoder.apply(bytes))), executor));
    }

    @Override
    public <M, R> CompletableFuture<R> sendAndReceive(
        M message,
        MessageSubject subject,
        Function<M, byte[]> encoder,
        Function<byte[], R> decoder,
        NodeId to,
        Duration timeout) {
      return wires.containsKey(to)
          ? wires.get(to).apply(encoder.apply(message)).thenApply(decoder)
          : CompletableFuture.failedFuture(new java.net.ConnectException("no route"));
    }
  }

  private static RestRequest strategy(String name) {
    return RestRequest.put("strategy", "{\"strategy\":\"" + name + "\"}");
  }

  @Test
  void sddRequestsGoToTheInstanceOfTheSddController() throws Exception {
    try (SddController running = new SddController(FakeCircuitNetwork.config(temporary, ""))) {
      two.sdd.controller = running;
      RestResponse there = one.rest.send(RestRequest.get("sdd/hosts"));
      assertEquals(200, there.status());
      assertTrue(there.text().startsWith("{\"hosts\":[{\"name\":\"h0\""), there.text());
      assertEquals(there.text(), two.rest.send(RestRequest.get("sdd/hosts")).text());
      String status = one.rest.send(RestRequest.get("sdd/status")).text();
      assertTrue(status.endsWith(",\"instance\":\"one\",\"runsOn\":\"two\"}"), status);
      sddStandby = ONE;
      status = two.rest.send(RestRequest.get("sdd/status")).text();
      assertTrue(status.endsWith(",\"runsOn\":\"two\",\"standby\":\"one\"}"), status);
      leader = null;
      assertEquals(200, one.rest.send(RestRequest.get("sdd/misses")).status());
      assertEquals(
          "404 {\"error\":\"no host \\\"h0\\\" is connected\"}",
          one.rest.send(RestRequest.get("sdd/queues?host=h0")).toString());
    }
  }

  @Test
  void anSddControllerThatCannotStartSaysWhy() {
    String said = one.rest.send(RestRequest.get("sdd/status")).toString();
    assertEquals(
        "503 {\"error\":\"the SDD controller does not run on two: /keys/ca.pem does not exist or"
            + " cannot be read\",\"instance\":\"one\",\"runsOn\":\"two\"}",
        said);
  }

  @Test
  void withoutAnSddControllerTheEngineAnswersAllTheSame() {
    one.startEngine();
    sddPlace = null;
    assertEquals(503, one.rest.send(RestRequest.get("sdd/schedule")).status());
    sddConfigured = false;
    assertEquals(404, one.rest.send(RestRequest.get("sdd/schedule")).status());
    assertEquals(200, one.rest.send(RestRequest.get("status")).status());
  }

  @Test
  void anInstanceThatIsGoneIsNamed() {
    sddPlace = GONE;
    assertEquals(
        "503 {\"error\":\"the SDD controller's instance three does not answer; try again in a"
            + " moment\"}",
        one.rest.send(RestRequest.get("sdd/hosts")).toString());
  }

  @Test
  void anInstanceThatIsNotInTheClusterIsNotAsked() {
    sddPlace = NodeId.nodeId("four");
    assertEquals(
        "503 {\"error\":\"the SDD controller's instance four is not in the cluster now\"}",
        one.rest.send(RestRequest.get("sdd/hosts")).toString());
  }

  @Test
  void everyInstanceAnswersAsTheLeaderDoes() {
    one.startEngine();
    RestResponse there = two.rest.send(RestRequest.get("groups"));
    RestResponse here = one.rest.send(RestRequest.get("groups"));
    assertEquals(200, here.status());
    assertEquals(here.toString(), there.toString());
    assertEquals(here.headers(), there.headers());
  }

  @Test
  void theStatusNamesTheLeaderAndWhoeverAnswers() {
    one.startEngine();
    String said = two.rest.send(RestRequest.get("status")).text();
    assertTrue(said.endsWith(",\"instance\":\"two\",\"leader\":\"one\"}"), said);
    leader = null;
    said = two.rest.send(RestRequest.get("status?")).text();
    assertTrue(said.endsWith(",\"instance\":\"two\",\"leader\":\"\"}"), said);
  }

  @Test
  void aStatusThatTheClientHasStaysWithoutABody() {
    one.startEngine();
    String tag = one.rest.send(RestRequest.get("status")).headers().get("ETag");
    RestRequest again = new RestRequest("GET", "status", Map.of("If-None-Match", tag), new byte[0]);
    assertEquals("304 ", two.rest.send(again).toString());
  }

  @Test
  void anErrorIsTheSameEverywhere() {
    one.startEngine();
    RestRequest wrong = RestRequest.get("groups?switch=s9-9");
    assertEquals(
        "404 {\"error\":\"no switch \\\"s9-9\\\" is connected\"}", one.rest.send(wrong).toString());
    assertEquals(one.rest.send(wrong).toString(), two.rest.send(wrong).toString());
  }

  @Test
  void aChangeIsMadeAndConfiguredOnTheLeader() {
    one.startEngine();
    assertEquals(
        "200 {\"strategy\":\"ecmp\",\"inForce\":\"ecmp\"}",
        two.rest.send(strategy("ecmp")).toString());
    assertEquals("ecmp", one.engine.configuration().weightRule().strategyName());
    assertEquals(Map.of("one", 1), configured);
  }

  @Test
  void singleFieldsAndExclusionsChangeOnTheLeaderAndAreConfigured() {
    one.startEngine();
    RestRequest patch =
        new RestRequest(
            "PATCH",
            "configuration",
            Map.of("Content-Type", "application/merge-patch+json"),
            "{\"strategy\":\"ecmp\"}".getBytes(StandardCharsets.UTF_8));
    assertEquals(200, two.rest.send(patch).status());
    assertEquals("ecmp", one.engine.configuration().weightRule().strategyName());
    assertEquals(Map.of("one", 1), configured);
    assertEquals(
        "200 {\"switches\":[],\"links\":[]}",
        two.rest.send(RestRequest.get("exclusions")).toString());
    assertEquals(404, two.rest.send(RestRequest.put("exclusions/s9-9", "")).status());
    assertEquals(404, two.rest.send(RestRequest.delete("exclusions/s9-9/1")).status());
  }

  @Test
  void aPurgeOnTheLeaderSaysHowMuchItRemovedAndConfiguresNothing() {
    one.startEngine();
    RestRequest purge = RestRequest.post("purge");
    assertEquals(
        "200 {\"switches\":6,\"groups\":5,\"rules\":48,"
            + "\"failed\":[{\"switch\":\"s2-1\",\"problem\":\"is not connected\"}]}",
        two.rest.send(purge).toString());
    assertEquals(Map.of(), configured);
    assertEquals(503, two.rest.send(purge).status());
  }

  @Test
  void whatIsRefusedIsNotConfigured() {
    one.startEngine();
    assertEquals(400, two.rest.send(strategy("best")).status());
    assertEquals(Map.of(), configured);
  }

  @Test
  void requestsGoToANewLeader() {
    one.startEngine();
    one.rest.send(strategy("ecmp"));
    leader = TWO;
    one.engine = null;
    two.startEngine();
    String found = one.rest.send(RestRequest.get("strategy")).toString();
    assertTrue(found.startsWith("200 {\"strategy\":\"auto\",\"inForce\":\"wcmp\""), found);
  }

  @Test
  void withoutALeaderThereIsNoAnswer() {
    leader = null;
    RestResponse response = two.rest.send(RestRequest.get("status"));
    assertEquals(503, response.status());
    assertTrue(response.text().startsWith("{\"error\":\"no instance leads"), response.text());
  }

  @Test
  void aLeaderWithoutAnEngineSaysSo() {
    RestResponse response = two.rest.send(RestRequest.get("status"));
    assertEquals(503, response.status());
    assertTrue(response.text().contains("does not run on one"), response.text());
  }

  @Test
  void aLeaderThatIsGoneIsNotWaitedFor() {
    leader = GONE;
    RestResponse response = two.rest.send(RestRequest.get("status"));
    assertEquals(503, response.status());
    assertTrue(response.text().contains("three does not answer"), response.text());
  }
}
