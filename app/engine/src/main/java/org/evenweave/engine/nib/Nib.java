package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.FabricBuilder;
import org.evenweave.wcmp.fabric.Ipv4Prefix;

/**
 * The Network Information Base (Tewari 2015, section 3.6): what is known of the network now. It
 * turns events into immutable {@link Snapshot}s with a rising version.
 *
 * <p>A switch is in the snapshot while it is connected and its tables have been read; a link while
 * probes were seen in both directions and both its ports are up, for a link that carries packets
 * one way only would swallow them. Not thread-safe: one thread owns it.
 */
public final class Nib {
  /** Assumed for a link of which neither the configuration nor a switch says a rate. */
  private static final long DEFAULT_CAPACITY_BPS = 10_000_000_000L;

  private final Fabric intended;
  private final Map<String, Long> intendedCapacityBps = new HashMap<>();
  private final Map<String, SwitchState> switches = new TreeMap<>();
  private final Map<String, String> probedTo = new TreeMap<>();
  private final TreeMap<Integer, Host> hosts = new TreeMap<>(Integer::compareUnsigned);
  private long version;
  private Snapshot snapshot;

  private static final class SwitchState {
    boolean tablesKnown;
    final Map<Integer, Long> speedOfUpPort = new HashMap<>();
    final Set<Integer> downPorts = new HashSet<>();
  }

  public Nib(EngineConfig config) {
    intended = config.intended();
    for (int link = 0; link < intended.linkCount(); link++) {
      long capacityBps = intended.capacityBps(2 * link);
      intendedCapacityBps.put(intended.end(2 * link), capacityBps);
      intendedCapacityBps.put(intended.end(2 * link + 1), capacityBps);
    }
  }

  /** The network now; the same object until something changes. */
  public Snapshot snapshot() {
    if (snapshot == null) {
      Fabric fabric = fabric();
      List<Host> present = new ArrayList<>();
      for (Host host : hosts.values()) {
        if (fabric.indexOf(host.switchId()) >= 0) {
          present.add(host);
        }
      }
      snapshot = new Snapshot(++version, fabric, present);
    }
    return snapshot;
  }

  /** The configuration's fabric. */
  public Fabric intended() {
    return intended;
  }

  public void switchUp(String switchId) {
    switches.put(switchId, new SwitchState());
    snapshot = null;
  }

  public void switchDown(String switchId) {
    switches.remove(switchId);
    forgetProbes(switchId + "/");
    hosts.values().removeIf(host -> host.switchId().equals(switchId));
    snapshot = null;
  }

  /** Whether the switch is connected, be its tables known or not. */
  public boolean connected(String switchId) {
    return switches.containsKey(switchId);
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
    snapshot = null;
    return true;
  }

  public void portChanged(String switchId, int port, boolean up, long speedBps) {
    SwitchState state = switches.get(switchId);
    if (state == null) {
      return;
    }
    Long before = up ? state.speedOfUpPort.put(port, speedBps) : state.speedOfUpPort.remove(port);
    if (up) {
      state.downPorts.remove(port);
    } else {
      state.downPorts.add(port);
      String end = switchId + "/" + port;
      probedTo.remove(end);
      probedTo.values().removeIf(end::equals);
      hosts.values().removeIf(host -> host.switchId().equals(switchId) && host.port() == port);
    }
    if ((before == null) == up || (before != null && up && before != speedBps)) {
      snapshot = null;
    }
  }

  public void linkSeen(String from, String to) {
    if (!to.equals(probedTo.put(from, to))) {
      hosts.values().removeIf(host -> !isEdge(host.switchId() + "/" + host.port()));
      snapshot = null;
    }
  }

  public void linkLost(String from, String to) {
    if (probedTo.remove(from, to)) {
      snapshot = null;
    }
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
    Ipv4Prefix prefix = prefixOf(host.switchId(), host.address());
    SwitchState state = switches.get(host.switchId());
    boolean believed =
        prefix != null
            && prefix.gateway() != host.address()
            && state != null
            && !state.downPorts.contains(host.port())
            && isEdge(host.switchId() + "/" + host.port());
    if (!believed || host.equals(hosts.put(host.address(), host))) {
      return false;
    }
    snapshot = null;
    return true;
  }

  /** The configured prefix of this switch that holds the address, or null. */
  public Ipv4Prefix prefixOf(String switchId, int address) {
    for (int i = 0; i < intended.subnetCount(); i++) {
      if (intended.subnetPrefix(i).contains(address)
          && intended.switchId(intended.subnetSwitch(i)).equals(switchId)) {
        return intended.subnetPrefix(i);
      }
    }
    return null;
  }

  /** The host that was learned at this address, or null. */
  public Host hostAt(int address) {
    return hosts.get(address);
  }

  /** Ports of a switch that are up and lead to no other switch. */
  public List<Integer> edgePorts(String switchId) {
    List<Integer> ports = new ArrayList<>();
    SwitchState state = switches.get(switchId);
    if (state != null) {
      for (int port : new TreeSet<>(state.speedOfUpPort.keySet())) {
        if (isEdge(switchId + "/" + port)) {
          ports.add(port);
        }
      }
    }
    return ports;
  }

  private boolean isEdge(String end) {
    return !probedTo.containsKey(end) && !probedTo.containsValue(end);
  }

  /** Whether every switch and link of the configuration is there. */
  public boolean complete() {
    Fabric now = snapshot().fabric();
    return now.switchCount() >= intended.switchCount()
        && now.linkCount() >= intended.linkCount()
        && intended.switchCount() > 0;
  }

  private void forgetProbes(String switchPrefix) {
    probedTo.keySet().removeIf(end -> end.startsWith(switchPrefix));
    probedTo.values().removeIf(end -> end.startsWith(switchPrefix));
  }

  private Fabric fabric() {
    FabricBuilder builder = new FabricBuilder();
    for (int s = 0; s < intended.switchCount(); s++) {
      if (present(intended.switchId(s))) {
        builder.addSwitch(intended.switchId(s), intended.stage(s), intended.tableEntries(s));
      }
    }
    for (String switchId : switches.keySet()) {
      if (intended.indexOf(switchId) < 0 && present(switchId)) {
        builder.addSwitch(switchId, 1, Fabric.UNLIMITED);
      }
    }
    probedTo.forEach((from, to) -> addLink(builder, from, to));
    for (int i = 0; i < intended.subnetCount(); i++) {
      String switchId = intended.switchId(intended.subnetSwitch(i));
      if (present(switchId)) {
        builder.addSubnet(switchId, intended.subnetPrefix(i));
      }
    }
    return builder.build();
  }

  private void addLink(FabricBuilder builder, String from, String to) {
    if (from.compareTo(to) < 0 && from.equals(probedTo.get(to)) && usable(from) && usable(to)) {
      builder.addLink(from, to, capacityBps(from, to));
    }
  }

  private boolean present(String switchId) {
    SwitchState state = switches.get(switchId);
    return state != null && state.tablesKnown;
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
    return state == null
        ? null
        : state.speedOfUpPort.get(Integer.parseInt(end.substring(end.lastIndexOf('/') + 1)));
  }

  private static String switchOf(String end) {
    return end.substring(0, end.lastIndexOf('/'));
  }
}
