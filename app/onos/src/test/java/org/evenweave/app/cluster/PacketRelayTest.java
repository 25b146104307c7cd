package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.evenweave.engine.packets.PortLimiter;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.PacketContextAdapter;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;

class PacketRelayTest {
  private static final NodeId ONE = NodeId.nodeId("one");
  private static final String SWITCH = "of:0000000000000001/";

  private final List<String> brought = new ArrayList<>();
  private final List<byte[]> frames = new ArrayList<>();
  private final Map<String, Long> dropped = new TreeMap<>();
  private NodeId leader = ONE;
  private boolean connected = true;
  private final List<String> requested = new ArrayList<>();
  private PacketProcessor processor;
  private long nowNanos;
  private final PacketRelay relay =
      new PacketRelay(
          new Packets(),
          new DefaultApplicationId(7, "org.evenweave.app"),
          new Messages(),
          () -> leader,
          (from, frame) -> {
            brought.add(from.toString());
            frames.add(frame);
          },
          (from, count) -> dropped.merge(from.toString(), count, Long::sum),
          Runnable::run,
          () -> nowNanos);

  private final class Packets extends PacketServiceAdapter {
    @Override
    public void addProcessor(PacketProcessor added, int priority) {
      processor = added;
    }

    @Override
    public void requestPackets(
        TrafficSelector selector, PacketPriority priority, ApplicationId application) {
      requested.add(priority + " " + selector.criteria() + " " + application.name());
    }

    @Override
    public void cancelPackets(
        TrafficSelector selector, PacketPriority priority, ApplicationId application) {
      requested.remove(priority + " " + selector.criteria() + " " + application.name());
    }
  }

  /** Of one instance, which sends itself messages. */
  private final class Messages extends ClusterCommunicationServiceAdapter {
    private final Map<MessageSubject, Consumer<byte[]>> subscribers = new HashMap<>();

    @Override
    public <M> void addSubscriber(
        MessageSubject subject,
        Function<byte[], M> decoder,
        Consumer<M> handler,
        Executor executor) {
      subscribers.put(subject, bytes -> handler.accept(decoder.apply(bytes)));
    }

    @Override
    public <M> CompletableFuture<Void> unicast(
        M message, MessageSubject subject, Function<M, byte[]> encoder, NodeId to) {
      if (!connected) {
        return CompletableFuture.failedFuture(new ConnectException("no route"));
      }
      subscribers.get(subject).accept(encoder.apply(message));
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * @param type null for a frame that ONOS could not parse
   */
  private void arrive(int port, Short type, byte[] frame) {
    Ethernet parsed = type == null ? null : new Ethernet().setEtherType(type);
    processor.process(
        new PacketContextAdapter(
            0,
            new DefaultInboundPacket(
                ConnectPoint.deviceConnectPoint(SWITCH + port), parsed, ByteBuffer.wrap(frame)),
            null,
            false) {
          @Override
          public void send() {
            throw new AssertionError("the relay sends nothing out");
          }
        });
  }

  /** ONOS's own link discovery may be switched off. */
  @Test
  void switchesAreAskedForLldpUntilTheEnd() {
    assertEquals(List.of("40000 [ETH_TYPE:lldp] org.evenweave.app"), requested);
    relay.close();
    assertEquals(List.of(), requested);
  }

  @Test
  void packetsOfHostsAreBroughtAsTheyCame() {
    arrive(3, Ethernet.TYPE_ARP, new byte[] {1, 2, 3});
    arrive(3, Ethernet.TYPE_LLDP, new byte[] {4});
    arrive(3, null, new byte[] {5});
    assertEquals(List.of(SWITCH + 3), brought);
    assertArrayEquals(new byte[] {1, 2, 3}, frames.get(0));
    byte[] expired = new byte[60];
    expired[12] = 8;
    arrive(4, null, expired);
    assertEquals(SWITCH + 4, brought.get(1), "whatever its payload is");
    arrive(5, Ethernet.TYPE_LLDP, probe(1));
    arrive(6, Ethernet.TYPE_LLDP, probe(2));
    assertEquals(List.of(SWITCH + 5, SWITCH + 6), brought.subList(2, 4), "probes of links");
    relay.close();
  }

  /**
   * @param purpose 1 to find links, 2 to measure them
   */
  private static byte[] probe(int purpose) {
    byte[] probe = new byte[200];
    byte[] header = {2, 'E', 'W', 0, 0, (byte) purpose, (byte) 0x88, (byte) 0xcc};
    System.arraycopy(header, 0, probe, 6, header.length);
    return probe;
  }

  @Test
  void probesPassWhateverHostsSendAndAreLimitedToo() {
    for (int packet = 0; packet < 100_000; packet++) {
      arrive(3, Ethernet.TYPE_ARP, new byte[60]);
      arrive(4, Ethernet.TYPE_ARP, new byte[60]);
      arrive(5, Ethernet.TYPE_ARP, new byte[60]);
      arrive(6, Ethernet.TYPE_ARP, new byte[60]);
    }
    brought.clear();
    for (int packet = 0; packet < 100_000; packet++) {
      arrive(3, Ethernet.TYPE_LLDP, probe(1));
    }
    assertEquals(PortLimiter.PROBE_BURST, brought.size());
  }

  @Test
  void aPortThatFloodsCostsAFewMessagesAndNoOtherPort() {
    for (int packet = 0; packet < 100_000; packet++) {
      arrive(3, Ethernet.TYPE_ARP, new byte[60]);
    }
    assertEquals(PortLimiter.PORT_BURST, brought.size());
    arrive(4, Ethernet.TYPE_ARP, new byte[60]);
    assertEquals(SWITCH + 4, brought.get(brought.size() - 1));
    nowNanos += 1_000_000_000L;
    brought.clear();
    for (int packet = 0; packet < 100_000; packet++) {
      arrive(3, Ethernet.TYPE_ARP, new byte[60]);
    }
    assertEquals(PortLimiter.PORT_RATE, brought.size());
  }

  @Test
  void packetsWhoseTtlIsUsedUpTakeNothingOfTheOthersLimit() {
    byte[] expired = new byte[60];
    expired[12] = 8;
    for (int packet = 0; packet < 100_000; packet++) {
      arrive(3, Ethernet.TYPE_IPV4, expired);
    }
    assertEquals(PortLimiter.SWITCH_BURST, brought.size());
    arrive(3, Ethernet.TYPE_ARP, new byte[60]);
    assertEquals(PortLimiter.SWITCH_BURST + 1, brought.size());
  }

  @Test
  void theEngineIsToldOnceOfWhatIsDroppedAsSoonAsTheLeaderCanBeReached() {
    int excess = 7;
    for (int packet = 0; packet < PortLimiter.PORT_BURST + excess; packet++) {
      arrive(3, Ethernet.TYPE_ARP, new byte[60]);
      arrive(4, Ethernet.TYPE_ARP, new byte[60]);
    }
    leader = null;
    relay.reportDropped();
    leader = ONE;
    connected = false;
    relay.reportDropped();
    assertEquals(Map.of(), dropped);
    connected = true;
    relay.reportDropped();
    relay.reportDropped();
    assertEquals(Map.of(SWITCH + 3, 7L, SWITCH + 4, 7L), dropped);
  }
}
