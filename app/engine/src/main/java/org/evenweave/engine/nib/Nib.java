package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The Network Information Base (Tewari 2015, section 3.6): what is known of the network now. It
 * turns events into immutable {@link Snapshot}s with a rising version.
 *
 * <p>A switch is in the snapshot while it is connected and its tables have been read; a link while
 * probes were seen in both directions and both its ports are up, for a link that carries packets
 * one way only would swallow them. Not thread-safe: one thread owns it.
 *
 * <p>Between two snapshots only the ends of links that an event concerned are looked at again, so
 * an event costs O(switches + links of the switches concerned), unless a link shows up that was
 * never seen nor configured: then all is numbered anew.
 */
public final class Nib {
  /** Assumed for a link of which neither the configuration nor a switch says a rate. */
  private static final long DEFAULT_CAPACITY_BPS = 10_000_000_000L;

  private final Map<String, SwitchState> switches = new TreeMap<>();
  private final Probes probes = new Probes();
  private final TreeMap<Integer, Host> hosts = new TreeMap<>(Integer::compareUnsigned);

  private EngineConfig config;
  private final Map<String, Long> intendedCapacityBps = new HashMap<>();
  private final Map<String, List<Ipv4Prefix>> prefixesOfSwitch = new HashMap<>();

  private Wiring wiring;
  private final Set<String> endsToLookAt = new HashSet<>();
  private boolean numberAnew;

  private long version;
  private Snapshot snapshot;

  /** Whether nothing happened since that could have changed it. */
  private boolean upToDate;

  private Snapshot.Hosts hostList;

  private static final class SwitchState {
    boolean tablesKnown;
    final Map<Integer, Long> speedOfUpPort = new TreeMap<>();
    final Set<Integer> downPorts = new HashSet<>();
  }

  public Nib(EngineConfig config) {
    this(config, 0);
  }

  /**
   * @param lastVersion versions are counted on from this one
   */
  public Nib(EngineConfig config, long lastVersion) {
    version = lastVersion;
    wiring = Wiring.of(config.intended());
    configure(config);
  }

