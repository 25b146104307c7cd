package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.PortLog;
import org.evenweave.engine.port.Gateway;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Data;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.UDP;

class GatewayResponderTest {
  private static final MacAddress MAC_A = MacAddress.valueOf("0a:00:00:00:00:0a");
  private static final MacAddress MAC_B = MacAddress.valueOf("0a:00:00:00:00:0b");
  private static final String A = "10.0.0.2";
  private static final String B = "10.0.0.3";
  private static final String GATEWAY = "10.0.0.1";
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Frames sent, by {@code switch/port}. */
  private final List<Map.Entry<String, byte[]>> sent = new ArrayList<>();

  private final VirtualLoop loop = new VirtualLoop();
  private final EventLog events = new EventLog(() -> 0, 0);
  private final List<String> logged = new ArrayList<>();
  private int changes;
  private final Nib nib =
      new Nib(new EngineConfig(Fabrics.figure32(), Map.of(), WeightRule.EFFECTIVE_CAPACITY));
  private final GatewayResponder responder =
      new GatewayResponder(
          nib,
          new RecordingPort(),
          loop,
          events,
          () -> changes++,
          (switchId, inPort, packet) -> false,
          new PortLog(logged::add, loop::nanoTime));

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
      nib.linkSeen(new SwitchPort("s1-0", port), new SwitchPort("s2-0", port));
    }
    nib.tablesKnown("s1-0", Set.of());
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
    assertEquals(1, changes);
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
  void requestsForAnUnknownNeighbourGoToTheOtherEdgePortsOnly() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, B));
    assertEquals(List.of("s1-0/6", "s1-0/7"), ports());
  }

  @Test
  void aPacketForAnUnknownHostMakesTheGatewayAskButNotMoreThanOnceASecond() {
    for (int packet = 0; packet < 1000; packet++) {
      responder.packetIn("s1-0", 1, packetTo(B));
    }
    assertEquals(List.of("s1-0/5", "s1-0/6", "s1-0/7"), ports());
    assertEquals(0, changes, "a source of another prefix behind an uplink is no host here");
    loop.runFor(SECOND_NANOS);
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
  void ignoresAHostThatClaimsTheGatewayAnotherPrefixOrAnUplink() {
    responder.packetIn("s1-0", 5, request(MAC_A, GATEWAY, B));
    responder.packetIn("s1-0", 5, request(MAC_A, "10.0.1.7", "10.0.1.1"));
    responder.packetIn("s1-0", 1, request(MAC_A, A, GATEWAY));
    assertEquals(0, changes);
    assertNull(hostAt(nib, A));
  }

  @Test
  void aHostThatMovesIsLearnedAgainAndOneWhosePortWentDownIsForgotten() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    assertEquals(1, changes);
    responder.packetIn("s1-0", 6, request(MAC_A, A, GATEWAY));
    assertEquals(5, hostAt(nib, A).port(), "not before it is silent where it was");
    loop.runFor(SECOND_NANOS);
    assertEquals(2, changes);
    assertEquals(6, hostAt(nib, A).port());
    nib.portChanged("s1-0", 6, false, 0);
    assertNull(hostAt(nib, A));
  }

  @Test
  void aHostWhosePortWentDownMovesAtOnce() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    nib.portChanged("s1-0", 5, false, 0);
    responder.packetIn("s1-0", 6, request(MAC_A, A, GATEWAY));
    assertEquals(6, hostAt(nib, A).port());
  }

  @Test
  void whatAFalseSenderSaysIsNotPassedOnToHosts() {
    responder.packetIn("s1-0", 5, request(MAC_A, A, GATEWAY));
    sent.clear();
    responder.packetIn("s1-0", 6, request(MAC_B, A, "10.0.0.77"));
    assertEquals(List.of("s1-0/5"), ports(), "only the known place of the host gets a request");
  }

  @Test
  void aThousandMalformedFramesAreCountedAndLoggedOnceASecond() {
    byte[] frame = request(MAC_A, A, GATEWAY);
    frame[14 + 4] = 8;
    for (int packet = 0; packet < 1000; packet++) {
      responder.packetIn("s1-0", 5, frame);
    }
    assertEquals(
        List.of(
            "s1-0/5: a malformed packet is dropped: org.onlab.packet.DeserializationException:"
                + " ARP for Ethernet and IPv4 with addresses of 8 and 4 bytes instead of 6 and 4"),
        logged);
    loop.runFor(SECOND_NANOS);
    responder.packetIn("s1-0", 5, frame);
    assertEquals(2, logged.size());
    assertTrue(logged.get(1).endsWith("(and 999 more since the last line)"), logged.get(1));
    assertEquals(1001, responder.counts().allMalformed());
    assertEquals(1001, responder.counts().ports().get(0).malformed());
    assertEquals(List.of(), sent);
  }

  @Property
  void garbageIsDropped(@ForAll byte[] garbage) {
    handled(garbage);
  }

  /** Frames that get past the first checks: real ones with some bytes changed, and cut off. */
  @Property(tries = 3000)
  void whateverBytesComeNothingIsThrownAndOneLineIsLoggedAtMost(@ForAll long seed) {
    connect();
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> frames =
        List.of(request(MAC_A, A, B), request(MAC_A, A, GATEWAY), packetTo(B), udpTo(B), tcpTo(B));
    byte[] frame = frames.get(random.nextInt(frames.size())).clone();
    for (int change = random.nextInt(1, 6); change > 0; change--) {
      frame[random.nextInt(12, frame.length)] = (byte) random.nextInt();
    }
    handled(random.nextBoolean() ? frame : Arrays.copyOf(frame, random.nextInt(frame.length + 1)));
  }

  private void handled(byte[] frame) {
    sent.clear();
    logged.clear();
    loop.runFor(SECOND_NANOS);
    sent.clear();
    for (int again = 0; again < 3; again++) {
      responder.packetIn("s1-0", 5, frame);
    }
    assertTrue(logged.size() <= 1, logged.toString());
    // A host that is found elsewhere has others checked at both ports.
    assertTrue(
        sent.size() <= 3 * (3 + 2 * HostAging.MAX_VERIFIED_AT_PORT),
        "one packet in makes at most a flood of packets out");
  }

  private static byte[] udpTo(String address) {
    UDP udp = new UDP();
    udp.setSourcePort(67).setDestinationPort(68).setPayload(new Data(new byte[40]));
    return withPayload(address, IPv4.PROTOCOL_UDP, udp);
  }

  private static byte[] tcpTo(String address) {
    TCP tcp = new TCP();
    tcp.setSourcePort(1).setDestinationPort(2).setDataOffset((byte) 5);
    return withPayload(address, IPv4.PROTOCOL_TCP, tcp);
  }

  private static byte[] withPayload(String address, byte protocol, IPacket payload) {
    IPv4 packet = new IPv4();
    packet.setSourceAddress(A).setDestinationAddress(address).setTtl((byte) 9);
    packet.setProtocol(protocol).setPayload(payload);
    Ethernet ethernet = new Ethernet();
    ethernet
        .setSourceMACAddress(MAC_A)
        .setDestinationMACAddress(MacAddress.valueOf(Gateway.MAC))
        .setEtherType(Ethernet.TYPE_IPV4)
        .setPayload(packet);
    return ethernet.serialize();
  }

  private List<String> ports() {
    List<String> ports = new ArrayList<>();
    sent.forEach(entry -> ports.add(entry.getKey()));
    return ports;
  }
}
