package org.evenweave.app.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.evenweave.app.southbound.FakeCluster;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.Ethernet;
import org.onlab.packet.LLDP;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.PacketContextAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;

/** Two instances, of which one leads and the other is the master of the switches. */
class ProbeRelayTest {
  private static final NodeId LEADER = NodeId.nodeId("one");
  private static final NodeId MASTER = NodeId.nodeId("two");
  private static final String FROM = "of:0000000000000001";
  private static final String TO = "of:0000000000000006/";

  private final FakeCluster cluster = new FakeCluster(MASTER);
  private final List<String> heard = new ArrayList<>();
  private NodeId leader = LEADER;
  private PacketProcessor processor;
  private long nowNanos;
  private final ProbeRelay onLeader = instance(LEADER);
  private final ProbeRelay onMaster = instance(MASTER);

  private ProbeRelay instance(NodeId id) {
    return new ProbeRelay(
        new PacketServiceAdapter() {
          @Override
          public void addProcessor(PacketProcessor added, int priority) {
            processor = added;
          }
        },
        cluster.messagesOf(id),
        () -> leader,
        (from, at) -> heard.add(id + " " + from + " " + at),
        Runnable::run,
        () -> nowNanos);
  }

  @Test
  void theLeaderHearsWhichPortAProbeLeftAndWhichItReached() {
    arrive(2, Ethernet.TYPE_LLDP, probe(4));
    arrive(3, Ethernet.TYPE_BSN, probe(5));
    assertEquals(List.of("one " + FROM + "/4 " + TO + 2, "one " + FROM + "/5 " + TO + 3), heard);
  }

  @Test
  void aPortIsReportedOnceASecondAtMost() {
    for (int i = 0; i < 1000; i++) {
      arrive(2, Ethernet.TYPE_LLDP, probe(i));
    }
    assertEquals(1, heard.size());
    nowNanos += ProbeRelay.PAUSE_NANOS;
    arrive(2, Ethernet.TYPE_LLDP, probe(4));
    assertEquals("one " + FROM + "/4 " + TO + 2, heard.get(1));
  }

  @Test
  void otherFramesAreNoProbes() {
    arrive(2, Ethernet.TYPE_ARP, probe(4));
    arrive(2, Ethernet.TYPE_LLDP, new LLDP());
    arrive(2, Ethernet.TYPE_LLDP, null);
    processor.process(context(2, null));
    assertEquals(List.of(), heard);
  }

  @Test
  void withoutALeaderOrOnceClosedNothingIsReported() {
    leader = null;
    arrive(2, Ethernet.TYPE_LLDP, probe(4));
    onLeader.close();
    onMaster.close();
    assertEquals(List.of(), heard);
    assertEquals(Set.of(), cluster.listening());
  }

  private static ONOSLLDP probe(int port) {
    return ONOSLLDP.onosSecureLLDP(FROM, new ChassisId(1), port, "secret");
  }

  private void arrive(int port, short type, LLDP payload) {
    Ethernet frame = new Ethernet().setEtherType(type);
    frame.setPayload(payload);
    processor.process(context(port, frame));
  }

  private static PacketContextAdapter context(int port, Ethernet frame) {
    return new PacketContextAdapter(
        0,
        new DefaultInboundPacket(
            ConnectPoint.deviceConnectPoint(TO + port), frame, ByteBuffer.allocate(0)),
        null,
        false) {
      @Override
      public void send() {
        throw new AssertionError("the relay sends nothing out");
      }
    };
  }
}