  /** Takes over another configuration; all that was discovered stays known. */
  public void configure(EngineConfig newConfig) {
    numberAnew |= config != null && config.intended() != newConfig.intended();
    config = newConfig;
    Fabric fabric = config.intended();
    intendedCapacityBps.clear();
    for (int arc = 0; arc < fabric.arcCount(); arc++) {
      intendedCapacityBps.put(fabric.end(arc), fabric.capacityBps(arc));
    }
    prefixesOfSwitch.clear();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      prefixesOfSwitch
          .computeIfAbsent(fabric.switchId(fabric.subnetSwitch(i)), id -> new ArrayList<>())
          .add(fabric.subnetPrefix(i));
    }
    hosts.values().removeIf(host -> !belongsThere(host));
    hostsChanged();
    snapshot = null;
    upToDate = false;
  }

  /** The network now; the same object until something in it changes. */
  public Snapshot snapshot() {
    if (!upToDate) {
      upToDate = true;
      Wiring before = wiring;
      updateWiring();
      BitSet present = wiring.switches(this::present);
      boolean hostsKept = hostList != null;
      hostList = hostsKept ? hostList : new Snapshot.Hosts(hosts.values());
      // Most failures are told twice, by the switches at both ends of a link.
      if (snapshot == null || wiring != before || !hostsKept || !snapshot.hasPresent(present)) {
        snapshot =
            new Snapshot(
                ++version,
                wiring.without(config.excludedLinks(), config.excludedSwitches()),
                wiring.fabric(),
                present,
                hostList);
      }
    }
    return snapshot;
  }

  private void updateWiring() {
    for (String switchId : switches.keySet()) {
      numberAnew |= wiring.fabric().indexOf(switchId) < 0 && present(switchId);
    }
    BitSet up = new BitSet();
    BitSet down = new BitSet();
    for (String end : endsToLookAt) {
      String peer = usablePeerOf(end);
      if (peer == null) {
        if (wiring.linkAt(end) >= 0) {
          down.set(wiring.linkAt(end));
        }
      } else if (wiring.joins(end, peer)) {
        up.set(wiring.linkAt(end));
      } else {
        numberAnew = true;
      }
    }
    endsToLookAt.clear();
    wiring = numberAnew ? numberedAnew() : wiring.with(withStates(up, down));
    numberAnew = false;
  }

  private Fabric withStates(BitSet up, BitSet down) {
    Fabric fabric = wiring.fabric();
    for (int link = up.nextSetBit(0); link >= 0; link = up.nextSetBit(link + 1)) {
      long capacityBps = capacityBps(fabric.end(2 * link), fabric.end(2 * link + 1));
      if (capacityBps != fabric.capacityBps(2 * link)) {
        fabric = fabric.withCapacityBps(link, capacityBps);
      }
    }
    Fabric before = fabric;
    int[] goneDown = down.stream().filter(before::isUp).toArray();
    int[] comeUp = up.stream().filter(link -> !before.isUp(link)).toArray();
    fabric = goneDown.length == 0 ? fabric : fabric.withLinksDown(goneDown);
    return comeUp.length == 0 ? fabric : fabric.withLinksUp(comeUp);
  }

  private Wiring numberedAnew() {
    Map<Wiring.Link, Long> links = new TreeMap<>();
    for (String end : probes.ends()) {
      String peer = usablePeerOf(end);
      if (peer != null) {
        links.put(new Wiring.Link(end, peer), capacityBps(end, peer));
      }
    }
    Set<String> there = new TreeSet<>(switches.keySet());
    there.removeIf(id -> !present(id));
    return Wiring.of(config.intended(), there, links, wiring.fabric());
  }

  /** The configuration in force. */
  public EngineConfig config() {
    return config;
  }

  public void switchUp(String switchId) {
    lookAtEndsOf(switchId);
    switches.put(switchId, new SwitchState());
    upToDate = false;
  }

  public void switchDown(String switchId) {
    lookAtEndsOf(switchId);
    switches.remove(switchId);
    probes.endsOf(switchId).forEach(probes::forget);
    if (hosts.values().removeIf(host -> host.switchId().equals(switchId))) {
      hostsChanged();
    }
    upToDate = false;
  }

  /** Whether the switch is connected, be its tables known or not. */
  public boolean connected(String switchId) {
    return switches.containsKey(switchId);
  }

  /** The switches that are connected, be their tables known or not. */
  public Collection<String> connected() {
    return new TreeSet<>(switches.keySet());
  }

  /**
   * The switch's tables have been read: from now on it takes part.
   *
   * @return whether it did not before
   */
  public boolean tablesKnown(String switchId) {
    SwitchState state = switches.get(switchId);
    if (state == null || state.tablesKnown) {
      return false;
    }
    state.tablesKnown = true;
    lookAtEndsOf(switchId);
    upToDate = false;
    return true;
  }

  public void portChanged(String switchId, int port, boolean up, long speedBps) {
    SwitchState state = switches.get(switchId);
    if (state == null) {
      return;
    }
    String end = switchId + "/" + port;
    lookAt(end);
    Long before = up ? state.speedOfUpPort.put(port, speedBps) : state.speedOfUpPort.remove(port);
    if (up) {
      state.downPorts.remove(port);
    } else {
      state.downPorts.add(port);
      probes.forget(end);
      removeHostsAt(end);
    }
    if ((before == null) == up || (before != null && up && before != speedBps)) {
      upToDate = false;
    }
  }

  public void linkSeen(String from, String to) {
    lookAt(from);
    lookAt(to);
    if (probes.seen(from, to)) {
      removeHostsAt(from);
      removeHostsAt(to);
      upToDate = false;
    }
  }

  public void linkLost(String from, String to) {
    lookAt(from);
    lookAt(to);
    if (probes.lost(from, to)) {
      upToDate = false;
    }
  }

  /** An end may have another state than in the wiring; its link is found by its peer too. */
  private void lookAt(String end) {
    endsToLookAt.add(end);
    String peer = probes.peerOf(end);
    if (peer != null) {
      endsToLookAt.add(peer);
    }
  }

  private void lookAtEndsOf(String switchId) {
    probes.endsOf(switchId).forEach(this::lookAt);
  }

  /**
   * Learns a host from its own packet, which shows that its port is up.
   *
   * @return whether something changed
   * @see #hostKnown
   */
  public boolean hostSeen(Host host) {
    SwitchState state = switches.get(host.switchId());
    return state != null && state.speedOfUpPort.containsKey(host.port()) && hostKnown(host);
  }

  /**
   * Learns a host from a rule that delivers to it, before the state of its port may be known. It is
   * believed only on an edge port (no probe passes there) of the switch that has its prefix; a
   * gateway's address is never a host's.
   *
   * @return whether something changed
   */
  public boolean hostKnown(Host host) {
    SwitchState state = switches.get(host.switchId());
    boolean believed =
        belongsThere(host)
            && state != null
            && !state.downPorts.contains(host.port())
            && !probes.passes(host.switchId() + "/" + host.port());
    if (!believed || host.equals(hosts.put(host.address(), host))) {
      return false;
    }
    hostsChanged();
    return true;
  }

  private boolean belongsThere(Host host) {
    Ipv4Prefix prefix = prefixOf(host.switchId(), host.address());
    return prefix != null && prefix.gateway() != host.address();
  }

  private void removeHostsAt(String end) {
    String switchId = switchOf(end);
    int port = portOf(end);
    if (hosts.values().removeIf(host -> host.port() == port && host.switchId().equals(switchId))) {
      hostsChanged();
    }
  }

  private void hostsChanged() {
    hostList = null;
    upToDate = false;
  }

  /** The configured prefix of this switch that holds the address, or null. */
  public Ipv4Prefix prefixOf(String switchId, int address) {
    for (Ipv4Prefix prefix : prefixesOfSwitch.getOrDefault(switchId, List.of())) {
      if (prefix.contains(address)) {
        return prefix;
      }
    }
    return null;
  }

  /** The host that was learned at this address, or null. */
  public Host hostAt(int address) {
    return hosts.get(address);
  }

  /** Whether a switch's port is known to be up. */
  public boolean isUp(String switchId, int port) {
    SwitchState state = switches.get(switchId);
    return state != null && state.speedOfUpPort.containsKey(port);
  }

  /** Ports of a switch that are up and lead to no other switch. */
  public List<Integer> edgePorts(String switchId) {
    List<Integer> ports = new ArrayList<>();
    SwitchState state = switches.get(switchId);
    if (state != null) {
      for (int port : state.speedOfUpPort.keySet()) {
        if (!probes.passes(switchId + "/" + port)) {
          ports.add(port);
        }
      }
    }
    return ports;
  }

  /** Whether every switch and link of the configuration is there. */
  public boolean complete() {
    Snapshot now = snapshot();
    return now.switchIds().size() >= config.intended().switchCount()
        && now.linkCount() >= config.intended().linkCount()
        && config.intended().switchCount() > 0;
  }

  private boolean present(String switchId) {
    SwitchState state = switches.get(switchId);
    return state != null && state.tablesKnown;
  }

  private String usablePeerOf(String end) {
    String peer = probes.peerOf(end);
    return peer != null && usable(end) && usable(peer) ? peer : null;
  }

  private boolean usable(String end) {
    return present(switchOf(end)) && speedBps(end) != null;
  }

  private long capacityBps(String from, String to) {
    Long configured = intendedCapacityBps.get(from);
    if (configured != null) {
      return configured;
    }
    long claimed = Math.min(speedBps(from), speedBps(to));
    return claimed > 0 ? claimed : DEFAULT_CAPACITY_BPS;
  }

  /** The claimed speed of a port that is up, or null. */
  private Long speedBps(String end) {
    SwitchState state = switches.get(switchOf(end));
    return state == null ? null : state.speedOfUpPort.get(portOf(end));
  }

  private static String switchOf(String end) {
    return end.substring(0, end.lastIndexOf('/'));
  }

  private static int portOf(String end) {
    return Integer.parseInt(end.substring(end.lastIndexOf('/') + 1));
  }
}
