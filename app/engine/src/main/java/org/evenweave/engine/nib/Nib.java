package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * The Network Information Base (Tewari 2015, section 3.6): what is known of the network now. It
 * turns events into immutable {@link Snapshot}s with a rising version.
 *
 * <p>A switch is present in the snapshot while it is connected and its tables have been read; a
 * link is up while probes were seen in both directions and both its ports are up, for a link that
 * carries packets one way only would swallow them.
 *
 * <p>A switch that loses its connection goes on forwarding, and so does one that has not connected
 * yet since the engine started but that installed rules send to. Such a switch is <em>held</em>,
 * and its links are trusted ({@link TrustedLinks}) until a port or a probe shows that they fail.
 *
 * <p>Not thread-safe: one thread owns it. An event costs O(switches + links of the switches
 * concerned), unless a link shows up that was never seen nor configured ({@link CurrentLinks}).
 */
public final class Nib {
  private final KnownSwitches switches = new KnownSwitches();
  private final SwitchRoster roster = new SwitchRoster(switches);
  private final LinkMap linkMap = new LinkMap();
  private final UsableLinks usable = new UsableLinks(switches, linkMap);
  private final HostTable hosts = new HostTable();
  private final Prefixes prefixes = new Prefixes();
  private final PortSettingsTable portSettings = new PortSettingsTable();
  private final PortLoad portLoad = new PortLoad();
  private final GuardTable guards = new GuardTable(switches, linkMap::isEdge);
  private EngineConfig config;

  private final CurrentLinks currentLinks;
  private Set<SwitchPort> dampedEnds = Set.of();
  private Set<SwitchPort> avoidedEnds = Set.of();
  private long version;
  private Snapshot snapshot;

  /** Whether nothing happened since that could have changed it. */
  private boolean upToDate;

  public Nib(EngineConfig config) {
    this(config, 0);
  }

  /**
   * @param lastVersion versions are counted on from this one
   */
  public Nib(EngineConfig config, long lastVersion) {
    version = lastVersion;
    currentLinks = new CurrentLinks(config.intended(), linkMap, switches, usable::peerOf);
    configure(config);
  }

  /** Takes over another configuration; all that was discovered stays known. */
  public void configure(EngineConfig newConfig) {
    if (config != null
        && (config.intended() != newConfig.intended()
            || config.linksDiscovered() != newConfig.linksDiscovered())) {
      currentLinks.renumber();
    }
    config = newConfig;
    linkMap.configure(config);
    prefixes.configure(config.intended());
    guards.configure(config);
    hosts.removeIf(host -> !belongsThere(host));
    snapshot = null;
    upToDate = false;
  }

  /** The network now; the same object until something in it changes. */
  public Snapshot snapshot() {
    if (!upToDate) {
      upToDate = true;
      currentLinks.update(config.intended(), switches.forwardingIds());
      LinkNumbering now = currentLinks.get();
      roster.update(now, config.intended(), id -> usable.settled(id, config.linksDiscovered()));
      Unverified unverified =
          Unverified.of(
              config, now, roster.missing(), switches.states(), switches.implied(), linkMap);
      Fabric inUse = now.without(config.excludedLinks(), config.excludedSwitches());
      SparedLinks damped = SparedLinks.of(now, inUse, dampedEnds);
      SparedLinks avoided = SparedLinks.of(now, damped.rest, avoidedEnds);
      // Most failures are reported twice, by the switches at both ends of a link.
      if (snapshot == null
          || now.fabric() != snapshot.physical()
          || hosts.list() != snapshot.hostTable()
          || guards.guards(hosts.list()) != snapshot.guards()
          || !snapshot.hasSwitches(roster.present(), roster.held())
          || !snapshot.unverified().equals(unverified)
          || !snapshot.dampedLinks().equals(damped.names)
          || !snapshot.avoidedLinks().equals(avoided.names)) {
        snapshot =
            new Snapshot(
                ++version,
                avoided.rest,
                now.fabric(),
                roster.present(),
                roster.held(),
                hosts.list(),
                guards.guards(hosts.list()),
                unverified,
                damped.names,
                avoided.names);
      }
    }
    return snapshot;
  }

  /** Keeps links that flap out of traffic, each by one of its ends; see {@link SparedLinks}. */
  public void damp(Collection<SwitchPort> linkEnds) {
    dampedEnds = Set.copyOf(linkEnds);
    upToDate = false;
  }

  /** Keeps links that lose packets out of traffic, in the same way. */
  public void avoid(Collection<SwitchPort> linkEnds) {
    avoidedEnds = Set.copyOf(linkEnds);
    upToDate = false;
  }

  /** The configuration in force. */
  public EngineConfig config() {
    return config;
  }

  /** The switch is connected; its ports and tables are as they were until it reports them. */
  public void switchUp(String switchId) {
    currentLinks.markEndsForUpdate(switchId);
    switches.connect(switchId);
    guards.changed(switchId);
    upToDate = false;
  }

