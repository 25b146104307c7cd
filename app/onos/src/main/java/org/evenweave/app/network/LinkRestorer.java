package org.evenweave.app.network;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onlab.packet.Ethernet;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.cluster.ClusterMetadata;
import org.onosproject.cluster.ClusterMetadataService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.PortNumber;
import org.onosproject.net.link.DefaultLinkDescription;
import org.onosproject.net.link.LinkProvider;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkProviderService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.link.ProbedLinkProvider;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.provider.ProviderId;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores links in ONOS's link store that its probes pass and that the store has lost.
 *
 * <p>When a link is removed while a probe finds it, the store (2.7.0) can end up with the link's
 * description but without its provider. It then shows no such link, and since the description of
 * each further probe equals the stored one, nothing changes any more: a working link is missing for
 * ever. A description from another provider restores it.
 *
 * <p>Accepts only probes that ONOS itself would accept.
 */
@Component(
    immediate = true,
    service = {})
public final class LinkRestorer implements LinkProvider, PacketProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(LinkRestorer.class);

  private static final ProviderId PROVIDER = new ProviderId("evenweave", "org.evenweave.app.links");

  /** As ONOS's own discovery has it ({@code maxLLDPage}). */
  private static final long MAX_PROBE_AGE_MILLIS = 1000;

  /**
   * How long probes may pass before the link must be in ONOS's store. It normally is within
   * milliseconds; ONOS probes every 3 s.
   */
  static final long GRACE_NANOS = 2_000_000_000L;

  private final LinkProviderRegistry providers;
  private final LinkService links;
  private final PacketService packets;
  private final ClusterMetadataService metadata;

  /** Since when probes have passed links that the store lacks. */
  private final Map<LinkKey, Long> unstoredSinceNanos = new ConcurrentHashMap<>();

  private LinkProviderService store;

  @Activate
  public LinkRestorer(
      @Reference LinkProviderRegistry providers,
      @Reference LinkService links,
      @Reference PacketService packets,
      @Reference ClusterMetadataService metadata) {
    this.providers = providers;
    this.links = links;
    this.packets = packets;
    this.metadata = metadata;
  }

  @Activate
  void activate() {
    store = providers.register(this);
    // After ONOS's own discovery, which is an advisor.
    packets.addProcessor(this, PacketProcessor.observer(0));
  }

  @Deactivate
  void deactivate() {
    packets.removeProcessor(this);
    providers.unregister(this);
  }

  @Override
  public ProviderId id() {
    return PROVIDER;
  }

  @Override
  public void process(PacketContext context) {
    Ethernet frame = context.inPacket().parsed();
    if (frame != null && frame.getEtherType() == Ethernet.TYPE_LLDP) {
      ONOSLLDP probe = ONOSLLDP.parseONOSLLDP(frame);
      if (probe != null && isCredible(frame, probe)) {
        probed(probe, context.inPacket().receivedFrom(), System.nanoTime());
      }
    }
  }

  private boolean isCredible(Ethernet frame, ONOSLLDP probe) {
    ClusterMetadata cluster = metadata.getClusterMetadata();
    String sender = ProbedLinkProvider.fingerprintMac(cluster);
    return sender.equalsIgnoreCase(frame.getSourceMAC().toString())
        && ONOSLLDP.verify(probe, cluster.getClusterSecret(), MAX_PROBE_AGE_MILLIS);
  }

  /** A probe has passed a link. */
  void probed(ONOSLLDP probe, ConnectPoint to, long nowNanos) {
    ConnectPoint from =
        new ConnectPoint(
            DeviceId.deviceId(probe.getDeviceString()), PortNumber.portNumber(probe.getPort()));
    boolean isStored = links.getLink(from, to) != null;
    if (isLost(LinkKey.linkKey(from, to), isStored, nowNanos)) {
      store.linkDetected(new DefaultLinkDescription(from, to, Link.Type.DIRECT));
      if (links.getLink(from, to) != null) {
        LOG.warn("restored the link from {} to {}, which ONOS had lost", from, to);
      }
    }
  }

  /** Whether ONOS will not store a link by itself that a probe has passed. */
  private boolean isLost(LinkKey link, boolean isStored, long nowNanos) {
    if (isStored) {
      unstoredSinceNanos.remove(link);
      return false;
    }
    Long since = unstoredSinceNanos.putIfAbsent(link, nowNanos);
    return since != null && nowNanos - since >= GRACE_NANOS;
  }
}
