package org.evenweave.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.evenweave.engine.events.Event;
import org.evenweave.engine.fake.FakeNetwork;
import org.evenweave.engine.nib.Host;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/** What packets from the edge can and cannot do to an engine. */
class EnginePacketsTest extends EngineFixture {
  private static final int PORT = FakeNetwork.HOST_PORT;
  private static final long MAC = 0x020000000001L;
  private static final long OTHER_MAC = 0x020000000009L;

  /** Where ARP has the length of its hardware addresses (RFC 826), after 14 bytes of Ethernet. */
  private static final int ARP_HARDWARE_LENGTH = 14 + 4;

  private static final int ARP_PROTOCOL_LENGTH = 14 + 5;

  /** Links that fail, one after another. */
  private static final int CUTS = 8;

  /** Hosts that become known during the answer to each. */
  private static final int NEW_HOSTS = 30;

  @Test
  void arpWithWrongAddressLengthsIsDropped() {
    start(Fabrics.figure32(), 21);
    for (int at : new int[] {ARP_HARDWARE_LENGTH, ARP_PROTOCOL_LENGTH}) {
      for (int length : new int[] {0, 3, 8, 255}) {
        byte[] frame = request(MAC, "10.0.0.2");
        frame[at] = (byte) length;
        network.packetIn("s1-0", PORT, frame);
        loop.runFor(SECOND_NANOS);
      }
    }
    assertEquals(List.of(), engine.view().snapshot().hosts());
  }

  @Test
  void aPortThatGoesDownIsHandledBeforeThePacketsThatCameFirst() {
    Fabric fabric = Fabrics.figure32();
    start(fabric, 22);
    int[] answeredFirst = new int[1];
    network.onSentPacket = end -> answeredFirst[0] += subjects("link-down").isEmpty() ? 1 : 0;
    for (int packet = 0; packet < 1000; packet++) {
      network.packetIn("s1-0", PORT, request(MAC, "10.0.0.2", "10.0.0.1"));
    }
    network.cut(linkNamed(fabric, "s1-2/1-s2-0/4"));
    loop.runFor(SECOND_NANOS);
    assertEquals(List.of("s1-2/1-s2-0/4"), subjects("link-down"));
    assertTrue(network.sentPackets().size() >= 1000, "all packets were answered");
    assertTrue(answeredFirst[0] <= 2, answeredFirst[0] + " packets were handled first");
  }

  /** Each new host is a change of the network, and none may end the plan that answers a failure. */
  @Test
  void aPortThatSendsFromEverOtherAddressesDelaysNoAnswerToAFailure() {
    start(Fabrics.figure32(), 25);
    long quietMicros = answerMicros(0);
    long attackedMicros = answerMicros(NEW_HOSTS);
    assertTrue(hosts().size() > CUTS, "hosts are learned");
    assertTrue(attackedMicros <= 2 * quietMicros, attackedMicros + " us instead of " + quietMicros);
  }

  /**
   * How long the answers to failures take in all, of one link after another.
   *
   * @param newHosts how many are learned during each, one every other millisecond
   */
  private long answerMicros(int newHosts) {
    long before = engine.events().lastSequence();
    for (int cut = 0; cut < CUTS; cut++) {
      network.cut(cut);
      for (int host = 0; host < newHosts; host++) {
        int number = cut * newHosts + host + 2;
        byte[] frame = request(MAC + number, "10.0.0." + number, "10.0.0.1");
        loop.schedule(() -> network.packetIn("s1-0", PORT, frame), host * SECOND_NANOS / 500);
      }
      loop.runFor(SECOND_NANOS / 2);
      network.heal(cut);
      loop.runFor(SECOND_NANOS / 2);
    }
    List<Event> failures =
        engine.events().since(before).stream()
            .filter(event -> event.kind() == Event.Kind.LINK_DOWN)
            .collect(Collectors.toList());
    assertEquals(CUTS, failures.size());
    return failures.stream()
        .mapToLong(event -> event.confirmedEpochMicros() - event.detectedEpochMicros())
        .sum();
  }

