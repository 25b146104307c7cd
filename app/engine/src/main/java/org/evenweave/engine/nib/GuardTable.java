package org.evenweave.engine.nib;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.evenweave.engine.config.EngineConfig;
import org.evenweave.engine.config.SourceGuard;
import org.evenweave.wcmp.fabric.Fabric;
import org.evenweave.wcmp.fabric.Ipv4Prefix;
import org.evenweave.wcmp.fabric.SwitchPort;

/**
 * Keeps the {@link PortGuard} of each switch up to date.
 *
 * <p>Where links are configured, a port that is no end of one is guarded from the moment its switch
 * reports it, up or not. Where links are discovered, a port may turn out to be an end of one, whose
 * packets have all sources: it is guarded once a host is known there.
 *
 * <p>A switch without prefixes has no hosts: at its ports that are no ends of configured links all
 * IPv4 packets are refused. An excluded switch has no guards, as it forwards nothing.
 */
final class GuardTable {
  private final KnownSwitches switches;
  private final Predicate<SwitchPort> isEdge;
  private final Map<String, List<Ipv4Prefix>> prefixesOf = new HashMap<>();
  private final Set<String> stale = new HashSet<>();
  private EngineConfig config;

  /** Whether the sources of any subnet are checked. */
  private boolean isOn;

  private Hosts hosts = Hosts.NONE;
  private PortGuards guards = PortGuards.NONE;

  /**
   * @param isEdge whether a port is no end of a link
   */
  GuardTable(KnownSwitches switches, Predicate<SwitchPort> isEdge) {
    this.switches = switches;
    this.isEdge = isEdge;
  }

  void configure(EngineConfig newConfig) {
    config = newConfig;
    prefixesOf.clear();
    isOn = false;
    Fabric fabric = config.intended();
    for (int i = 0; i < fabric.subnetCount(); i++) {
      isOn |= config.sourceGuardOf(fabric.subnetPrefix(i)) != SourceGuard.OFF;
      prefixesOf
          .computeIfAbsent(fabric.switchId(fabric.subnetSwitch(i)), id -> new ArrayList<>())
          .add(fabric.subnetPrefix(i));
    }
    stale.addAll(switches.states().keySet());
  }

  /** The ports of a switch, or what they are, may have changed. */
  void changed(String switchId) {
    stale.add(switchId);
  }

  /** The guards now; the same object until one changes. */
  PortGuards guards(Hosts nowHosts) {
    if (config.linksDiscovered()) {
      stale.addAll(nowHosts.switchesChangedSince(hosts));
    }
    hosts = nowHosts;
    if (!stale.isEmpty()) {
      Map<String, PortGuard> others = new HashMap<>();
      stale.forEach(id -> others.put(id, guard(id)));
      stale.clear();
      guards = guards.with(others);
    }
    return guards;
  }

  private PortGuard guard(String switchId) {
    SwitchState state = switches.of(switchId);
    List<Ipv4Prefix> prefixes = prefixesOf.getOrDefault(switchId, List.of());
    if (!isOn
        || state == null
        || config.excludedSwitches().contains(switchId)
        || (config.linksDiscovered() && prefixes.isEmpty())) {
      return PortGuard.NONE;
    }
    List<Ipv4Prefix> anyAddress = new ArrayList<>();
    List<Ipv4Prefix> knownHosts = new ArrayList<>();
    boolean refusesOthers = true;
    for (Ipv4Prefix prefix : prefixes) {
      SourceGuard mode = config.sourceGuardOf(prefix);
      refusesOthers &= mode != SourceGuard.OFF;
      if (mode == SourceGuard.PREFIX) {
        anyAddress.add(prefix);
      } else if (mode == SourceGuard.HOST) {
        knownHosts.add(prefix);
      }
    }
    if (!refusesOthers && knownHosts.isEmpty()) {
      return PortGuard.NONE;
    }
    if (!state.hadAllPorts()) {
      return PortGuard.UNKNOWN;
    }
    return new PortGuard(
        ports(switchId, state), List.copyOf(anyAddress), List.copyOf(knownHosts), refusesOthers);
  }

  private int[] ports(String switchId, SwitchState state) {
    return config.linksDiscovered()
        ? hosts.at(switchId).stream().mapToInt(Host::port).sorted().distinct().toArray()
        : state.allPorts().stream()
            .filter(port -> isEdge.test(new SwitchPort(switchId, port)))
            .mapToInt(port -> port)
            .sorted()
            .toArray();
  }
}
