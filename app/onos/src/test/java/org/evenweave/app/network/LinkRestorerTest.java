package org.evenweave.app.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.cluster.ClusterMetadata;
import org.onosproject.cluster.ClusterMetadataServiceAdapter;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.link.LinkDescription;
import org.onosproject.net.link.LinkProvider;
import org.onosproject.net.link.LinkProviderRegistryAdapter;
import org.onosproject.net.link.LinkProviderService;
import org.onosproject.net.link.LinkProviderServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.link.ProbedLinkProvider;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.PacketContextAdapter;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;

class LinkRestorerTest {
  private static final long GRACE_NANOS = LinkRestorer.GRACE_NANOS;
  private static final String SECRET = "secret";
  private static final ConnectPoint FROM = ConnectPoint.deviceConnectPoint("of:0000000000000001/4");
  private static final ConnectPoint OTHER =
      ConnectPoint.deviceConnectPoint("of:0000000000000006/3");
  private static final ConnectPoint TO = ConnectPoint.deviceConnectPoint("of:0000000000000006/2");

  private final Set<LinkKey> held = new HashSet<>();
  private final List<LinkKey> told = new ArrayList<>();
  private final ClusterMetadata cluster =
      new ClusterMetadata(
          ProviderId.NONE,
          "onos",
          new DefaultControllerNode(NodeId.nodeId("1"), "10.99.0.1"),
          Set.of(),
          Set.of(),
          SECRET);
  private LinkRestorer reminder;

  @BeforeEach
  void activate() {
    reminder = restorer();
  }

  private LinkRestorer restorer() {
    LinkRestorer restorer =
        new LinkRestorer(
            new Providers(), new Links(), new PacketServiceAdapter(), new ThisCluster());
    restorer.activate();
    return restorer;
  }

  @Test
  void aLinkThatProbesPassAndTheStoreLacksIsRestored() {
    reminder.probed(probe(SECRET), TO, 0);
    reminder.probed(probe(SECRET), TO, GRACE_NANOS - 1);
    assertEquals(List.of(), told);
    reminder.probed(probe(SECRET), TO, GRACE_NANOS);
    assertEquals(List.of(LinkKey.linkKey(FROM, TO)), told);
    reminder.probed(probe(SECRET), TO, 2 * GRACE_NANOS);
    assertEquals(List.of(LinkKey.linkKey(FROM, TO)), told);
  }

  @Test
  void aStoredLinkIsNotRestored() {
    held.add(LinkKey.linkKey(FROM, TO));
    reminder.probed(probe(SECRET), TO, 0);
    reminder.probed(probe(SECRET), TO, GRACE_NANOS);
    assertEquals(List.of(), told);
  }

  @Test
  void aLinkThatWasStoredMeanwhileHasItsGraceAnew() {
    reminder.probed(probe(SECRET), TO, 0);
    held.add(LinkKey.linkKey(FROM, TO));
    reminder.probed(probe(SECRET), TO, GRACE_NANOS - 1);
    held.clear();
    reminder.probed(probe(SECRET), TO, GRACE_NANOS);
    reminder.probed(probe(SECRET), TO, 2 * GRACE_NANOS - 1);
    assertEquals(List.of(), told);
  }

  @Test
  void aLinkHasItsGraceWhateverHappenedToItsSwitchsOtherLinks() {
    reminder.probed(probe(SECRET), TO, 0);
    reminder.probed(probe(SECRET), OTHER, GRACE_NANOS);
    assertEquals(List.of(), told);
  }

  @Test
  void onlyProbesOfThisClusterPass() throws InterruptedException {
    String mac = ProbedLinkProvider.fingerprintMac(cluster);
    List<Ethernet> others =
        List.of(
            frame(probe("another secret"), mac),
            frame(probe(SECRET), ProbedLinkProvider.defaultMac()),
            new Ethernet().setEtherType(Ethernet.TYPE_ARP));
    for (Ethernet frame : others) {
      reminder.process(arrived(frame));
    }
    reminder.probed(probe(SECRET), TO, System.nanoTime() + GRACE_NANOS);
    assertEquals(List.of(), told);
  }

  @Test
  void aProbeOfThisClusterPasses() {
    String mac = ProbedLinkProvider.fingerprintMac(cluster);
    do {
      // Anew, where a busy machine takes longer over it than a probe is good for, which is 1 s.
      LinkRestorer fresh = restorer();
      fresh.process(arrived(frame(probe(SECRET), mac)));
      fresh.probed(probe(SECRET), TO, System.nanoTime() + GRACE_NANOS);
    } while (told.isEmpty() && !Thread.interrupted());
    assertEquals(List.of(LinkKey.linkKey(FROM, TO)), told);
  }

  private static ONOSLLDP probe(String secret) {
    return ONOSLLDP.onosSecureLLDP(
        FROM.deviceId().toString(), new ChassisId(1), (int) FROM.port().toLong(), secret);
  }

  private static Ethernet frame(ONOSLLDP probe, String mac) {
    Ethernet frame = new Ethernet();
    frame.setEtherType(Ethernet.TYPE_LLDP);
    frame.setDestinationMACAddress(MacAddress.ONOS_LLDP);
    frame.setSourceMACAddress(mac);
    frame.setPayload(probe);
    return frame;
  }

  private static PacketContextAdapter arrived(Ethernet frame) {
    DefaultInboundPacket packet = new DefaultInboundPacket(TO, frame, ByteBuffer.allocate(0));
    return new PacketContextAdapter(0, packet, null, false) {
      @Override
      public void send() {
        throw new AssertionError("a probe that arrived is not sent on");
      }
    };
  }

  private final class Providers extends LinkProviderRegistryAdapter {
    @Override
    public LinkProviderService register(LinkProvider provider) {
      return new LinkProviderServiceAdapter(provider) {
        @Override
        public void linkDetected(LinkDescription link) {
          told.add(LinkKey.linkKey(link.src(), link.dst()));
          held.add(LinkKey.linkKey(link.src(), link.dst()));
        }
      };
    }
  }

  private final class Links extends LinkServiceAdapter {
    @Override
    public Link getLink(ConnectPoint from, ConnectPoint to) {
      return held.contains(LinkKey.linkKey(from, to))
          ? DefaultLink.builder()
              .providerId(ProviderId.NONE)
              .type(Link.Type.DIRECT)
              .src(from)
              .dst(to)
              .build()
          : null;
    }
  }

  private final class ThisCluster extends ClusterMetadataServiceAdapter {
    @Override
    public ClusterMetadata getClusterMetadata() {
      return cluster;
    }
  }
}
