package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.fake.KeptMemory;
import org.evenweave.engine.port.FlowRule;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.engine.status.EngineView;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;

/** Hosts: what the engine learns of them, and what it remembers after a restart. */
class EngineHostsTest extends EngineFixture {
  /** Where a frame has it (RFC 826), after 14 bytes of Ethernet. */
  private static final int ARP_SENDER_MAC = 14 + 8;

  private static final int ARP_TARGET_ADDRESS = 14 + 24;

  @Test
  void aRestartedControllerAdoptsWhatIsInstalledAndChangesNothing() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 4);
    learnHost();
    answerRequests();
    engine.close();
    loop.runFor(SECOND_NANOS);
    int before = network.operations();
    startEngine(fabric);
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertConverged();
    assertEquals(before, network.operations());
    assertEquals(1, engine.view().snapshot().hosts().size());
  }

  @Test
  void theNextEngineKnowsTheHostsAndCountsOn() {
    Fabric fabric = Fabrics.figure32();
    KeptMemory memory = new KeptMemory();
    network = new FakeNetwork(fabric, loop, 13);
    startEngine(fabric, memory);
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    learnHost();
    EngineView last = engine.view();
    long lastSequence = engine.events().lastSequence();
    engine.close();
    loop.runFor(SECOND_NANOS);
    FlowRule delivery = network.tables("s1-0").flows().get("10.0.0.2/32");
    network.tamper("s1-0", SwitchOperation.deleteFlow(delivery));
    startEngine(fabric, memory);
    network.connectAll();
    loop.runFor(SECOND_NANOS);
    assertConverged();
    assertEquals(last.snapshot().hosts(), engine.view().snapshot().hosts());
    assertEquals(delivery, network.tables("s1-0").flows().get("10.0.0.2/32"));
    assertTrue(engine.view().revision() > last.revision());
    assertTrue(engine.view().snapshot().version() > last.snapshot().version());
    assertTrue(engine.events().since(0).stream().allMatch(e -> e.sequence() > lastSequence));
  }

  /** Of a release whose rules did not match the gateway's MAC address, and dropped nothing. */
  @Test
  void rulesOfAnEarlierReleaseAreReplacedAndTheHostsTheyDeliverToAreKnown() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 14);
    learnHost();
    answerRequests();
    Map<String, SwitchTables> wanted = new HashMap<>();
    fabric.switchIds().forEach(id -> wanted.put(id, network.tables(id)));
    engine.close();
    loop.runFor(SECOND_NANOS);
    wanted.forEach(this::makeEarlier);
    startEngine(fabric);
    network.connectAll();
    loop.runFor(10 * SECOND_NANOS);
    assertConverged();
    wanted.forEach(
        (id, tables) ->
            assertEquals(tables.flows().keySet(), network.tables(id).flows().keySet(), id));
    assertEquals(1, engine.view().snapshot().hosts().size());
  }

  private void makeEarlier(String switchId, SwitchTables tables) {
    for (FlowRule rule : tables.flows().values()) {
      if (rule.match() != FlowRule.Match.ARP && rule.match() != FlowRule.Match.ARP_REQUEST) {
        network.tamper(switchId, SwitchOperation.deleteFlow(rule));
      }
      if (rule.match() == FlowRule.Match.IPV4_DESTINATION) {
        network.tamper(switchId, SwitchOperation.putFlow(rule.superseded()));
      }
    }
  }

  /** The host that {@link #learnHost} makes known answers whatever comes to its port. */
  private void answerRequests() {
    byte[] announcement = gatewayRequest();
    announcement[ARP_TARGET_ADDRESS + 3] = 2;
    network.onSentPacket =
        end -> {
          if (end.equals(new SwitchPort("s1-0", FakeNetwork.HOST_PORT))) {
            network.packetIn("s1-0", FakeNetwork.HOST_PORT, announcement);
          }
        };
  }

  @Test
  void theSwitchAnswersAHostAsItIsKnown() {
    start(Fabrics.figure32(), 12);
    learnHost();
    assertEquals(List.of(answerToHost(0x020000000001L)), answersAt("s1-0"));
    byte[] withAnotherMac = gatewayRequest();
    withAnotherMac[ARP_SENDER_MAC + 5] = 9;
    network.packetIn("s1-0", FakeNetwork.HOST_PORT, withAnotherMac);
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(List.of(answerToHost(0x020000000009L)), answersAt("s1-0"));
  }

  private static FlowRule answerToHost(long mac) {
    return FlowRule.arpReply(0x0a000001, Gateway.MAC, 0x0a000002, mac, FakeNetwork.HOST_PORT);
  }

  private List<FlowRule> answersAt(String switchId) {
    return network.tables(switchId).flows().values().stream()
        .filter(rule -> rule.action() == FlowRule.Action.ANSWER_ARP)
        .collect(Collectors.toList());
  }

  @Test
  void aStormOfPacketsIsCutOffAndDoesNotDelayAFailure() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 11);
    byte[] request = gatewayRequest();
    for (int packet = 0; packet < 100_000; packet++) {
      network.packetIn("s1-0", FakeNetwork.HOST_PORT, request);
    }
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    loop.runFor(SECOND_NANOS);
    assertConfirmed();
    assertEquals(2, group("s1-0", "s1-2").memberCount());
    assertTrue(network.sentPackets().size() <= 1024, network.sentPackets().size() + " answers");
  }

  /** Host 10.0.0.2 under s1-0 asks for its gateway. */
  private void learnHost() {
    network.packetIn("s1-0", FakeNetwork.HOST_PORT, gatewayRequest());
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of(new SwitchPort("s1-0", FakeNetwork.HOST_PORT)), network.sentPackets());
    assertTrue(network.tables("s1-0").flows().containsKey("10.0.0.2/32"));
  }

  private static byte[] gatewayRequest() {
    return ARP.buildArpRequest(
            new byte[] {2, 0, 0, 0, 0, 1},
            new byte[] {10, 0, 0, 2},
            new byte[6],
            new byte[] {10, 0, 0, 1},
            MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED)
        .serialize();
  }
}
