package org.evenweave.app.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.evenweave.app.southbound.AnyCounters;
import org.evenweave.app.southbound.SwitchCounters;
import org.evenweave.engine.Engine;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.SouthboundException;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.Test;

class TablesResourceTest {
  private static final int GROUP = 0x4557_0001;
  private static final SwitchCounters HELD =
      AnyCounters.of(
          Map.of(GROUP, 206L),
          Map.of(
              FlowRule.routeToGroup(Ipv4Prefix.parse("10.0.1.0/24"), GROUP), 12L,
              FlowRule.deliver(0x0a00_0002, 5, 1, 2), 7L,
              FlowRule.arpToController(), 1L));

  private final ResourceDispatcher rest = new ResourceDispatcher(Set.of(resource()));

  /** Of two switches, the second of which cannot be read. */
  private static TablesResource resource() {
    Fabric fabric = new FabricBuilder().addSwitch("s1-0", 1, 64).addSwitch("s1-1", 1, 64).build();
    VirtualLoop loop = new VirtualLoop();
    FakeNetwork network = new FakeNetwork(fabric, loop, 1);
    Engine engine =
        new Engine(
            new EngineConfig(fabric, Map.of(), WeightRule.EFFECTIVE_CAPACITY),
            network,
            network,
            loop);
    engine.start();
    network.connectAll();
    loop.runFor(1_000_000_000L);
    return new TablesResource(
        engine,
        id ->
            id.equals("s1-0")
                ? CompletableFuture.completedFuture(HELD)
                : CompletableFuture.failedFuture(new SouthboundException(id, "has no master")));
  }

  @Test
  void groupsAndRulesHaveTheirPacketsByDescendingPriority() throws Exception {
    assertEquals(
        new ObjectMapper()
            .readTree(
                ("{'tables':[{'switch':'s1-0','groups':[{'groupId':1163329537,'packets':206}],"
                        + "'rules':[{'priority':40001,'match':'arp','action':'to-controller',"
                        + "'packets':1},{'priority':10033,'match':'10.0.0.2/32','action':'deliver',"
                        + "'port':5,'packets':7},{'priority':10025,'match':'10.0.1.0/24',"
                        + "'action':'route-to-group','groupId':1163329537,'packets':12}]}],"
                        + "'unread':[]}")
                    .replace('\'', '"')),
        read("tables?switch=s1-0", 200));
  }

  @Test
  void aSwitchThatCannotBeReadIsNamedBesideTheOthers() throws Exception {
    JsonNode answer = read("tables", 200);
    assertEquals(1, answer.get("tables").size());
    assertEquals(
        "[{\"switch\":\"s1-1\",\"problem\":\"s1-1: has no master\"}]",
        answer.get("unread").toString());
  }

  @Test
  void aSwitchThatIsNotThereIsNotFound() throws Exception {
    read("tables?switch=s9-9", 404);
  }

  private JsonNode read(String path, int status) throws Exception {
    RestResponse response = rest.handle(RestRequest.get(path));
    assertEquals(status, response.status(), response.text());
    return new ObjectMapper().readTree(response.text());
  }
}