  @Test
  void manyNewHostsAreAnsweredTogetherAndFewAtOnce() {
    start(Fabrics.figure32(), 26);
    for (int number = 2; number < 7; number++) {
      network.packetIn("s1-0", PORT, request(MAC + number, "10.0.0." + number));
      loop.runFor(SECOND_NANOS / 25); // twice as long as the switch takes
      assertTrue(network.tables("s1-0").flows().containsKey("10.0.0." + number + "/32"));
    }
    loop.runFor(SECOND_NANOS);
    int before = network.requests();
    for (int number = 7; number < 207; number++) {
      network.packetIn("s1-0", PORT, request(MAC + number, "10.0.0." + number));
      loop.runFor(SECOND_NANOS / 200);
    }
    int steps = network.requests() - before;
    assertTrue(steps <= 22, steps + " changes of tables"); // 10 at once, and 10 in the second
    loop.runFor(SECOND_NANOS / 5);
    assertTrue(network.tables("s1-0").flows().containsKey("10.0.0.206/32"));
  }

  @Test
  void aHostThatAnswersKeepsItsAddressAndTheClaimIsAnEvent() {
    start(Fabrics.figure32(), 23);
    network.packetIn("s1-0", PORT, request(MAC, "10.0.0.2"));
    loop.runFor(SECOND_NANOS);
    List<Host> before = engine.view().snapshot().hosts();
    network.portUp("s1-0", PORT + 1);
    network.onSentPacket = end -> answer(end, "s1-0", MAC, "10.0.0.2");
    for (int claim = 0; claim < 100; claim++) {
      network.packetIn("s1-0", PORT + 1, request(OTHER_MAC, "10.0.0.2"));
      loop.runFor(SECOND_NANOS / 10);
    }
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(before, engine.view().snapshot().hosts());
    assertEquals(
        List.of(
            "10.0.0.2 at s1-0/1000 (02:00:00:00:00:01) is claimed by 02:00:00:00:00:09"
                + " at s1-0/1001, and answers where it was"),
        subjects("duplicate-address"));
  }

  @Test
  void aHostThatIsSilentWhereItWasHasMoved() {
    start(Fabrics.figure32(), 24);
    network.packetIn("s1-0", PORT, request(MAC, "10.0.0.2"));
    network.portUp("s1-0", PORT + 1);
    loop.runFor(SECOND_NANOS);
    network.packetIn("s1-0", PORT + 1, request(MAC, "10.0.0.2"));
    loop.runFor(2 * SECOND_NANOS);
    assertEquals(List.of(new Host(address("10.0.0.2"), MAC, "s1-0", PORT + 1)), hosts());
    assertEquals(PORT + 1, network.tables("s1-0").flows().get("10.0.0.2/32").outPort());
    assertEquals(List.of(), subjects("duplicate-address"));
  }

  @Test
  void hostsThatDoNotAnswerAreForgottenAndOthersAreNot() {
    start(Fabrics.figure32(), 26);
    network.packetIn("s1-0", PORT, request(MAC, "10.0.0.2"));
    network.packetIn("s1-1", PORT, request(MAC, "10.0.1.2"));
    loop.runFor(SECOND_NANOS);
    assertEquals(2, hosts().size());
    network.onSentPacket = end -> answer(end, "s1-1", MAC, "10.0.1.2");
    loop.runFor(60 * SECOND_NANOS);
    assertEquals(List.of(new Host(address("10.0.1.2"), MAC, "s1-1", PORT)), hosts());
    assertFalse(network.tables("s1-0").flows().containsKey("10.0.0.2/32"));
    assertTrue(network.tables("s1-1").flows().containsKey("10.0.1.2/32"));
    // A check every two seconds of the one that answers, three checks and searches of the other.
    assertTrue(network.sentPackets().size() < 40, network.sentPackets().size() + " packets sent");
  }

  /** The host there answers every frame it gets. */
  private void answer(SwitchPort end, String switchId, long mac, String address) {
    if (end.equals(new SwitchPort(switchId, PORT))) {
      network.packetIn(switchId, PORT, request(mac, address));
    }
  }

  private List<Host> hosts() {
    return engine.view().snapshot().hosts();
  }

  private List<String> subjects(String kind) {
    return engine.events().since(0).stream()
        .filter(event -> event.kind().text().equals(kind))
        .map(Event::subject)
        .collect(Collectors.toList());
  }

  private static int address(String text) {
    return Ipv4Prefix.parseAddress(text);
  }

  /** A host says its address, and asks for another or for its own. */
  private static byte[] request(long mac, String address) {
    return request(mac, address, address);
  }

  private static byte[] request(long mac, String address, String target) {
    return ARP.buildArpRequest(
            MacAddress.valueOf(mac).toBytes(),
            Ip4Address.valueOf(address).toOctets(),
            new byte[6],
            Ip4Address.valueOf(target).toOctets(),
            MacAddress.BROADCAST.toBytes(),
            Ethernet.VLAN_UNTAGGED)
        .serialize();
  }
}