  /** Records that the switch lost its connection; it continues to forward by its tables. */
  public void switchDown(String switchId) {
    SwitchState state = switches.of(switchId);
    if (state != null) {
      currentLinks.markEndsForUpdate(switchId);
      // Computed before the switch is marked as gone: links that were up then are trusted from now
      // on.
      for (SwitchPort end : linkMap.endsOf(switchId)) {
        if (usable.peerOf(end) == null) {
          linkMap.forget(end);
        } else {
          linkMap.trustWithoutProbes(end);
        }
      }
      switches.disconnect(switchId);
      usable.switchChanged();
      upToDate = false;
    }
  }

  /** Records that a disconnected switch does not forward; routes avoid it until it reconnects. */
  public void markSilent(String switchId) {
    for (LinkNumbering.Link link : linkMap.trusted().links()) {
      if (link.a.switchId().equals(switchId) || link.b.switchId().equals(switchId)) {
        currentLinks.markForUpdate(link.a);
        currentLinks.markForUpdate(link.b);
        linkMap.forget(link.a);
      }
    }
    switches.silence(switchId);
    upToDate = false;
  }

  /** Whether {@link #markSilent} was called for the switch, and it has not connected since. */
  public boolean isRoutedAround(String switchId) {
    return switches.isSilent(switchId);
  }

  /** Whether the switch is connected, be its tables known or not. */
  public boolean connected(String switchId) {
    return switches.isConnected(switchId);
  }

  /** The switches that are connected, be their tables known or not. */
  public Collection<String> connected() {
    return switches.connectedIds();
  }

  /**
   * The switch's tables have been read: from now on it can be programmed.
   *
   * @param usedPorts where its rules forward to. The first time, the links there are trusted
   * @return whether it could not before
   */
  public boolean tablesKnown(String switchId, Set<Integer> usedPorts) {
    SwitchState state = switches.of(switchId);
    if (state == null || !state.isConnected() || state.isRead()) {
      return false;
    }
    if (switches.tablesRead(switchId, usedPorts)) {
      usedPorts.forEach(port -> trustLinkAt(new SwitchPort(switchId, port)));
    }
    usable.switchChanged();
    currentLinks.markEndsForUpdate(switchId);
    upToDate = false;
    return true;
  }

  private void trustLinkAt(SwitchPort end) {
    SwitchPort peer = linkMap.configuredPeerOf(end);
    if (peer != null && mayBeUp(end) && mayBeUp(peer)) {
      linkMap.trust(end);
      switches.addImplied(peer.switchId());
      currentLinks.markForUpdate(end);
    }
  }

  /** The switch is taken to hold the tables that were computed for it, without being read. */
  public void tablesAssumed(String switchId) {
    switches.assumeTables(switchId);
    upToDate = false;
  }

  /** Returns whether a port has come up after its switch had reported all its ports. */
  public boolean portChanged(String switchId, int port, boolean up, long speedBps) {
    SwitchState state = switches.of(switchId);
    if (state == null) {
      return false;
    }
    SwitchPort end = new SwitchPort(switchId, port);
    currentLinks.markForUpdate(end);
    if (!up) {
      linkMap.forget(end);
      hosts.removeAt(end);
    }
    boolean comesUp = up && !state.isUp(port);
    boolean isNew = !state.hasPort(port);
    upToDate &= !state.portChanged(port, up, speedBps) && up;
    if (isNew) {
      guards.changed(switchId);
    }
    SwitchPort peer = linkMap.configuredPeerOf(end);
    if (comesUp && state.adoptedPorts().contains(port) && switches.isAwaited(peer)) {
      trustLinkAt(end); // A link that failed and heals; nothing can probe it yet.
    }
    return comesUp && state.isConnected() && state.hasAllPorts();
  }

  /** All ports of a switch have been reported since it connected: it has no others. */
  public void portsComplete(String switchId) {
    SwitchState state = switches.of(switchId);
    if (state != null) {
      state.portsComplete().forEach(port -> portChanged(switchId, port, false, 0));
      guards.changed(switchId);
      upToDate = false;
      for (LinkNumbering.Link link : linkMap.trusted().links()) {
        for (SwitchPort end : List.of(link.a, link.b)) {
          if (end.switchId().equals(switchId) && !mayBeUp(end)) {
            portChanged(switchId, end.number(), false, 0);
          }
        }
      }
    }
  }

  public void linkSeen(SwitchPort from, SwitchPort to) {
    currentLinks.markForUpdate(from);
    currentLinks.markForUpdate(to);
    boolean carried = usable.peerOf(from) != null;
    if (linkMap.seen(from, to)) {
      if (!carried) {
        usable.cameUp(from, to);
      }
      removeHostsOfLinkEnd(from);
      removeHostsOfLinkEnd(to);
      upToDate = false;
    }
  }

