package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.forwarding.Gateway;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

class GatewayResponderTest {
  private static final MacAddress MAC_A = MacAddress.valueOf("0a:00:00:00:00:0a");
  private static final MacAddress MAC_B = MacAddress.valueOf("0a:00:00:00:00:0b");
  private static final String A = "10.0.0.2";
  private static final String B = "10.0.0.3";
  private static final String GATEWAY = "10.0.0.1";

  /** Frames sent, by {@code switch/port}. */
  private final List<Map.Entry<String, byte[]>> sent = new ArrayList<>();

  private final List<Host> learned = new ArrayList<>();
  private long nowNanos;
  private final Nib nib =
      new Nib(new EngineConfig(Fabrics.figure32(), Map.of(), WeightRule.EFFECTIVE_CAPACITY));
  private final GatewayResponder responder =
      new GatewayResponder(nib, new RecordingPort(), learned::add, () -> nowNanos);

  private final class RecordingPort implements SouthboundPort {
    @Override
    public CompletableFuture<Void> apply(String switchId, List<SwitchOperation> operations) {
      throw new AssertionError("the responder must not program switches");
    }

    @Override
    public CompletableFuture<SwitchTables> read(String switchId) {
      throw new AssertionError("the responder must not read switches");
    }

    @Override
    public void sendPacket(String switchId, int outPort, byte[] frame) {
      sent.add(Map.entry(switchId + "/" + outPort, frame));
    }
  }

  @BeforeEach
  void connect() {
    nib.switchUp("s1-0");
    for (int port = 1; port <= 7; port++) {
      nib.portChanged("s1-0", port, true, 0);
    }
    for (int port = 1; port <= 4; port++) {
      nib.linkSeen("s1-0/" + port, "s2-0/" + port);
    }
    nib.tablesKnown("s1-0");
  }

  private static byte[] request(MacAddress mac, String from, String to) {
    return ARP.buildArpRequest(
            mac.toBytes(),
            Ip4Address.valueOf(from).toOctets(),
            MacAddress.ZERO.toBytes(),
            Ip4Address.valueOf(to).toOctets(),
            MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED)
        .serialize();
  }

  private static Host hostAt(Nib nib, String address) {
    return nib.hostAt(Ipv4Prefix.parseAddress(address));
  }

  @Test
  void answersForTheGatewayAndLearnsWhoAsks() throws DeserializationException {
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    assertEquals(1, sent.size());
    assertEquals("s1-0/5", sent.get(0).getKey());
    byte[] frame = sent.get(0).getValue();
    ARP reply = (ARP) Ethernet.deserializer().deserialize(frame, 0, frame.length).getPayload();
    assertEquals(ARP.OP_REPLY, reply.getOpCode());
    assertEquals(
        MacAddress.valueOf(Gateway.MAC), MacAddress.valueOf(reply.getSenderHardwareAddress()));
    assertEquals(Ip4Address.valueOf(GATEWAY), Ip4Address.valueOf(reply.getSenderProtocolAddress()));
    assertEquals(List.of(hostAt(nib, A)), learned);
    assertEquals(5, hostAt(nib, A).port());
  }

  @Test
  void aKnownNeighbourIsReachedThroughTheGateway() {
    responder.packetIn("s1-0", 6, request(MAC_B, B, GATEWAY));
    sent.clear();
    responder.packetIn("s1-0", 5, request(MAC_A, A, B));
    assertEquals("s1-0/5", sent.get(0).getKey());
    assertEquals(1, sent.size());
  }

  @Test
  void anUnknownNeighbourIsAskedForOnTheOtherEdgePortsOnly() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, B));
    assertEquals(List.of("s1-0/6", "s1-0/7"), ports());
  }

  @Test
  void aPacketForAnUnknownHostMakesTheGatewayAskButNotMoreThanOnceASecond() {
    for (int packet = 0; packet < 1000; packet++) {
      responder.packetIn("s1-0", 1, packetTo(B));
    }
    assertEquals(List.of("s1-0/5", "s1-0/6", "s1-0/7"), ports());
    assertTrue(learned.isEmpty(), "a source of another prefix behind an uplink is no host here");
    nowNanos += 1_000_000_000L;
    responder.packetIn("s1-0", 1, packetTo(B));
    assertEquals(6, sent.size());
  }

  private static byte[] packetTo(String address) {
    IPv4 packet = new IPv4();
    packet.setSourceAddress("10.0.2.9").setDestinationAddress(address).setTtl((byte) 9);
    Ethernet ethernet = new Ethernet();
    ethernet
        .setSourceMACAddress(MAC_A)
        .setDestinationMACAddress(MacAddress.valueOf(Gateway.MAC))
        .setEtherType(Ethernet.TYPE_IPV4)
        .setPayload(packet);
    return ethernet.serialize();
  }

  @Test
  void doesNotBelieveAHostThatClaimsTheGatewayAnotherPrefixOrAnUplink() {
    responder.packetIn("s1-0", 5, request(MAC_A, GATEWAY, B));
    responder.packetIn("s1-0", 5, request(MAC_A, "10.0.1.7", "10.0.1.1"));
    responder.packetIn("s1-0", 1, request(MAC_A, A, GATEWAY));
    assertTrue(learned.isEmpty());
    assertNull(hostAt(nib, A));
  }

  @Test
  void aHostThatMovesIsLearnedAgainAndOneWhosePortWentDownIsForgotten() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    assertEquals(1, learned.size());
    responder.packetIn("s1-0", 6, request(MAC_A, A, GATEWAY));
    assertEquals(2, learned.size());
    assertNotNull(hostAt(nib, A));
    nib.portChanged("s1-0", 6, false, 0);
    assertNull(hostAt(nib, A));
  }

  @Property
  void garbageIsDropped(@ForAll byte[] garbage) {
    responder.packetIn("s1-0", 5, garbage);
    assertTrue(sent.size() <= 3, "one packet in makes at most a flood of packets out");
  }

  private List<String> ports() {
    List<String> ports = new ArrayList<>();
    sent.forEach(entry -> ports.add(entry.getKey()));
    return ports;
  }
}
