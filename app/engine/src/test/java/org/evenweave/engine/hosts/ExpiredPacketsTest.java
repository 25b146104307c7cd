package org.evenweave.engine.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
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
import org.evenweave.engine.config.TracerouteConfig;
import org.evenweave.engine.events.EventLog;
import org.evenweave.engine.fake.VirtualLoop;
import org.evenweave.engine.nib.Host;
import org.evenweave.engine.nib.Nib;
import org.evenweave.engine.packets.ExpiredFrames;
import org.evenweave.engine.packets.PacketCounts;
import org.evenweave.engine.port.SouthboundPort;
import org.evenweave.engine.port.SwitchOperation;
import org.evenweave.engine.port.SwitchTables;
import org.evenweave.wcmp.fabric.Fabrics;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.weights.WeightRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.IPv4;

/** Through {@link GatewayResponder}, which takes all packets of hosts. */
class ExpiredPacketsTest {
  private static final String A = "10.0.0.2";
  private static final String FAR = "10.0.2.9";
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** By {@code switch/port}, and the address that an answer is from. */
  private final List<String> sent = new ArrayList<>();

  private final VirtualLoop loop = new VirtualLoop();
  private final EngineConfig config =
      new EngineConfig(Fabrics.figure32(), Map.of(), WeightRule.EFFECTIVE_CAPACITY);
  private final Nib nib = new Nib(config);
  private final GatewayResponder responder =
      new GatewayResponder(
          nib,
          new RecordingPort(),
          loop,
          new EventLog(() -> 0, 0),
          () -> {},
          (switchId, inPort, packet) -> false);

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
      boolean isAnswer = frame[12] == 8 && frame[13] == 0 && frame[34] == 11;
      String from = Ipv4Prefix.format(ByteBuffer.wrap(frame).getInt(26));
      sent.add(switchId + "/" + outPort + (isAnswer ? " from " + from : ""));
    }
  }

  @BeforeEach
  void connect() {
    for (String id : List.of("s1-0", "s2-0")) {
      nib.switchUp(id);
      for (int port = 1; port <= 7; port++) {
        nib.portChanged(id, port, true, 0);
      }
      nib.tablesKnown(id, Set.of());
    }
    learn(A);
  }

  private void learn(String address) {
    nib.hostSeen(
        new Host(Ipv4Prefix.parseAddress(address), ExpiredFrames.HOST.toLong(), "s1-0", 6));
  }

  private String addressOf(String switchId, int port) {
    int number = config.intended().indexOf(switchId);
    return Ipv4Prefix.format(TracerouteConfig.DEFAULT.address(number, port).getAsInt());
  }

  private void assertCounts(long answered, long limited, long unanswered) {
    PacketCounts counts = responder.counts();
    assertEquals(
        List.of(answered, limited, unanswered),
        List.of(
            counts.allExpiredAnswered(),
            counts.allExpiredLimited(),
            counts.allExpiredUnanswered()));
  }

  @Test
  void everySwitchOnTheWayAnswersInTheNameOfThePortThePacketCameInBy() {
    byte[] probe = ExpiredFrames.udp(A, FAR, 50_000, 20);
    responder.packetIn("s1-0", 6, probe);
    responder.packetIn("s2-0", 1, probe);
    responder.packetIn("s2-0", 2, probe);
    assertEquals(
        List.of(
            "s1-0/6 from " + addressOf("s1-0", 6),
            "s1-0/6 from " + addressOf("s2-0", 1),
            "s1-0/6 from " + addressOf("s2-0", 2)),
        sent);
    assertCounts(3, 0, 0);
  }

  @Test
  void theFirstPacketOfAHostIsAnswered() {
    responder.packetIn("s1-0", 7, ExpiredFrames.udp("10.0.0.77", FAR, 50_000, 20));
    assertEquals(List.of("s1-0/7 from " + addressOf("s1-0", 7)), sent);
  }

  @Test
  void whatThePayloadIsDoesNotMatter() {
    byte[] toVxlan = ExpiredFrames.udp(A, FAR, 50_000, 3);
    toVxlan[36] = 0x12;
    toVxlan[37] = (byte) 0xb5; // Port 4789, with less data than VXLAN's header.
    responder.packetIn("s2-0", 1, toVxlan);
    assertCounts(1, 0, 0);
    assertEquals(0, responder.counts().allMalformed());
  }

  @Test
  void aSourceThatIsNoKnownHostGetsNoAnswer() {
    for (String source : List.of("0.0.0.0", "127.0.0.1", "10.0.2.3", "192.0.2.1", "224.0.0.1")) {
      responder.packetIn("s2-0", 1, ExpiredFrames.udp(source, FAR, 50_000, 20));
    }
    assertEquals(List.of(), sent);
    assertCounts(0, 0, 5);
  }

  @Test
  void aHostBelowASwitchThatIsNotConnectedGetsNoAnswer() {
    nib.switchDown("s1-0");
    responder.packetIn("s2-0", 1, ExpiredFrames.udp(A, FAR, 50_000, 20));
    assertEquals(List.of(), sent);
    assertCounts(0, 0, 1);
  }

  @Test
  void aPacketToTheGatewayHasArrivedWhateverItsTtl() {
    responder.packetIn("s1-0", 6, ExpiredFrames.udp(A, "10.0.0.1", 50_000, 20));
    assertEquals(List.of(), sent);
    assertCounts(0, 0, 0);
  }

  @Test
  void aPacketToAllHostsOfAPrefixGetsNoAnswerWhereTheyAre() {
    responder.packetIn("s1-0", 6, ExpiredFrames.udp(A, "10.0.0.255", 50_000, 20));
    assertEquals(List.of(), sent);
    assertCounts(0, 0, 1);
  }

  @Test
  void noHostIsLookedForOnBehalfOfAPacketThatIsNotForwarded() {
    responder.packetIn("s1-0", 1, ExpiredFrames.udp(FAR, "10.0.0.99", 50_000, 20));
    assertEquals(List.of(), sent);
    byte[] fresh =
        ExpiredFrames.frame(FAR, "10.0.0.99", 2, IPv4.PROTOCOL_TCP, new Data(new byte[20]));
    fresh[46] = 0x50; // The TCP header's own length, five words.
    responder.packetIn("s1-0", 1, fresh);
    assertTrue(sent.size() > 1, "ARP requests: " + sent);
  }

  @Test
  void eachSwitchAnswersSoManyASecondAndAtOnce() {
    byte[] probe = ExpiredFrames.udp(A, FAR, 50_000, 20);
    int most = TracerouteConfig.DEFAULT.maxPerSecond();
    for (int packet = 0; packet < most + 30; packet++) {
      responder.packetIn("s2-0", 1 + packet % 4, probe);
    }
    responder.packetIn("s1-0", 6, probe);
    assertCounts(most + 1, 30, 0);
    loop.runFor(SECOND_NANOS / 2);
    for (int packet = 0; packet < most; packet++) {
      responder.packetIn("s2-0", 1, probe);
    }
    assertCounts(most + 1 + most / 2, 30 + most / 2, 0);
  }

  @Test
  void packetsThatMayNotBeAnsweredTakeNothingOfTheLimit() {
    for (int packet = 0; packet < 1000; packet++) {
      responder.packetIn("s2-0", 1, ExpiredFrames.icmp(A, FAR, 11));
    }
    responder.packetIn("s2-0", 1, ExpiredFrames.udp(A, FAR, 50_000, 20));
    assertCounts(1, 0, 1000);
  }

  @Test
  void anotherConfigurationIsInForceAtOnce() {
    nib.configure(
        config.withTraceroute(new TracerouteConfig(true, Ipv4Prefix.parse("10.9.0.0/16"), 4, 2)));
    byte[] probe = ExpiredFrames.udp(A, FAR, 50_000, 20);
    for (int packet = 0; packet < 5; packet++) {
      responder.packetIn("s1-0", 6, probe);
    }
    assertEquals("s1-0/6 from 10.9.0.6", sent.get(0));
    assertCounts(2, 3, 0);
    nib.configure(
        config.withTraceroute(new TracerouteConfig(false, Ipv4Prefix.parse("10.9.0.0/16"), 4, 2)));
    responder.packetIn("s1-0", 6, probe);
    assertCounts(2, 3, 1);
  }

  @Property(tries = 500)
  void anyBytesMakeOneAnswerAtMost(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    connect();
    sent.clear();
    byte[] frame = ExpiredFrames.udp(A, FAR, random.nextInt(1 << 16), random.nextInt(700));
    for (int change = random.nextInt(4); change > 0; change--) {
      frame = ExpiredFrames.with(frame, random.nextInt(20), random.nextInt());
    }
    responder.packetIn("s2-0", 1, Arrays.copyOf(frame, random.nextInt(frame.length + 1)));
    assertTrue(sent.size() <= 1, sent.toString());
  }
}