  private void removeHostsOfLinkEnd(SwitchPort port) {
    if (!linkMap.isEdge(port)) {
      hosts.removeAt(port);
    }
  }

  public void linkLost(SwitchPort from, SwitchPort to) {
    currentLinks.markForUpdate(from);
    currentLinks.markForUpdate(to);
    if (linkMap.lost(from, to)) {
      upToDate = false;
    }
  }

  /**
   * Probes have been sent from every port; those of the round before have arrived or are lost.
   *
   * @param switchIds the switches for which the round counts
   */
  public void probeRoundPassed(Set<String> switchIds) {
    for (LinkNumbering.Link lost :
        linkMap
            .trusted()
            .roundPassed(
                link -> switches.isProbed(link.a) && switches.isProbed(link.b),
                link ->
                    switchIds.contains(link.a.switchId())
                        && switchIds.contains(link.b.switchId()))) {
      currentLinks.markForUpdate(lost.a);
      currentLinks.markForUpdate(lost.b);
    }
    switches
        .states()
        .forEach(
            (switchId, state) -> {
              if (switchIds.contains(switchId)) {
                state.probeRoundPassed();
              }
            });
    upToDate = false;
  }

  /**
   * Learns a host from its own packet, which shows that its port is up. A host with this address
   * that was known elsewhere has moved.
   *
   * @return whether something changed
   * @see #hostKnown
   */
  public boolean hostSeen(Host host) {
    boolean mayBeSeen = connected(host.switchId()) && isUp(host.switchId(), host.port());
    boolean learned = mayBeSeen && hostKnown(host);
    hosts.seen(host);
    return learned;
  }

  /**
   * Learns a host from a rule that delivers to it, before the state of its port may be known. It is
   * accepted only if it {@link #isPlausible} there and the host limits allow it.
   *
   * @return whether something changed
   */
  public boolean hostKnown(Host host) {
    boolean learned = isPlausible(host) && hosts.put(host);
    upToDate &= !learned;
    return learned;
  }

  /**
   * Whether a host can be at the place it claims: on an edge port (no end of a link) of the switch
   * that has its prefix, with an address that a host {@link Prefixes#mayHaveHost may have}.
   */
  public boolean isPlausible(Host host) {
    SwitchState state = switches.of(host.switchId());
    return belongsThere(host) && state != null && !state.isDown(host.port());
  }

  /** Forgets a host that has turned out not to be there. */
  public void hostGone(Host host) {
    upToDate &= !hosts.remove(host);
  }

  /** The hosts that are known. */
  public HostTable hosts() {
    return hosts;
  }

  private boolean belongsThere(Host host) {
    return prefixes.mayHaveHost(host.switchId(), host.address()) && linkMap.isEdge(host.location());
  }

  /** The configured prefix of this switch that holds the address, or null. */
  public Ipv4Prefix prefixOf(String switchId, int address) {
    return prefixes.of(switchId, address);
  }

  /** Whether a host under the switch may have the address, as {@link Prefixes#mayHaveHost}. */
  public boolean mayHaveHost(String switchId, int address) {
    return prefixes.mayHaveHost(switchId, address);
  }

  /** The host that was learned at this address, or null. */
  public Host hostAt(int address) {
    return hosts.at(address);
  }

  /** Whether a switch's port is known to be up. */
  public boolean isUp(String switchId, int port) {
    return switches.isUp(switchId, port);
  }

  /** The speed that a switch reports of a port that is up; 0 where it reports none. */
  public long speedBps(SwitchPort port) {
    return switches.claimedBps(port);
  }

  /** How ports are configured. */
  public PortSettingsTable portSettings() {
    return portSettings;
  }

  /** The ports whose queues may be full. */
  public PortLoad portLoad() {
    return portLoad;
  }

  /** How many rounds of probes have counted for a switch since it was first connected. */
  public long probeRounds(String switchId) {
    SwitchState state = switches.of(switchId);
    return state == null ? 0 : state.probeRounds();
  }

  /** Whether a connected switch has, or had, such a port. */
  public boolean hasPort(String switchId, int port) {
    return switches.hasPort(switchId, port);
  }

  /** Whether a port is not known to be down. */
  public boolean mayBeUp(SwitchPort end) {
    return switches.mayBeUp(end);
  }

  /** The switch at the other end of the link at a port, while that carries traffic, or null. */
  public String neighbourAt(String switchId, int port) {
    SwitchPort peer = usable.peerOf(new SwitchPort(switchId, port));
    return peer == null ? null : peer.switchId();
  }

  /** Ports of a switch that are up and lead to no other switch. */
  public List<Integer> edgePorts(String switchId) {
    List<Integer> ports = new ArrayList<>();
    SwitchState state = switches.of(switchId);
    if (state != null) {
      for (int port : state.upPorts()) {
        if (linkMap.isEdge(new SwitchPort(switchId, port))) {
          ports.add(port);
        }
      }
    }
    return ports;
  }
}
